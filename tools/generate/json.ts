/** A part of a JSON document. */
export type Json = Readonly<Record<string, unknown>>

export function jsonText(value: Json): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

/** A TypeBox value is JSON Schema already; going through JSON leaves its hidden marks behind. */
export function plain(schema: unknown): Json {
  return JSON.parse(JSON.stringify(schema ?? {}))
}
