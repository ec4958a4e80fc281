import type { Handlers } from '../../kernel/contract.ts'
import { utcMicros } from '../../kernel/datetime.ts'
import { Conflict } from '../../kernel/errors.ts'
import { DAY_MS } from '../../kernel/units.ts'
import { AccountStore } from '../account/public.ts'
import type { OperatorContext } from '../context.ts'
import type { ContentBox } from './content.ts'
import { DeliveryStore } from './delivery-store.ts'
import type { smsOutboxContract } from './outbox-contract.ts'
import type { Message, Outcome } from './rules.ts'
import { outboxToWire } from './wire.ts'

const COUNTED_DAYS = 30
/** A bound on what a count reads. */
const COUNTED_MAX = 100_000

/** `embedded`: the network is our own, so that the operator decides for it. */
export function smsOutboxHandlers(
  content: ContentBox,
  embedded: boolean,
): Handlers<typeof smsOutboxContract, OperatorContext> {
  const present = (message: Message) => outboxToWire(message, content.open(message))
  const end = (id: string, outcome: Outcome, { database, now }: OperatorContext) =>
    database.write(async (tx) => {
      const store = new DeliveryStore(tx)
      const message = await store.get(id)
      if (!embedded) {
        throw new Conflict('A real network reports on this message.', '実網が状態を報告します。')
      }
      if (!(await store.end(message.id, outcome, now))) {
        throw new Conflict(
          `Message ${id} is ${message.status} already.`,
          `メッセージ ${id} は既に ${message.status} です。`,
        )
      }
      return { message: present(await store.get(id)) }
    })
  return {
    smsOutboxList: ({ query }, { database }) =>
      database.read(async (tx) => ({
        messages: (await new DeliveryStore(tx).list(query)).map(present),
      })),
    accountSmsRead: ({ params }, { database, now }) =>
      database.read(async (tx) => {
        const { id } = await new AccountStore(tx).getByCode(params.code)
        const since = new Date(now.getTime() - COUNTED_DAYS * DAY_MS)
        const counts = await new DeliveryStore(tx).countByStatus(id, since, COUNTED_MAX)
        const [accepted = 0, delivered = 0, failed = 0] = (
          ['Accepted', 'Delivered', 'Failed'] as const
        ).map((status) => counts.get(status))
        const complete = accepted + delivered + failed < COUNTED_MAX
        return { since: utcMicros(since), accepted, delivered, failed, complete }
      }),
    smsOutboxDeliver: ({ params }, context) => end(params.message_id, 'Delivered', context),
    smsOutboxFail: ({ params }, context) => end(params.message_id, 'Failed', context),
  }
}
