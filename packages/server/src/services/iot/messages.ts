/** Accepts messages. What is answered is stored; who is to get it finds it there (docs/adr/0023-message-numbers.md). */
import { BadRequest, Conflict, NotFound } from '../../kernel/errors.ts'
import type { ItemId } from '../../kernel/ids.ts'
import type { Wake } from '../../kernel/job.ts'
import type { Tx } from '../../storage/database.ts'
import type { Sim } from '../sim/public.ts'
import { queueDeliveries } from './deliveries.ts'
import { FETCH_MAX, type Message, type MessageDraft, readSince } from './message-rules.ts'
import { MessageStore } from './message-store.ts'
import type { ProjectQueue } from './project-queue.ts'
import type { ProjectSim } from './project-rules.ts'
import { takeMessageNumber } from './project-store.ts'
import type { Signals } from './signals.ts'
import { findConnection, ProjectSimStore } from './sim-store.ts'

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
  { signals, wake }: MessageTools,
): Promise<Message> {
  const link = await getConnection(tx, sim)
  if (draft.deviceId !== undefined && draft.deviceId !== link.deviceId) {
    throw new BadRequest(
      'device_id is not the one of the device that sends.',
      'device_id が送信元デバイスのものではありません。',
    )
  }
  const message = await store(tx, link, 'up', draft, now)
  await queueDeliveries(tx, message, wake)
  tx.afterCommit(() => signals.emit(link.projectId))
  return message
}

/** Somebody speaks to a device of the project; it is kept until the device fetches it. */
export async function acceptForDevice(
  tx: Tx,
  projectId: ItemId,
  draft: MessageDraft,
  now: Date,
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
  return store(tx, link, 'down', draft, now)
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
  const link = await findConnection(tx, sim.id)
  if (link === undefined) {
    throw new Conflict(
      `SIM ${sim.id} is connected to no project.`,
      `SIM ${sim.id} はプロジェクトに接続されていません。`,
    )
  }
  if (!sim.activated) {
    throw new Conflict(`SIM ${sim.id} is not activated.`, `SIM ${sim.id} は有効化されていません。`)
  }
  return link
}

async function store(
  tx: Tx,
  { projectId, deviceId }: ProjectSim,
  direction: Message['direction'],
  { payload, sentAt = undefined }: MessageDraft,
  now: Date,
): Promise<Message> {
  const number = await takeMessageNumber(tx, projectId)
  const at = { sentAt: sentAt ?? now, createdAt: now }
  const message = { projectId, number, direction, deviceId, payload, ...at }
  await new MessageStore(tx).insert(message)
  return message
}
