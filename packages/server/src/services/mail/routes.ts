import type { Handlers } from '../../kernel/contract.ts'
import { Conflict } from '../../kernel/errors.ts'
import type { Random } from '../../kernel/random.ts'
import type { OperatorContext } from '../context.ts'
import type { mailContract } from './contract.ts'
import { type Mailer, newMessageId, type SendResult } from './mailer.ts'
import { probeMail } from './probe-rules.ts'

export function mailHandlers(
  mailer: Mailer | undefined,
  random: Random,
): Handlers<typeof mailContract, OperatorContext> {
  return {
    async mailRead() {
      const { server = null, from } = mailer ?? {}
      return { enabled: mailer !== undefined, server, from: from?.address ?? null }
    },

    async mailCheck() {
      const sender = needed(mailer)
      return { server: sender.server, ...resultToWire(await sender.check()) }
    },

    async mailProbe({ body }) {
      const sender = needed(mailer)
      const { to, language = 'en' } = body
      const messageId = newMessageId(random, sender.from)
      const result = await sender.send({ ...probeMail(language), to, language, messageId })
      return { server: sender.server, message_id: messageId, ...resultToWire(result) }
    },
  }
}

function needed(mailer: Mailer | undefined): Mailer {
  if (mailer === undefined) {
    throw new Conflict(
      'There is no mail server; start with --smtp-url and --mail-from.',
      'メールサーバーが設定されていません（--smtp-url と --mail-from）。',
    )
  }
  return mailer
}

function resultToWire(result: SendResult) {
  const reason = result.outcome === 'sent' ? null : result.reason
  return { ok: reason === null, reason }
}
