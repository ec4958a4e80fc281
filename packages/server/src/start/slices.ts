/** The slices that stand beside accounts, items and the operator's own: each offers the same few things. */
import type { Config } from '../config.ts'
import { CLOUD, OPERATOR } from '../contracts.ts'
import type { Door } from '../http/door.ts'
import type { Edge } from '../http/server.ts'
import type { Job, Wake } from '../kernel/job.ts'
import type { SecretBox } from '../kernel/secret-box.ts'
import type { Words } from '../kernel/words.ts'
import type { Context, OperatorContext } from '../services/context.ts'
import type { ItemKind } from '../services/items/public.ts'
import { smsContract } from '../services/sms/contract.ts'
import { smsOutboxContract } from '../services/sms/outbox-contract.ts'
import { smsService } from '../services/sms/public.ts'
import type { WorldSection } from '../services/world-section.ts'
import type { Database } from '../storage/database.ts'
import type { Ports } from './ports.ts'

export interface Slices {
  readonly kinds: readonly ItemKind[]
  readonly jobs: readonly Job<Database>[]
  readonly sections: readonly WorldSection[]
  mount(edge: Edge, door: Door<Context>): void
  mountOperator(edge: Edge, door: Door<OperatorContext>): void
}

export function makeSlices(parts: {
  readonly config: Pick<Config, 'mode' | 'policy'>
  readonly ports: Ports
  readonly database: Database
  readonly box: SecretBox
  readonly words: Words
  readonly wake: Wake
}): Slices {
  const { config, ports, ...shared } = parts
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
    mount(edge, door) {
      edge.mount({ family: CLOUD, contract: smsContract, handlers: sms.handlers, door })
    },
    mountOperator(edge, door) {
      const handlers = sms.outboxHandlers
      edge.mount({ family: OPERATOR, contract: smsOutboxContract, handlers, door })
    },
  }
}
