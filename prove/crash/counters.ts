/** What is counted and never changed: traffic of a device, short messages, and messages that go to a webhook. */

import { setTimeout as sleep } from 'node:timers/promises'
import { gatewayDraft } from '../../packages/server/src/testing/gateways.ts'
import { Receiver } from '../../packages/server/src/testing/receiver.ts'
import { IMEI, iccidOf, draft as simDraft } from '../../packages/server/src/testing/sims.ts'
import { type Draft, learn, Pool, step } from '../../tools/fuzz/step.ts'
import type { Outcome } from '../../tools/fuzz/target.ts'
import { fileKind } from './kinds.ts'
import { type Kind, type Ledger, parsed, readOf } from './ledger.ts'
import type { Call } from './server.ts'

/** A job of a process that was killed belongs to it for a minute, a message that it was sending for half of one. */
const PATIENCE_MS = 150_000

/** The cards of the devices. */
const IN_GATEWAY = 1
const IN_PROJECT = 2

interface Counter {
  readonly name: string
  /** Adds one. */
  add(call: Call, mark: string): Promise<Outcome>
  read(call: Call): Promise<number>
  /** What the server has at least, and how many more it may have. */
  known: number
  open: number
}

export class Counters {
  readonly files: Kind
  readonly #receiver: Receiver
  readonly #counters: readonly Counter[]
  /** The marks of messages, by what was answered. */
  readonly #accepted = new Set<string>()
  #sent = 0

  /** On a server that has just been started for the first time. */
  static async open(call: Call): Promise<Counters> {
    const ends: (() => Promise<void>)[] = []
    const receiver = await Receiver.open({ after: (end: () => Promise<void>) => ends.push(end) })
    return new Counters(await prepare(call, receiver.url), receiver)
  }

  private constructor(pool: Pool, receiver: Receiver) {
    this.#receiver = receiver
    this.files = fileKind(pool.get('project'))
    this.#counters = [trafficOf(), smsOf(pool.get('sms'))]
  }

  get delivered(): number {
    return this.#receiver.received.length
  }

  async add(call: Call, ledger: Ledger, choice: number): Promise<Outcome> {
    this.#sent += 1
    const mark = `m${this.#sent}`
    const counter = this.#counters[choice % (this.#counters.length + 1)]
    const outcome = await (counter?.add(call, mark) ?? sendMessage(call, mark))
    const known = ledger.count(counter?.name ?? 'a message', outcome)
    if (counter === undefined) {
      if (known === 'done') this.#accepted.add(mark)
    } else if (known === 'done') counter.known += 1
    else if (known === 'unknown') counter.open += 1
    return outcome
  }

  /** Nothing lost, nothing counted twice. */
  async compare(call: Call, ledger: Ledger): Promise<void> {
    for (const counter of this.#counters) {
      const { name, known, open } = counter
      const count = await counter.read(call)
      if (count < known || count > known + open) {
        ledger.report(`${name}: ${count}, and should be ${known} to ${known + open}`)
      }
      counter.known = count
      counter.open = 0
    }
  }

  /** Each accepted message has been delivered at least once, and each as one message. */
  async compareDeliveries(ledger: Ledger): Promise<void> {
    const missing = () => {
      const arrived = this.#arrived()
      return [...this.#accepted].filter((mark) => !arrived.has(mark))
    }
    for (let waited = 0; missing().length > 0 && waited < PATIENCE_MS; waited += 50) await sleep(50)
    for (const mark of missing()) ledger.report(`${mark} was accepted and never delivered`)
    for (const [mark, ids] of this.#arrived()) {
      if (ids.size > 1) ledger.report(`${mark} was sent once and became ${ids.size} messages`)
    }
  }

  close(): Promise<void> {
    return this.#receiver.die()
  }

  #arrived(): Map<string, Set<string>> {
    const arrived = new Map<string, Set<string>>()
    for (const { id, payload } of this.#receiver.messages) {
      const mark = payload[0].value
      arrived.set(mark, (arrived.get(mark) ?? new Set()).add(id))
    }
    return arrived
  }
}

