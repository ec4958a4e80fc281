/** Each action of the console's tables, tried in each state on a real server. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { IoTPlatform, Message, Notice, Site, Webhook } from '@kumoi/client'
import { makePair } from '../acceptance/console/certificates.ts'
import { type MailServer, openMailServer } from '../acceptance/mail-server.ts'
import { type Answer, CLOUD, type ServerProcess, start } from '../acceptance/server.ts'
import { billAllowed } from '../packages/console/src/pages/billing/allowed.ts'
import { stateOf } from '../packages/console/src/pages/billing/bills.ts'
import { gatewayReason } from '../packages/console/src/pages/gateways/allowed.ts'
import {
  projectAllowed,
  simAllowed,
  webhookAllowed,
} from '../packages/console/src/pages/iot/allowed.ts'
import { clockReason, noticeReason } from '../packages/console/src/pages/operator/allowed.ts'
import { type SimState, simReason } from '../packages/console/src/pages/sims/allowed.ts'
import { smsAllowed } from '../packages/console/src/pages/sms/allowed.ts'
import type { Sms } from '../packages/console/src/pages/sms/messages.ts'
import { siteAllowed } from '../packages/console/src/pages/webaccel/allowed.ts'
import { hold } from './lib/held.ts'

const folder = mkdtempSync(join(tmpdir(), 'kumoi-allowed-'))
let server: ServerProcess
let token = ''
let mail: MailServer

before(async () => {
  const clock = ['--clock', `frozen@${new Date().toISOString()}`, '--provisioning-seconds', '5']
  mail = await openMailServer()
  const sender = ['--smtp-url', mail.url, '--mail-from', 'noreply@example.jp']
  server = await start(folder, [...clock, '--private-targets', 'allow', ...sender])
  token = readFileSync(join(folder, 'operator.token'), 'utf8').trim()
})
after(async () => {
  await server.stop()
  await mail.close()
  rmSync(folder, { recursive: true, force: true })
})

const ITEMS = `${CLOUD}/commonserviceitem`
const GATEWAYS = `${CLOUD}/appliance`
const ask = (method: string, path: string, body?: unknown) => server.ask(method, path, { body })
const operate = (method: string, path: string, body?: unknown) =>
  server.operator(method, path, token, body)

async function made(answer: Promise<Answer>) {
  const { status, body } = await answer
  assert.ok(status < 300, `${status} ${body.error_msg}`)
  return body
}

let cards = 10

async function newSim(): Promise<string> {
  cards += 1
  const item = {
    ...{ Name: `sim ${cards}`, Provider: { Class: 'sim' } },
    ...{ Status: { ICCID: `89810400000000010${cards}` }, Remark: { PassCode: `demo${cards}` } },
  }
  return String((await made(ask('POST', ITEMS, { CommonServiceItem: item }))).CommonServiceItem.ID)
}

describe('what the console lets be done is what the server lets be done:', () => {
  // First: one that is ahead of the machine's, as the others leave it, cannot be real again.
  test('to the clock', async () => {
    const set = (mode: string) =>
      operate('PUT', '/clock', mode === 'scaled' ? { mode, scale: 1 } : { mode })
    const actions = {
      freeze: () => set('frozen'),
      makeReal: () => set('real'),
      advance: () => operate('POST', '/clock/advance', { by: '0.001s' }),
    } as const
    for (const mode of ['real', 'scaled', 'frozen']) {
      for (const name of ['advance', 'freeze', 'makeReal'] as const) {
        await made(set(mode))
        await hold({
          title: `${name} when ${mode}`,
          read: async () => ({ mode: String((await made(operate('GET', '/clock'))).mode) }),
          reason: (state) => clockReason(name, state),
          act: actions[name],
        })
      }
    }
    await made(set('frozen'))
  })

  test('to SIMs', async () => {
    const { Appliances } = await made(ask('GET', GATEWAYS))
    const gateway = `${GATEWAYS}/${Appliances[0].ID}/mobilegateway/sims`
    const sim = (id: string, verb: string) => `${ITEMS}/${id}/sim/${verb}`
    const actions = {
      activate: (id: string) => ask('PUT', sim(id, 'activate')),
      deactivate: (id: string) => ask('PUT', sim(id, 'deactivate')),
      reconnect: (id: string) => ask('PUT', sim(id, 'reconnect')),
      setIp: (id: string) => ask('PUT', sim(id, 'ip'), { sim: { ip: `192.168.9.${cards}` } }),
      clearIp: (id: string) => ask('DELETE', sim(id, 'ip')),
      unlock: (id: string) => ask('DELETE', sim(id, 'imeilock')),
      leaveGateway: (id: string) => ask('DELETE', `${gateway}/${id}`),
      joinGateway: (id: string) => ask('POST', gateway, { sim: { resource_id: id } }),
    } as const
    const lock = (id: string) =>
      ask('PUT', sim(id, 'imeilock'), { sim: { imei: '350000000000001' } })
    const attach = async () =>
      operate('POST', `/devices/89810400000000010${cards}/attach`, {
        ...{ imei: '350000000000001', carrier: 'carrier-a' },
      })
    const { activate, joinGateway, setIp } = actions
    const states: readonly (readonly ((id: string) => Promise<Answer>)[])[] = [
      [],
      [activate],
      [lock],
      [joinGateway],
      [activate, joinGateway, setIp],
      [activate, joinGateway, lock, attach],
    ]
    const names = Object.keys(actions) as (keyof typeof actions)[]
    for (const [at, steps] of states.entries()) {
      for (const name of names) {
        const id = await newSim()
        for (const step of steps) await made(step(id))
        await hold<SimState>({
          title: `${name} in state ${at}`,
          read: async () => (await made(ask('GET', sim(id, 'status')))).sim,
          reason: (state) => simReason(name, state),
          act: () => actions[name](id),
        })
        await made(ask('DELETE', `${ITEMS}/${id}`))
      }
    }
  })

  test('to gateways', async () => {
    let lan = ''
    const actions = {
      powerOn: (id: string) => ask('PUT', `${GATEWAYS}/${id}/power`),
      powerOff: (id: string) => ask('DELETE', `${GATEWAYS}/${id}/power`),
      restart: (id: string) => ask('PUT', `${GATEWAYS}/${id}/reset`),
      connect: (id: string) => ask('PUT', `${GATEWAYS}/${id}/interface/1/to/switch/${lan}`),
      disconnect: (id: string) => ask('DELETE', `${GATEWAYS}/${id}/interface/1/to/switch`),
    } as const
    const wait = () => operate('POST', '/clock/advance', { by: '6s' })
    const Appliance = {
      ...{ Class: 'mobilegateway', Name: 'gate', Plan: { ID: 2 } },
      Remark: { Servers: [{}], Switch: { Scope: 'shared' } },
    }
    // While it is made it shows no interfaces, so that nobody can see whether it is connected.
    const states = [[], [wait], [wait, actions.powerOff], [wait, actions.connect]] as const
    for (const [at, steps] of states.entries()) {
      for (const name of Object.keys(actions) as (keyof typeof actions)[]) {
        const id = String((await made(ask('POST', GATEWAYS, { Appliance }))).Appliance.ID)
        // One serves one gateway.
        const Switch = { Name: `lan of ${id}` }
        lan = (await made(ask('POST', `${CLOUD}/switch`, { Switch }))).Switch.ID
        for (const step of steps) await made(step(id))
        await hold({
          title: `${name} in state ${at}`,
          read: async () => {
            const { Appliance: shown } = await made(ask('GET', `${GATEWAYS}/${id}`))
            const { Availability, Instance, Interfaces } = shown
            return { Availability, Instance, isConnected: Interfaces[1]?.Switch != null }
          },
          reason: (state) => gatewayReason(name, state),
          act: () => actions[name](id),
        })
      }
    }
  })

  test('to projects and the SIMs in them', async () => {
    const CommonServiceItem = { Name: 'p', Provider: { Class: 'iotplatform' } }
    const newProject = async () =>
      String((await made(ask('POST', ITEMS, { CommonServiceItem }))).CommonServiceItem.ID)
    const adapter = { IoTPlatform: { type: 'websocket', name: 'a' } }
    for (const counts of [
      { sims: 0, adapters: 0 },
      { sims: 1, adapters: 0 },
      { sims: 0, adapters: 1 },
    ]) {
      const id = await newProject()
      const path = `${ITEMS}/${id}/iotplatform/vmgw`
      if (counts.sims > 0) await made(ask('PUT', `${path}/sims/${await newSim()}`))
      if (counts.adapters > 0) await made(ask('POST', `${path}/services`, adapter))
      await hold({
        title: `delete ${JSON.stringify(counts)}`,
        read: async () => counts,
        reason: (state) => projectAllowed('delete', state),
        act: () => ask('DELETE', `${ITEMS}/${id}`),
      })
    }
    for (const hasIp of [false, true]) {
      for (const name of ['setIp', 'releaseIp', 'disconnect'] as const) {
        const [id, sim] = [await newProject(), await newSim()]
        const path = `${ITEMS}/${id}/iotplatform/vmgw/sims`
        await made(ask('PUT', `${path}/${sim}`))
        if (hasIp) await made(ask('PUT', `${path}/${sim}/ip`))
        const method = name === 'setIp' ? 'PUT' : 'DELETE'
        await hold<IoTPlatform>({
          title: `${name}, ${hasIp ? 'with' : 'without'} an address`,
          read: async () => (await made(ask('GET', path))).IoTPlatform[0],
          reason: (state) => simAllowed(name, state),
          act: () => ask(method, name === 'disconnect' ? `${path}/${sim}` : `${path}/${sim}/ip`),
        })
      }
    }
  })

  test('to webhooks', async () => {
    const statuses = { waiting: 500, delivered: 200, dead: 410 } as const
    for (const [wanted, status] of Object.entries(statuses)) {
      const receiver = createServer((request, response) => {
        request.resume().once('end', () => response.writeHead(status).end())
      })
      await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
      const named = encodeURIComponent(JSON.stringify({ Filter: { Name: 'sensors' } }))
      const project = (await made(ask('GET', `${ITEMS}?${named}`))).CommonServiceItems[0].ID
      const { port } = receiver.address() as AddressInfo
      const settings = { 'outgoing-webhook': { url: `http://127.0.0.1:${port}/` } }
      const services = `${ITEMS}/${project}/iotplatform/vmgw/services`
      const IoTPlatform = { type: 'outgoing-webhook', name: wanted, settings }
      const adapter = (await made(ask('POST', services, { IoTPlatform }))).IoTPlatform.id
      const payload = [{ tag: '01', type: 'bool', value: true }]
      await made(operate('POST', '/devices/8981040000000001003/messages', { payload }))
      const read = async (): Promise<Webhook> => {
        const { webhooks } = await made(operate('GET', '/outbox/webhooks'))
        return webhooks.find(({ service_id }: Webhook) => service_id === adapter)
      }
      while ((await read()).attempts === 0) await new Promise((next) => setTimeout(next, 50))
      assert.equal((await read()).status, wanted)
      const { id } = await read()
      await hold({
        title: `redeliver when ${wanted}`,
        read,
        reason: (state) => webhookAllowed('redeliver', state),
        act: () => operate('POST', `/outbox/webhooks/${id}/redeliver`),
      })
      await made(ask('DELETE', `${services}/${adapter}`))
      receiver.close()
    }
  })

  test('to notices', async () => {
    const { Appliances } = await made(ask('GET', GATEWAYS))
    const { ID } = Appliances.find(({ Name }: { Name: string }) => Name === 'meters')
    const pass = async (traffic_quota_in_mb: number) => {
      const channels = {
        email_config: { enabled: true },
        chat_config: { enabled: true, chat_url: 'https://127.0.0.1:9/' },
      }
      const limits = { traffic_quota_in_mb, auto_traffic_shaping: false }
      const traffic_monitoring_config = { ...limits, ...channels }
      const path = `${GATEWAYS}/${ID}/mobilegateway/traffic_monitoring`
      await made(ask('PUT', path, { traffic_monitoring_config }))
      await operate('POST', '/clock/advance', { by: '1s' })
    }
    const contact = (email: string | undefined) =>
      made(operate('PUT', '/accounts/demo', { contact: email === undefined ? null : { email } }))
    await contact(undefined)
    await pass(2)
    await contact('owner@example.jp')
    // One that is not passed, so that the next one is news.
    await pass(1_000_000)
    await pass(1)
    const list = async (): Promise<Notice[]> =>
      (await made(operate('GET', '/outbox/notices'))).notices
    const states = (await list()).map(({ channel, status }) => `${channel} ${status}`)
    assert.deepEqual(states.sort(), ['chat waiting', 'chat waiting', 'email kept', 'email sent'])
    for (const { id } of await list()) {
      for (const hasContact of [false, true]) {
        await contact(hasContact ? 'owner@example.jp' : undefined)
        await hold({
          title: `resend notice ${id}`,
          read: async () => {
            const found = (await list()).find((one) => one.id === id)
            assert.ok(found)
            return { ...found, sendsMail: true, hasContact }
          },
          reason: (state) => noticeReason('resend', state),
          act: () => operate('POST', `/outbox/notices/${id}/resend`),
        })
      }
    }
    await contact(undefined)
  })

  test('to short messages', async () => {
    await made(operate('POST', '/world', { version: 1, settings: { sms_network: 'hold' } }))
    for (const [at, first] of ['', 'deliver', 'fail'].entries()) {
      for (const verb of ['deliver', 'fail']) {
        const destination = `8190123456${at}${verb.length}`
        const ESME = { destination, sender: 'A', otpOperation: 'generate' }
        await made(ask('PUT', `${ITEMS}/900000099201/esme/2fa/otp`, { ESME }))
        await operate('POST', '/clock/advance', { by: '1s' })
        const read = async (): Promise<Sms & Message> => {
          const { messages } = await made(operate('GET', '/outbox/sms'))
          return messages.find((one: Message) => one.destination === destination)
        }
        const act = (what: string, id: string) => operate('POST', `/outbox/sms/${id}/${what}`)
        const id = (await read()).messageId
        if (first !== '') await made(act(first, id))
        await hold({
          title: `${verb} after ${first || 'nothing'}`,
          read,
          reason: (state) => smsAllowed('report', state),
          act: () => act(verb, id),
        })
      }
    }
  })

  test('to bills', async () => {
    for (const isPaid of [false, true]) {
      for (const [name, method] of [
        ['pay', 'PUT'],
        ['unpay', 'DELETE'],
      ] as const) {
        const path = '/bills/10000003/paid'
        await operate(isPaid ? 'PUT' : 'DELETE', path)
        await hold({
          title: `${name}, ${isPaid ? 'paid' : 'unpaid'}`,
          read: async () => {
            const { body } = await ask('GET', '/cloud/zone/is1a/api/system/1.0/bill/id/10000003')
            return stateOf(body.Bills[0], body.ResponsedAt)
          },
          reason: (state) => billAllowed(name, state),
          act: () => operate(method, path),
        })
      }
    }
  })

  test('to sites', async () => {
    const site = '/cloud/zone/is1a/api/webaccel/1.0/site/900000099101'
    const { certificate, key } = makePair('/CN=www.example.jp')
    const Certificate = { CertificateChain: certificate, Key: key }
    const status = (Status: string) => ask('PUT', `${site}/status`, { Site: { Status } })
    const guard = `${site}/origin-guard-token`
    const actions = {
      enable: () => status('enabled'),
      disable: () => status('disabled'),
      replaceCertificate: () => ask('PUT', `${site}/certificate`, { Certificate }),
      deleteCertificate: () => ask('DELETE', `${site}/certificate`),
      deleteToken: () => ask('DELETE', guard),
      deleteNext: () => ask('DELETE', `${guard}/next`),
      disableAuto: () => ask('DELETE', `${site}/auto-cert-update`),
      enableAuto: () => ask('POST', `${site}/auto-cert-update`, { Type: 'letsencrypt' }),
    } as const
    /** When no certificate is under way. */
    const settled = async (): Promise<Site> => {
      const { Site } = await made(ask('GET', site))
      if (Site.CertOpStatus !== '1') return Site
      await new Promise((next) => setTimeout(next, 50))
      return settled()
    }
    const fill = async () => {
      await made(ask('POST', `${site}/certificate`, { Certificate }))
      await made(ask('POST', guard))
      await made(ask('POST', `${guard}/next`))
    }
    for (const prepare of [async () => undefined, fill]) {
      for (const name of Object.keys(actions) as (keyof typeof actions)[]) {
        await prepare()
        // Twice: in the state that is there, and in the one that the first has left.
        for (const round of ['first', 'second']) {
          await hold<Site>({
            title: `${name}, ${round}`,
            read: settled,
            reason: (state) => siteAllowed(name, state),
            act: actions[name],
          })
        }
      }
    }
  })
})
