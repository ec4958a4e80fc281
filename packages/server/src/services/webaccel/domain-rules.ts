/** Domain names, origins and access lists: texts with a grammar of their own. */
import { isIP } from 'node:net'
import { domainToASCII, domainToUnicode } from 'node:url'
import { BadRequest } from '../../kernel/errors.ts'

const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/
const NAME_LENGTH_MAX = 253
/** Of symbols such as a snowman there is an ASCII form, but no registry has them (RFC 5892). */
const IN_WORDS = /^[\p{L}\p{M}\p{N}\u00b7\u30fb.-]+$/u

/** The ASCII form of a domain, which may be internationalised; strictly: letters, digits, hyphens. */
export function toAsciiDomain(domain: string, field: string): string {
  const ascii = domainToASCII(domain)
  const unicode = domainToUnicode(ascii)
  // A name that has no Unicode form, or does not come back from it, is not what others would look up.
  const isStable = domainToASCII(unicode) === ascii && !/(^|\.)xn--/.test(unicode)
  if (!isStable || !IN_WORDS.test(unicode) || ascii.length > NAME_LENGTH_MAX || !isHost(ascii)) {
    throw new BadRequest(
      `${field} ${JSON.stringify(domain)} is not a valid domain name.`,
      `${field} ${JSON.stringify(domain)} はドメイン名として不正です。`,
    )
  }
  return ascii
}

/** At least two labels, the last of which is no number. */
function isHost(ascii: string): boolean {
  const labels = ascii.split('.')
  const isNumber = /^\d+$/.test(labels.at(-1) ?? '')
  return labels.length > 1 && !isNumber && labels.every((label) => LABEL.test(label))
}

/** A web server as origin: a name or an address, with a port if need be. */
export function checkOriginHost(text: string, field: string): string {
  const url = URL.parse(`https://${text}`)
  const host = url?.hostname.replace(/^\[|\]$/g, '') ?? ''
  const isPlain =
    url !== null && text.toLowerCase().startsWith(url.hostname) && !/[/?#@]/.test(text)
  if (!isPlain || !(isIP(host) !== 0 || isHost(host))) {
    throw new BadRequest(
      `${field} must be a host name or an address, such as origin.example.jp.`,
      `${field} はホスト名またはアドレスで指定してください。`,
    )
  }
  return text
}

/**
 * Where an object storage answers: https, a host name with a dot in it, and a port if need be. No literal
 * address and no short name, which would lead into the operator's own network (docs/adr/0025-outbound-requests.md).
 */
export function checkEndpoint(text: string, field: string): string {
  const url = URL.parse(text)
  const isPlain = url?.protocol === 'https:' && url.origin === text.replace(/\/$/, '').toLowerCase()
  if (!isPlain || !isHost(url.hostname) || /\.(localhost|local|internal)$/.test(url.hostname)) {
    throw new BadRequest(
      `${field} must be an https address of a host name, such as https://s3.example.jp.`,
      `${field} は https://s3.example.jp のような https のアドレスで指定してください。`,
    )
  }
  return text
}

/** Undefined when no cache can hold it: they hold what was fetched by http or https. */
export function hostOf(address: string): string | undefined {
  const url = URL.parse(address)
  return url !== null && /^https?:$/.test(url.protocol) ? url.hostname : undefined
}

/** Path and query of an address, as a client would send them: nothing is resolved, only other characters are encoded. */
export function targetOf(address: string): string {
  const [, rest = ''] = /^[^:]+:\/*[^/?#\\]*([^#]*)/.exec(address.trim()) ?? []
  const target = rest.startsWith('/') ? rest : `/${rest}`
  return target.replace(/[^!-~]+/gu, (others) => encodeURIComponent(others.toWellFormed()))
}

/** Scheme and host only, as in `https://app.example.jp`. */
export function isCorsOrigin(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text
}

/** One rule a line: `allow` or `deny`, then an address, a network or `all`. */
export function checkAcl(text: string): string {
  text.split('\n').forEach((line, index) => {
    if (line.trim() === '') return
    const [verb, target = '', ...rest] = line.trim().split(/\s+/)
    const isVerb = verb === 'allow' || verb === 'deny'
    if (!isVerb || rest.length > 0 || !isAclTarget(target)) {
      throw new BadRequest(
        `ACL line ${index + 1} ${JSON.stringify(line.slice(0, 80))} is not "allow" or "deny" and an address, a network or "all".`,
        `ACL の ${index + 1} 行目が不正です: ${JSON.stringify(line.slice(0, 80))}`,
      )
    }
  })
  return text
}

function isAclTarget(target: string): boolean {
  if (target === 'all') return true
  const [address = '', length, ...rest] = target.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return (
    length === undefined ||
    (/^\d{1,3}$/.test(length) && Number(length) <= (version === 4 ? 32 : 128))
  )
}
