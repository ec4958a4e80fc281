/** Values as source text of Lua. What users gave cannot leave its string: every byte but letters and digits is a number. */

export type LuaValue =
  | string
  | number
  | boolean
  | undefined
  | readonly LuaValue[]
  | { readonly [name: string]: LuaValue }

export function luaOf(value: LuaValue): string {
  if (value === undefined) return 'nil'
  if (typeof value === 'string') return luaString(value)
  if (typeof value === 'number') return luaNumber(value)
  if (typeof value === 'boolean') return String(value)
  if (isList(value)) return `{${value.map(luaOf).join(',')}}`
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  return `{${fields.map(([name, field]) => `[${luaString(name)}]=${luaOf(field)}`).join(',')}}`
}

/** Three digits each: a digit that follows would count as part of a shorter number. */
function luaString(text: string): string {
  const bytes = [...Buffer.from(text)].map((byte) =>
    isPlain(byte) ? String.fromCharCode(byte) : `\\${String(byte).padStart(3, '0')}`,
  )
  return `"${bytes.join('')}"`
}

function isPlain(byte: number): boolean {
  return (byte >= 48 && byte <= 57) || (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122)
}

function luaNumber(value: number): string {
  if (!Number.isSafeInteger(value)) throw new Error(`${value} is no whole number.`)
  return String(value)
}

function isList(value: LuaValue): value is readonly LuaValue[] {
  return Array.isArray(value)
}
