/** Plugs in the short message service. */
import type { Config } from '../config.ts'
import { CLOUD, OPERATOR } from '../contracts.ts'
import type { Wake } from '../kernel/job.ts'
import type { SecretBox } from '../kernel/secret-box.ts'
import type { Words } from '../kernel/words.ts'
import { smsContract } from '../services/sms/contract.ts'
import { smsOutboxContract } from '../services/sms/outbox-contract.ts'
import { smsService } from '../services/sms/public.ts'
import type { Database } from '../storage/database.ts'
import type { Plug } from './plug.ts'
import type { Ports } from './ports.ts'

export function plugSms(options: {
  readonly config: Pick<Config, 'mode' | 'policy'>
  readonly ports: Ports
  readonly database: Database
  readonly box: SecretBox
  readonly wake: Wake
  readonly words: Words
}): Plug {
  const { config, ports, ...shared } = options
  const sms = smsService({
    ...shared,
    random: ports.random,
    strict: config.policy === 'strict',
    magic: config.mode === 'dev',
    transport: ports.sms,
  })
  return {
    kinds: [sms.kind],
    jobs: [sms.job],
    sections: [sms.section],
    mount({ api, access, operatorApi, operatorAccess }) {
      api.mount({ family: CLOUD, contract: smsContract, handlers: sms.handlers, access })
      operatorApi.mount({
        family: OPERATOR,
        contract: smsOutboxContract,
        handlers: sms.outboxHandlers,
        access: operatorAccess,
      })
    },
  }
}
