/** Certificates in PEM, found without a pattern: their text comes from outside, and this is one pass over it. */
const BEGIN = '-----BEGIN CERTIFICATE-----'
const END = '-----END CERTIFICATE-----'

export interface PemParts {
  /** Each with its first and its last line. */
  readonly blocks: readonly string[]
  /** What is around them. */
  readonly rest: string
}

export function splitPem(text: string): PemParts {
  const [before = '', ...parts] = text.split(BEGIN)
  const blocks: string[] = []
  let rest = before
  for (const part of parts) {
    const end = part.indexOf(END)
    const content = part.slice(0, Math.max(end, 0))
    if (/^[A-Za-z0-9+/=\s]+$/.test(content)) {
      blocks.push(`${BEGIN}${content}${END}`)
      rest += part.slice(end + END.length)
    } else rest += `${BEGIN}${part}`
  }
  return { blocks, rest }
}
