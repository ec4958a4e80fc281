/** The mail that an operator sends to see whether mail arrives. */
import type { MailLanguage } from '../../kernel/mail-address.ts'

const TEXTS = {
  en: {
    subject: 'Test mail from Kumoi',
    text: 'This is a test mail. Notices about quotas reach this address.',
  },
  ja: {
    subject: 'Kumoi からのテストメール',
    text: 'これはテストメールです。容量の通知はこのアドレスに届きます。',
  },
}

export function probeMail(language: MailLanguage) {
  const { subject, text } = TEXTS[language]
  const html = `<!doctype html>\n<html lang="${language}"><body><p>${text}</p></body></html>\n`
  return { subject, text: `${text}\n`, html }
}
