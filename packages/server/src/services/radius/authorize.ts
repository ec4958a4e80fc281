/** Decides on a device that a network element asks for, and keeps the session that it gets. */
import { BadRequest } from '../../kernel/errors.ts'
import type { Wake } from '../../kernel/job.ts'
import type { Tx } from '../../storage/database.ts'
import { COUNT_SHARDS, CountStore } from '../network/public.ts'
import {
  type Admission,
  carrierOf,
  type DeviceSettings,
  type ElementKey,
  type Elements,
  elementOf,
  findSubscribers,
  type Networks,
  NO_DEVICE_SETTINGS,
  SESSION_JOBS,
  Sessions,
  type Sim,
  type SubscriberKey,
  unknownElement,
} from '../sim/public.ts'

export interface Question {
  readonly element: ElementKey
  readonly subscriber: SubscriberKey
  readonly acctSessionId: string
  readonly imei: string | undefined
  readonly mccMnc: string | undefined
}

export interface Parts {
  readonly networks: Networks
  readonly elements: Elements
  readonly wake: Wake
}

export interface Decided {
  readonly admission: Admission
  readonly settings: DeviceSettings
}

export async function authorize(
  tx: Tx,
  { networks, elements, wake }: Parts,
  question: Question,
  now: Date,
): Promise<Decided> {
  const { subscriber, acctSessionId, imei = '', mccMnc } = question
  const element = elementOf(await elements.find(tx, [question.element]), question.element)
  if (element === undefined) throw unknownElement()
  const key = subscriber.imsi ?? subscriber.number
  if (key === undefined) throw noSubscriber()
  const sim = await findSim(tx, subscriber, key)
  const carrier = carrierOf(element, mccMnc) ?? ''
  const device = { imei, carrier, element: { name: element.name, acctSessionId } }
  const admission = await new Sessions(tx, networks).authorize(sim, key, device, now)
  const { accepted } = admission
  await new CountStore(tx).add([
    {
      ...{ element: element.name, shard: Number(key.slice(-4)) % COUNT_SHARDS, at: now },
      ...{ accepted: accepted ? 1 : 0, refused: accepted ? 0 : 1, accountingPackets: 0 },
    },
  ])
  tx.afterCommit(() => {
    for (const job of SESSION_JOBS) wake(job)
  })
  const settings =
    sim === undefined || !accepted
      ? undefined
      : await networks.deviceSettings?.(tx, sim, admission.session.network)
  return { admission, settings: settings ?? NO_DEVICE_SETTINGS }
}

async function findSim(tx: Tx, { imsi }: SubscriberKey, key: string): Promise<Sim | undefined> {
  const msisdns = imsi === undefined ? [key] : []
  const { byImsi, byMsisdn } = await findSubscribers(tx, { iccids: [], imsis: [key], msisdns })
  return byImsi.get(key) ?? byMsisdn.get(key)
}

function noSubscriber(): BadRequest {
  return new BadRequest(
    '3GPP-IMSI or Calling-Station-Id must name the SIM.',
    '3GPP-IMSI または Calling-Station-Id が必要です。',
  )
}
