/**
 * Certificates as a reader looks at them before they are sent: names and validity, by a reader of just as
 * much DER as that takes. The server checks signatures; here only names are compared.
 */
export interface ChainCertificate {
  readonly subject: string
  readonly issuer: string
  readonly notBefore: Date
  readonly notAfter: Date
  readonly names: readonly string[]
}

const BEGIN = /^-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----/

/** What is between the lines that begin and end a certificate. */
function blocksOf(pem: string): string[] {
  return pem
    .split(/(?=-----BEGIN )/)
    .filter((part) => BEGIN.test(part) && part.includes('-----END '))
    .map((part) => part.slice(0, part.indexOf('-----END ')).replace(BEGIN, ''))
}

/** One that cannot be read is undefined at its place. */
export function readChain(pem: string): (ChainCertificate | undefined)[] {
  return blocksOf(pem).map((base64) => {
    try {
      const text = atob(base64.replaceAll(/\s/g, ''))
      return readCertificate(Uint8Array.from(text, (letter) => letter.charCodeAt(0)))
    } catch {
      return undefined
    }
  })
}

interface Node {
  readonly tag: number
  readonly content: Uint8Array
}

function readNode(bytes: Uint8Array, at: number): { node: Node; end: number } {
  const [tag, first] = [bytes[at], bytes[at + 1]]
  if (tag === undefined || first === undefined) throw new Error('cut off')
  const count = first < 0x80 ? 0 : first & 0x7f
  if (count > 4 || first === 0x80) throw new Error('no such length')
  const length = bytes.slice(at + 2, at + 2 + count).reduce((sum, byte) => sum * 256 + byte, 0)
  const start = at + 2 + count
  const end = start + (count === 0 ? first : length)
  if (end > bytes.length) throw new Error('cut off')
  return { node: { tag, content: bytes.subarray(start, end) }, end }
}

function childrenOf({ content }: Node): Node[] {
  const nodes: Node[] = []
  for (let at = 0; at < content.length; ) {
    const { node, end } = readNode(content, at)
    nodes.push(node)
    at = end
  }
  return nodes
}

const VERSION = 0xa0
const EXTENSIONS = 0xa3

function readCertificate(der: Uint8Array): ChainCertificate {
  const [body] = childrenOf(readNode(der, 0).node)
  const fields = body === undefined ? [] : childrenOf(body)
  const [, , issuer, validity, subject] = fields[0]?.tag === VERSION ? fields.slice(1) : fields
  if (!issuer || !validity || !subject) throw new Error('no certificate')
  const [notBefore, notAfter] = childrenOf(validity).map(timeOf)
  if (!notBefore || !notAfter) throw new Error('no validity')
  const extensions = fields.find(({ tag }) => tag === EXTENSIONS)
  return {
    ...{ subject: nameOf(subject), issuer: nameOf(issuer), notBefore, notAfter },
    names: extensions === undefined ? [] : alternativesOf(extensions),
  }
}

const WORDS: Readonly<Record<string, string>> = {
  ...{ '550403': 'CN', '550406': 'C', '550407': 'L', '550408': 'ST' },
  ...{ '55040a': 'O', '55040b': 'OU' },
}

const hex = (bytes: Uint8Array) =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** A sequence of sets of pairs: `CN=www.example.jp, O=Example`. */
function nameOf(name: Node): string {
  const pairs = childrenOf(name).flatMap(childrenOf).map(childrenOf)
  return pairs
    .map(([type, value]) => {
      const word = hex(type?.content ?? new Uint8Array())
      return `${WORDS[word] ?? word}=${value === undefined ? '' : textOf(value)}`
    })
    .join(', ')
}

const BMP_STRING = 0x1e

function textOf({ tag, content }: Node): string {
  return new TextDecoder(tag === BMP_STRING ? 'utf-16be' : 'utf-8').decode(content)
}

const UTC_TIME = 0x17

function timeOf(node: Node): Date {
  const text = textOf(node)
  const century = Number(text.slice(0, 2)) < 50 ? '20' : '19'
  const full = node.tag === UTC_TIME ? `${century}${text}` : text
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(full)
  if (parts === null) throw new Error('no time')
  const [, year, month, day, hour, minute, second] = parts.map(Number)
  return new Date(
    Date.UTC(year ?? 0, (month ?? 1) - 1, day ?? 1, hour ?? 0, minute ?? 0, second ?? 0),
  )
}

const SUBJECT_ALTERNATIVES = '551d11'
const DNS_NAME = 0x82
const OCTETS = 0x04

function alternativesOf(extensions: Node): string[] {
  const all = childrenOf(extensions).flatMap(childrenOf).map(childrenOf)
  const own = all.find(([id]) => id !== undefined && hex(id.content) === SUBJECT_ALTERNATIVES)
  const octets = own?.find(({ tag }) => tag === OCTETS)
  if (octets === undefined) return []
  return childrenOf(readNode(octets.content, 0).node)
    .filter(({ tag }) => tag === DNS_NAME)
    .map(textOf)
}
