/** The messages of a project as the operator browses them, with what became of them at outgoing webhooks. */
import { utcMicros } from '../../kernel/datetime.ts'
import { NotFound } from '../../kernel/errors.ts'
import { type ItemId, parseId } from '../../kernel/ids.ts'
import type { Tx } from '../../storage/database.ts'
import type { Delivery } from './delivery-rules.ts'
import { DeliveryStore } from './delivery-store.ts'
import { type Message, messageId, readPlace } from './message-rules.ts'
import { MessageStore } from './message-store.ts'
import { messageToWire } from './message-wire.ts'
import { findProject } from './project-store.ts'

const PAGE = 50

export interface HistoryQuery {
  readonly before?: string | null | undefined
  readonly device_id?: string | null | undefined
}

export async function listHistory(tx: Tx, project: string, query: HistoryQuery) {
  const projectId = await getProjectId(tx, project)
  const before = readPlace('before', query.before ?? undefined, projectId)
  const store = new MessageStore(tx)
  const device = query.device_id || undefined
  const found = await store.listNewest(
    ...([projectId, device, before ?? Number.MAX_SAFE_INTEGER, PAGE + 1] as const),
  )
  const shown = found.slice(0, PAGE)
  const deliveries = await new DeliveryStore(tx).listOfMessages(
    projectId,
    shown.map(({ number }) => number),
  )
  const last = shown.at(-1)
  return {
    messages: shown.map((message) => entryToWire(message, deliveries.get(message.number) ?? [])),
    next: found.length > PAGE && last !== undefined ? messageId(last) : null,
  }
}

function entryToWire(message: Message, deliveries: readonly Delivery[]) {
  return {
    message: messageToWire(message),
    direction: message.direction,
    received_at: utcMicros(message.createdAt),
    webhooks: deliveries.map(({ id, adapterId, status }) => ({
      ...{ id: String(id), service_id: adapterId, status },
    })),
  }
}

async function getProjectId(tx: Tx, text: string): Promise<ItemId> {
  const id = parseId<'item'>(text)
  if (id !== undefined && (await findProject(tx, id)) !== undefined) return id
  throw new NotFound(`There is no project ${text}.`, `プロジェクト ${text} は存在しません。`)
}
