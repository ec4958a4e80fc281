/** Messages of the demo world's sensors, and what an outgoing webhook has made of them. */
import type { SecretBox } from '../../kernel/secret-box.ts'
import { MINUTE_MS, secondsAfter } from '../../kernel/units.ts'
import type { Tx } from '../../storage/database.ts'
import { DEMO, type DemoPast } from '../demo.ts'
import { findSim } from '../sim/public.ts'
import { AdapterStore, setDisabled } from './adapter-store.ts'
import { GONE } from './delivery-rules.ts'
import { DeliveryStore } from './delivery-store.ts'
import type { Message } from './message-rules.ts'
import { MessageStore } from './message-store.ts'
import { takeMessageNumbers } from './project-store.ts'
import { findConnection, ProjectSimStore } from './sim-store.ts'

const MESSAGES = 24
/** So that they cover a day. */
const GAP_MINUTES = 61

export function demoProject(box: SecretBox): DemoPast {
  return async (tx, now) => {
    const sim = await findSim(tx, { iccid: DEMO.sensorIccid })
    const link = sim && (await findConnection(tx, sim.id))
    if (link === undefined) throw new Error(`${DEMO.sensorIccid} is in no project.`)
    const { projectId } = link
    const devices = await new ProjectSimStore(tx, projectId).list()
    const adapters = await new AdapterStore(tx, box).list(projectId)
    const webhook = adapters.find(({ type }) => type === 'outgoing-webhook')
    if (webhook === undefined) throw new Error(`Project ${projectId} has no outgoing webhook.`)
    for (let nth = MESSAGES - 1; nth >= 0; nth -= 1) {
      const at = new Date(now.getTime() - (9 + nth * GAP_MINUTES) * MINUTE_MS)
      const message: Message = {
        ...{ projectId, number: await takeMessageNumbers(tx, projectId, 1), direction: 'up' },
        ...{ deviceId: devices[nth % devices.length]?.deviceId ?? link.deviceId },
        ...{ sentAt: at, createdAt: at, payload: readings(nth) },
      }
      await new MessageStore(tx).insert(message, undefined)
      await deliver(tx, message, webhook.id, nth === 0)
    }
  }
}

/** Degrees and percent, as a sensor of temperature and humidity measures them. */
function readings(nth: number): Message['payload'] {
  return [
    { tag: '01', type: 'float32', value: 4.5 + ((nth * 7) % 12) / 4 },
    { tag: '02', type: 'uint8', value: 55 + ((nth * 5) % 17) },
  ]
}

/** The newest found its receiver gone; nothing is sent there since. */
async function deliver(tx: Tx, message: Message, adapterId: string, isGone: boolean) {
  const { projectId, number, createdAt } = message
  const id = await tx.next('outbox')
  const at = secondsAfter(createdAt, 1)
  const responseCode = isGone ? GONE : 200
  await new DeliveryStore(tx).insert({
    ...{ id, projectId, number, adapterId, createdAt, attempts: 1, responseCode, doneAt: at },
    status: isGone ? 'dead' : 'delivered',
    reason: isGone ? `the receiver has answered ${GONE}` : undefined,
  })
  const outcome = isGone ? 'failed' : 'sent'
  await new DeliveryStore(tx).insertAttempt(id, { place: 1, outcome, responseCode, at })
  if (isGone) await setDisabled(tx, adapterId, at)
}
