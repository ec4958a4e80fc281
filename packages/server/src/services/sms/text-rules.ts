/**
 * The text of a message. With a domain its last line is the one that browsers look for (Web OTP):
 * `@host #code`. Nothing else in the text can look like it, since the sender has neither `@` nor `#`
 * and the code only letters and digits (docs/sms.md).
 */
import { isIP } from 'node:net'
import { domainToASCII, domainToUnicode } from 'node:url'
import { BadRequest } from '../../kernel/errors.ts'

export const TEXT_LANGUAGES = ['ja', 'en'] as const
export type TextLanguage = (typeof TEXT_LANGUAGES)[number]

export const HOST_LENGTH_MAX = 253

const TEMPLATES: Readonly<Record<TextLanguage, (sender: string, otp: string) => string>> = {
  ja: (sender, otp) => `${sender}の認証コードは ${otp} です。`,
  en: (sender, otp) => `Your ${sender} code is ${otp}.`,
}

export function writeText(
  language: TextLanguage,
  { sender, otp, host }: { sender: string; otp: string; host: string | undefined },
): string {
  const text = TEMPLATES[language](sender, otp)
  return host === undefined ? text : `${text}\n@${host} #${otp}`
}

/** Letters, digits, marks, hyphens, joiners and the dots of IDNA: what a host name is made of. */
const HOST = /^[\p{L}\p{M}\p{N}.\-\u3002\uff0e\uff61\u30fb\u200c\u200d]+$/u
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** The ASCII form of a host name. Never an address: a browser binds a code to a domain. */
export function toAsciiHost(name: string): string {
  // What is no host name is kept from domainToASCII, which would cut it off at a slash.
  const host = HOST.test(name) ? domainToASCII(name) : ''
  const labels = host.split('.')
  const isName =
    host.length <= HOST_LENGTH_MAX &&
    labels.every((label) => LABEL.test(label)) &&
    isIP(host) === 0 &&
    // A label that claims to be encoded and cannot be decoded stays as it is.
    !/(^|\.)xn--/.test(domainToUnicode(host)) &&
    !/^[0-9]+$/.test(labels.at(-1) ?? '')
  if (isName) return host
  throw new BadRequest(
    'ESME.domain_name must be a host name such as example.jp.',
    'ESME.domain_name は example.jp のようなホスト名でなければなりません。',
  )
}
