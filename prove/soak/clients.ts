/** The load of the soak: each client does one kind of thing, again and again, at its own pace. */
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { newSite, startOrigin, WEBACCEL } from '../../acceptance/edge-cloud.ts'
import { CLOUD, type ServerProcess } from '../../acceptance/server.ts'
import { Receiver } from '../../packages/server/src/testing/receiver.ts'
import { Client } from '../../packages/server/src/testing/websocket-client.ts'
import type { Choices } from '../../tools/fuzz/random.ts'

export interface Stage {
  readonly server: ServerProcess
  readonly token: string
  readonly edgePort: number
  /** Without TLS: the client of websockets that Node has cannot be given our CA. */
  readonly plainPort: number
  readonly choices: Choices
  after(end: () => void): void
}

/** What a client does each time; it throws when something is not as it should be. */
export interface Pace {
  readonly name: string
  readonly everyMs: number
  work(): Promise<void>
}

const FIRST_CARD = '8981049000000000000'
const CARDS = 100_000

/** Everything has an end within days, so that the hours of the soak see it. */
const SETTINGS = {
  ...{ traffic_journal_hours: 1, traffic_days: 1, session_log_days: 1, iot_message_hours: 1 },
  ...{ iot_dead_letter_days: 1, sms_message_days: 31, notice_days: 1, usage_days: 93 },
  ...{ audit_days: 1, site_hour_days: 1, ended_session_days: 7, webaccel_calls_per_hour: 100_000 },
  ...{ sms_per_destination: 1_000_000, sms_per_day: 1_000_000 },
}

export async function clients(stage: Stage): Promise<Pace[]> {
  const sim_cards = [{ iccid_from: FIRST_CARD, count: CARDS, passcode: 'soak' }]
  await operator(stage, 'POST', '/world', { version: 1, settings: SETTINGS, sim_cards })
  return [
    ...reading(stage),
    lifeOfASim(stage),
    ...(await messages(stage)),
    await shortMessages(stage),
    ...(await delivery(stage)),
    {
      // 300 an hour: usage is kept for 93.
      name: 'a day passes',
      everyMs: 12_000,
      work: async () => {
        await operator(stage, 'POST', '/clock/advance', { by: '1d' })
      },
    },
  ]
}

function reading(stage: Stage): Pace[] {
  const paths = ['/auth-status', '/commonserviceitem', '/appliance', '/zone', '/region']
  // Not the metrics: the delay that the sampler reads begins anew with each reading.
  const operatorPaths = ['/requests', '/audit', '/sessions']
  return [
    {
      name: 'reads of the API',
      everyMs: 40,
      work: async () => {
        await ask(stage, 'GET', `${CLOUD}${stage.choices.pick(paths)}`)
      },
    },
    {
      name: 'reads of the operator API',
      everyMs: 1000,
      work: async () => {
        await operator(stage, 'GET', stage.choices.pick(operatorPaths))
      },
    },
  ]
}

/** Made, used and deleted, so that there are never more of them. */
function lifeOfASim(stage: Stage): Pace {
  let card = 0
  return {
    name: 'SIMs made and deleted',
    everyMs: 500,
    async work() {
      const ICCID = String(BigInt(FIRST_CARD) + BigInt(card++ % CARDS))
      const Provider = { Class: 'sim' }
      const body = {
        CommonServiceItem: {
          ...{
            Name: `soak-${card}`,
            Description: '',
            Tags: ['soak'],
            Provider,
          },
          ...{ Status: { ICCID }, Remark: { PassCode: 'soak' } },
        },
      }
      const made = await ask(stage, 'POST', `${CLOUD}/commonserviceitem`, body)
      const path = `${CLOUD}/commonserviceitem/${made.CommonServiceItem.ID}`
      await ask(stage, 'PUT', `${path}/sim/activate`)
      await ask(stage, 'PUT', path, { CommonServiceItem: { Name: 'renamed', Tags: ['x', 'y'] } })
      await ask(stage, 'GET', path)
      await ask(stage, 'PUT', `${path}/sim/deactivate`)
      await ask(stage, 'DELETE', path)
    },
  }
}

