/** A part of a JSON document. */
export type Json = Readonly<Record<string, unknown>>

export function jsonText(value: Json): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
