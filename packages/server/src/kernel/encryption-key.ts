/**
 * Key-encryption keys as a key file has them, one in a line, the newest first: `BASE64`, or `ID:BASE64`. The newest
 * seals, all open. A value that was sealed under a key with an id carries that id; the first key of an installation
 * needs none.
 */
export const KEY_BYTES = 32
const KEYS_MAX = 16
/** Node's decoder would pass over anything else, such as a comment behind the key. */
const BASE64_PATTERN = /^[A-Za-z0-9+/_-]+={0,2}$/
const ID_PATTERN = /^[a-z0-9][a-z0-9-]{0,31}$/

export interface EncryptionKey {
  /** Empty for the one without an id. */
  readonly id: string
  readonly bytes: Uint8Array
}

/** The newest first. */
export type EncryptionKeys = readonly [EncryptionKey, ...EncryptionKey[]]

export function oneKey(bytes: Uint8Array): EncryptionKeys {
  return [{ id: '', bytes }]
}

/** A sentence that says what is wrong comes back instead, to follow the name of the file. */
export function parseKeyFile(text: string): EncryptionKeys | string {
  const lines = text
    .split(/\r?\n/)
    .map((line, index) => ({ text: line.trim(), number: index + 1 }))
    .filter((line) => line.text !== '')
  if (lines.length > KEYS_MAX) return `holds more than ${KEYS_MAX} keys`
  const keys: EncryptionKey[] = []
  for (const line of lines) {
    const [, id = '', given = ''] = /^(?:([^:]*):)?(.*)$/.exec(line.text) ?? []
    const bytes = Buffer.from(BASE64_PATTERN.test(given) ? given : '', 'base64')
    const where = lines.length === 1 ? '' : ` in line ${line.number}`
    if (line.text.includes(':') && !ID_PATTERN.test(id)) {
      return `must hold an id of small letters, digits and hyphens before the colon${where}`
    }
    if (bytes.length !== KEY_BYTES) return `must hold ${KEY_BYTES} bytes in base64${where}`
    if (keys.some((key) => key.id === id)) {
      return id === '' ? 'holds two keys without an id' : `holds two keys with the id ${id}`
    }
    keys.push({ id, bytes })
  }
  const [newest, ...older] = keys
  return newest === undefined ? `must hold ${KEY_BYTES} bytes in base64` : [newest, ...older]
}
