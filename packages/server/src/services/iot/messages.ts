/** Accepts messages. What is answered is stored; who is to get it finds it there (docs/adr/0023-message-numbers.md). */
import { BadRequest, Conflict, NotFound, Refusal } from '../../kernel/errors.ts'
import type { ItemId } from '../../kernel/ids.ts'
import type { Wake } from '../../kernel/job.ts'
import { HOUR_MS } from '../../kernel/units.ts'
import type { Tx } from '../../storage/database.ts'
import { findSims, type Sim } from '../sim/public.ts'
import { queueDeliveries } from './deliveries.ts'
import { FETCH_MAX, type Message, type MessageDraft, readSince } from './message-rules.ts'
import { MessageStore } from './message-store.ts'
import type { ProjectQueue } from './project-queue.ts'
import type { ProjectSim } from './project-rules.ts'
import { takeMessageNumbers } from './project-store.ts'
import type { Signals } from './signals.ts'
import { findConnection, findConnections, ProjectSimStore } from './sim-store.ts'

export interface MessageTools {
  readonly projectQueue: ProjectQueue
  readonly signals: Signals
  readonly wake: Wake
}

/** A device speaks: every adapter of its project gets it. */
export async function acceptFromDevice(
  tx: Tx,
  sim: Sim,
  draft: MessageDraft,
  now: Date,
  tools: MessageTools,
): Promise<Message> {
  const { projectId, deviceId } = await getConnection(tx, sim)
  checkSender(deviceId, draft)
  const [message] = await publish(tx, projectId, [{ deviceId, draft }], now, tools)
  if (message === undefined) throw new Error('Nothing was stored.')
  return message
}

/** A message of a device that stays connected and may send it again. */
export interface Sent {
  readonly simId: ItemId
  readonly draft: MessageDraft
  /** What a repeat is recognised by; undefined of one that is never repeated. */
  readonly receipt: string | undefined
  readonly mayBeRepeat: boolean
}

/** How long a message is remembered as one that may come again. */
export const REPEAT_MS = HOUR_MS

/**
 * Many devices of one project speak at once: one transaction stores what they send. Answers for each with its refusal;
 * undefined when it is stored, now or before.
 */
export async function acceptFromDevices(
  tx: Tx,
  projectId: ItemId,
  sent: readonly Sent[],
  now: Date,
  tools: Pick<MessageTools, 'signals' | 'wake'>,
): Promise<(Refusal | undefined)[]> {
  const simIds = [...new Set(sent.map(({ simId }) => simId))]
  const [sims, links, stored] = await Promise.all([
    findSims(tx, simIds),
    findConnections(tx, simIds),
    storedReceipts(tx, sent, new Date(now.getTime() - REPEAT_MS)),
  ])
  const accepted: Addressed[] = []
  const refusals = sent.map(({ simId, draft, receipt, mayBeRepeat }) => {
    try {
      const link = links.get(simId)
      const { deviceId } = checkConnection(simId, sims.get(simId), link, projectId)
      checkSender(deviceId, draft)
      if (mayBeRepeat && stored.has(receipt ?? '')) return undefined
      if (receipt !== undefined) stored.add(receipt)
      accepted.push({ deviceId, draft, receipt })
      return undefined
    } catch (error) {
      if (error instanceof Refusal) return error
      throw error
    }
  })
  await publish(tx, projectId, accepted, now, tools)
  return refusals
}

/** Of those that may be repeats, the ones that were stored before. */
async function storedReceipts(tx: Tx, sent: readonly Sent[], since: Date): Promise<Set<string>> {
  const suspects = sent.flatMap(({ mayBeRepeat, receipt }) =>
    mayBeRepeat && receipt !== undefined ? [receipt] : [],
  )
  const messages = new MessageStore(tx)
  const isStored = await Promise.all(suspects.map((receipt) => messages.hasReceipt(receipt, since)))
  return new Set(suspects.filter((_, index) => isStored[index]))
}

/** Somebody speaks to a device of the project; it is kept until the device fetches it. */
export async function acceptForDevice(
  tx: Tx,
  projectId: ItemId,
  draft: MessageDraft,
  now: Date,
  signals: Signals,
): Promise<Message> {
  if (draft.deviceId === undefined) {
    throw new BadRequest('device_id is missing.', 'device_id がありません。')
  }
  const link = await new ProjectSimStore(tx, projectId).findDevice(draft.deviceId)
  if (link === undefined) {
    throw new NotFound(
      `The project has no device ${draft.deviceId}.`,
      `プロジェクトにデバイス ${draft.deviceId} はありません。`,
    )
  }
  const { deviceId } = link
  const [message] = await store(tx, projectId, 'down', [{ deviceId, draft }], now)
  if (message === undefined) throw new Error('Nothing was stored.')
  tx.afterCommit(() => signals.emitToDevice(deviceId))
  return message
}

/** What is for the device of this SIM, oldest first. It stays, so a device may ask again. */
export async function listForDevice(
  tx: Tx,
  sim: Sim,
  since: string | undefined,
): Promise<Message[]> {
  const { deviceId, projectId } = await getConnection(tx, sim)
  const after = readSince(since, projectId) ?? 0
  return new MessageStore(tx).listForDevice(deviceId, after, FETCH_MAX)
}

/** Refuses a device that may not use the network. */
async function getConnection(tx: Tx, sim: Sim): Promise<ProjectSim> {
  return checkConnection(sim.id, sim, await findConnection(tx, sim.id))
}

/** `projectId`: the one that the device is expected in. */
function checkConnection(
  simId: ItemId,
  sim: Sim | undefined,
  link: ProjectSim | undefined,
  projectId = link?.projectId,
): ProjectSim {
  if (link === undefined || link.projectId !== projectId) {
    throw new Conflict(
      `SIM ${simId} is connected to no project.`,
      `SIM ${simId} はプロジェクトに接続されていません。`,
    )
  }
  if (sim?.activated !== true) {
    throw new Conflict(`SIM ${simId} is not activated.`, `SIM ${simId} は有効化されていません。`)
  }
  return link
}

function checkSender(deviceId: string, draft: MessageDraft): void {
  if (draft.deviceId === undefined || draft.deviceId === deviceId) return
  throw new BadRequest(
    'device_id is not the one of the device that sends.',
    'device_id が送信元デバイスのものではありません。',
  )
}

/** A draft with the device that it is of or for. */
interface Addressed {
  readonly deviceId: string
  readonly draft: MessageDraft
  readonly receipt?: string | undefined
}

async function publish(
  tx: Tx,
  projectId: ItemId,
  drafts: readonly Addressed[],
  now: Date,
  { signals, wake }: Pick<MessageTools, 'signals' | 'wake'>,
): Promise<Message[]> {
  if (drafts.length === 0) return []
  const messages = await store(tx, projectId, 'up', drafts, now)
  await queueDeliveries(tx, projectId, messages, wake)
  tx.afterCommit(() => signals.emit(projectId))
  return messages
}

/** Numbered in their order. */
async function store(
  tx: Tx,
  projectId: ItemId,
  direction: Message['direction'],
  drafts: readonly Addressed[],
  now: Date,
): Promise<Message[]> {
  const first = await takeMessageNumbers(tx, projectId, drafts.length)
  const entries = drafts.map(({ deviceId, draft, receipt }, index) => {
    const at = { sentAt: draft.sentAt ?? now, createdAt: now }
    const { payload } = draft
    const message = { projectId, number: first + index, direction, deviceId, payload, ...at }
    return [message, receipt] as const
  })
  await new MessageStore(tx).insertAll(entries)
  return entries.map(([message]) => message)
}
