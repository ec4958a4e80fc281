import type { Handlers } from '../../kernel/contract.ts'
import { utcMicros } from '../../kernel/datetime.ts'
import { Conflict } from '../../kernel/errors.ts'
import { DAY_MS } from '../../kernel/units.ts'
import type { Tx } from '../../storage/database.ts'
import { AccountStore } from '../account/public.ts'
import type { OperatorContext } from '../context.ts'
import type { ContentBox } from './content.ts'
import { DeliveryStore } from './delivery-store.ts'
import type { smsOutboxContract } from './outbox-contract.ts'
import { ReportStore } from './report-store.ts'
import type { Message, Outcome } from './rules.ts'
import type { Transport } from './transport.ts'
import { outboxToWire } from './wire.ts'

const COUNTED_DAYS = 30
/** A bound on what a count reads. */
const COUNTED_MAX = 100_000

export function smsOutboxHandlers(
  content: ContentBox,
  transport: Transport,
): Handlers<typeof smsOutboxContract, OperatorContext> {
  const present = async (tx: Tx, messages: readonly Message[]) => {
    // The embedded network keeps no reports.
    const sent = messages.filter((message) => message.transport !== 'outbox').map(({ id }) => id)
    const reports = sent.length === 0 ? new Map() : await new ReportStore(tx).listByMessages(sent)
    return messages.map((message) =>
      outboxToWire(message, content.open(message), reports.get(message.id) ?? []),
    )
  }
  const end = (id: string, outcome: Outcome, { database, now, concerns }: OperatorContext) =>
    database.write(async (tx) => {
      const store = new DeliveryStore(tx)
      const message = await store.get(id)
      concerns((await new AccountStore(tx).get(message.accountId)).code)
      // Only for the network that is our own does the operator decide.
      if (message.transport !== 'outbox') {
        throw new Conflict('A real network reports on this message.', '実網が状態を報告します。')
      }
      if (!(await store.end(message.id, outcome, now))) {
        throw new Conflict(
          `Message ${id} is ${message.status} already.`,
          `メッセージ ${id} は既に ${message.status} です。`,
        )
      }
      const [ended] = await present(tx, [await store.get(id)])
      if (ended === undefined) throw new Error('A message that was read is gone.')
      return { message: ended }
    })
  return {
    smsOutboxList: ({ query }, { database }) =>
      database.read(async (tx) => ({
        messages: await present(tx, await new DeliveryStore(tx).list(query)),
      })),
    async smsTransportCheck() {
      const { name, address = null } = transport
      return { transport: name, address, ...(await transport.check()) }
    },
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