function sendMessage(call: Call, value: string): Promise<Outcome> {
  const body = { payload: [{ tag: '00', type: 'string', value }] }
  return call('operatorMessageSend', { params: { iccid: iccidOf(IN_PROJECT) }, body })
}

/** One byte each time. */
function trafficOf(): Counter {
  return {
    name: 'bytes of a device',
    ...{ known: 0, open: 0 },
    add: (call) =>
      call('deviceTraffic', {
        params: { iccid: iccidOf(IN_GATEWAY) },
        body: { uplink_bytes: 1, downlink_bytes: 0 },
      }),
    async read(call) {
      const query = { span: 'month' }
      const { steps } = readOf(await call('accountTrafficRead', { params: ACCOUNT, query }))
      return steps.reduce(
        (sum: number, step: { uplink_bytes: number }) => sum + step.uplink_bytes,
        0,
      )
    },
  }
}

const ACCOUNT = { code: 'acme' }

function smsOf(service: string): Counter {
  return {
    name: 'short messages',
    ...{ known: 0, open: 0 },
    add: (call, sender) =>
      call('smsSendGiven', {
        params: { sms_id: service },
        body: {
          ESME: { destination: '819012345678', sender, otp: '123456', otpOperation: 'input' },
        },
      }),
    async read(call) {
      const counted = readOf(await call('accountSmsRead', { params: ACCOUNT }))
      return counted.accepted + counted.delivered + counted.failed
    },
  }
}

/** A device online in a gateway, one in a project with a webhook, and a service for short messages. */
async function prepare(call: Call, url: string): Promise<Pool> {
  const pool = new Pool()
  const must = async (name: string, draft: Draft, keep: Record<string, string> = {}) => {
    const outcome = await call(name, draft)
    if (outcome.status >= 300 || outcome.problem !== undefined) {
      throw new Error(`${name}: ${outcome.status} ${outcome.problem ?? outcome.text}`)
    }
    learn(step(name, draft, keep), parsed(outcome), pool)
  }
  const item = (Class: string) => ({
    body: { CommonServiceItem: { Name: 'fixed', Provider: { Class } } },
  })
  const ID = 'CommonServiceItem.ID'
  const quotas = { sims: null, gateways: null, sites: null, projects: null, file_bytes: null }
  await must('quotaUpdate', { params: ACCOUNT, body: { ...quotas, messages_per_day: null } })
  for (const [n, name] of [
    [IN_GATEWAY, 'online'],
    [IN_PROJECT, 'device'],
  ] as const) {
    await must('itemCreate', { body: simDraft(n) }, { [name]: ID })
    await must('simActivate', { params: { sim_id: pool.get(name) } })
  }
  await must('gatewayCreate', { body: gatewayDraft('fixed') }, { gateway: 'Appliance.ID' })
  const gateway = { params: { appliance_id: pool.get('gateway') } }
  await must('gatewaySimAdd', { ...gateway, body: { sim: { resource_id: pool.get('online') } } })
  await must('simIpSet', {
    params: { sim_id: pool.get('online') },
    body: { sim: { ip: '10.0.0.1' } },
  })
  await must('deviceAttach', {
    params: { iccid: iccidOf(IN_GATEWAY) },
    body: { imei: IMEI, carrier: 'carrier-a' },
  })
  await must('itemCreate', item('esme'), { sms: ID })
  await must('itemCreate', item('iotplatform'), { project: ID })
  const project = { project_id: pool.get('project') }
  const link = { params: { ...project, sim_id: pool.get('device') } }
  await must('projectSimConnect', link)
  await must('projectSimIpSet', link)
  const settings = { 'outgoing-webhook': { url } }
  await must('adapterCreate', {
    params: project,
    body: { IoTPlatform: { type: 'outgoing-webhook', name: 'fixed', settings } },
  })
  return pool
}