/** From a device to a webhook and a websocket. */
async function messages(stage: Stage): Promise<Pace[]> {
  const find = encodeURIComponent(JSON.stringify({ Filter: { 'Provider.Class': 'iotplatform' } }))
  const found = await ask(stage, 'GET', `${CLOUD}/commonserviceitem?${find}`)
  const project = `${CLOUD}/commonserviceitem/${found.CommonServiceItems[0].ID}/iotplatform/vmgw`
  const { IoTPlatform: links } = await ask(stage, 'GET', `${project}/sims`)
  const item = await ask(stage, 'GET', `${CLOUD}/commonserviceitem/${links[0].sim_id}`)
  const iccid = item.CommonServiceItem.Status.ICCID
  const receiver = await Receiver.open(stage)
  const settings = { 'outgoing-webhook': { url: receiver.url } }
  const adapter = { type: 'outgoing-webhook', name: 'soak', settings }
  await ask(stage, 'POST', `${project}/services`, { IoTPlatform: adapter })
  const { IoTPlatform: adapters } = await ask(stage, 'GET', `${project}/services`)
  const { token } = adapters.find(({ type }: { type: string }) => type === 'websocket')
  const url = `ws://127.0.0.1:${stage.plainPort}/iot/v1/websocket/${token}`
  const payload = [{ tag: '00', type: 'string', value: 'soak' }]
  const socket = await Client.open(stage, url)
  const seen = { webhooks: 0, texts: 0, sent: 0 }
  /** Sent before the check before: by now they have arrived. */
  let due = 0
  return [
    {
      name: 'messages of devices',
      everyMs: 200,
      async work() {
        await operator(stage, 'POST', `/devices/${iccid}/messages`, { payload })
        seen.sent += 1
      },
    },
    {
      name: 'checks that messages arrive',
      everyMs: 10_000,
      async work() {
        // Kept short: an hour of them is not to be kept in memory.
        const [webhooks, texts] = [receiver.received.splice(0), socket.texts.splice(0)]
        seen.webhooks += webhooks.length
        seen.texts += texts.length
        const { sent } = seen
        if (socket.closed !== undefined) throw new Error('the websocket was closed')
        if (seen.webhooks < due) throw new Error(`${seen.webhooks} of ${due} webhooks have arrived`)
        if (seen.texts < due) throw new Error(`the websocket has shown ${seen.texts} of ${due}`)
        due = sent
      },
    },
  ]
}

async function shortMessages(stage: Stage): Promise<Pace> {
  const find = encodeURIComponent(JSON.stringify({ Filter: { 'Provider.Class': 'esme' } }))
  const found = await ask(stage, 'GET', `${CLOUD}/commonserviceitem?${find}`)
  const path = `${CLOUD}/commonserviceitem/${found.CommonServiceItems[0].ID}/esme`
  let number = 0
  return {
    name: 'short messages',
    everyMs: 500,
    async work() {
      const destination = `8190${String(number++ % 1000).padStart(8, '0')}`
      const ESME = { destination, sender: 'soak', otpOperation: 'generate' }
      await ask(stage, 'PUT', `${path}/2fa/otp`, { ESME })
      if (number % 10 === 0) await ask(stage, 'GET', `${path}/logs`)
    },
  }
}

async function delivery(stage: Stage): Promise<Pace[]> {
  const origin = await startOrigin(stage)
  const Domain = 'soak.example.jp'
  await newSite(stage.server, Domain, origin)
  return [
    {
      name: 'requests at the edge',
      everyMs: 25,
      work: () => fetchFromEdge(stage.edgePort, Domain, `/${stage.choices.below(2000)}`),
    },
    {
      name: 'purges',
      everyMs: 5000,
      work: async () => {
        const URL = [`http://${Domain}/${stage.choices.below(2000)}`]
        await ask(stage, 'POST', `${WEBACCEL}/deletecache`, { URL })
      },
    },
  ]
}

function fetchFromEdge(port: number, host: string, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path, headers: { host } }, (response) => {
      const { statusCode } = response
      if (statusCode !== 200) reject(new Error(`the edge answers ${statusCode}`))
      response.resume().once('end', () => resolve())
    })
    outgoing.once('error', reject).end()
  })
}

async function ask({ server }: Stage, method: string, path: string, body?: object) {
  const answer = await server.ask(method, path, { body })
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

async function operator(stage: Stage, method: string, path: string, body?: object) {
  const answer = await stage.server.operator(method, path, stage.token, body)
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

/** Until the signal: one after the other, and never faster than its pace. */
export async function repeat(
  { name, everyMs, work }: Pace,
  signal: AbortSignal,
  note: (name: string, error?: unknown) => void,
): Promise<void> {
  while (!signal.aborted) {
    const began = Date.now()
    await work().then(
      () => note(name),
      (error) => note(name, error),
    )
    await sleep(Math.max(0, everyMs - (Date.now() - began)))
  }
}
