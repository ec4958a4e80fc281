/** What a reader fills in before a message is sent, and the rules of docs/sms.md over it. */
import { smsText } from './texts.ts'

export interface Draft {
  readonly destination: string
  readonly sender: string
  readonly domain: string
  readonly otp: string
  readonly way: 'generate' | 'input'
}

export interface Problems {
  readonly destination?: string
  readonly sender?: string
  readonly otp?: string
}

/** A number as the interface takes it: people write `+81 90-1234-5678`, and it wants digits alone. */
export function digitsOf(destination: string): string {
  return destination
    .normalize('NFKC')
    .trim()
    .replace(/^\+/, '')
    .replaceAll(/[\s().-]/g, '')
}

export function problemsOf({ destination, sender, otp, way }: Draft): Problems {
  const isOtpWrong = way === 'input' && !/^[0-9A-Za-z]{1,16}$/.test(otp.trim())
  return {
    ...(!/^[1-9][0-9]{6,14}$/.test(digitsOf(destination)) && {
      destination: smsText('destinationWrong'),
    }),
    ...(!/^[^@#\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u202a-\u202e\u2066-\u2069]{1,64}$/u.test(sender.trim()) && {
      sender: smsText('senderWrong'),
    }),
    ...(isOtpWrong && { otp: smsText('otpWrong') }),
  }
}
