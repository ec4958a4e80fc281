/** Calls every operation of the interface that takes or gives a secret, and remembers the secrets. */
import type { TestContext } from 'node:test'
import { slices } from '../contracts.ts'
import { entryShapes, isSecret, memberShapes, type Shape, shapesOf } from '../kernel/shapes.ts'
import { ReportTokens } from '../services/sms/public.ts'
import { makeCertificate } from './certificates.ts'
import {
  type Answer,
  basic,
  ENCRYPTION_KEYS,
  OPERATOR_TOKEN,
  openCloud,
  search,
  type TestCloud,
} from './cloud.ts'
import { formOf } from './forms.ts'
import { gatewayDraft } from './gateways.ts'
import { draft, iccidOf } from './sims.ts'
import { BUCKET, DRAFT } from './webaccel.ts'

/** Shorter ones could be part of something else. */
const SHORTEST = 6

type Call = (
  operation: string,
  path: string,
  more?: { body?: unknown; headers?: Record<string, string> },
) => Promise<Answer>

export async function callWithSecrets(t: TestContext) {
  const lines: string[] = []
  const cloud = await openCloud(t, { logTo: (line) => lines.push(line) })
  const events = await follow(t, cloud)
  const called = new Set<string>()
  const values = new Map<string, string>()
  const call: Call = async (name, path, { body, headers = {} } = {}) => {
    const slice = slices.find(({ contract }) => name in contract)
    const operation = slice?.contract[name]
    if (slice === undefined || operation === undefined) throw new Error(`There is no ${name}.`)
    const base = slice.family.root
      ? slice.family.base
      : `/cloud${slice.family.base.replace('{zone}', 'is1a')}`
    const answer = await cloud.inject(operation.method, `${base}${path}`, {
      body,
      headers: { authorization: basic('acme-token'), ...headers },
    })
    if (answer.status >= 300) throw new Error(`${name}: ${answer.text}`)
    called.add(name)
    const found = [
      ...secretsIn(body, shapesOf(operation.body)),
      ...secretsIn(answer.body, shapesOf(operation.reply)),
    ]
    for (const value of found.flatMap(withToken)) {
      if (value.length >= SHORTEST) values.set(value, name)
    }
    return answer
  }
  await cloud.operator('POST', '/world', {
    body: {
      version: 1,
      sim_cards: [{ iccid_from: iccidOf(0), count: 9, passcode: 'passcode{n}' }],
    },
  })
  await callItems(call, cloud)
  await callProject(call, cloud)
  await callGateway(call)
  await callSites(call)
  return { called, values, everywhere: () => look(cloud, events, lines) }
}

async function callItems(call: Call, { ask }: TestCloud): Promise<void> {
  for (const [n, name] of ['itemCreate', 'itemCreateByPut'].entries()) {
    const { CommonServiceItem } = draft(n + 1)
    const Remark = { PassCode: `passcode${n + 1}` }
    await call(name, '/commonserviceitem', {
      body: { CommonServiceItem: { ...CommonServiceItem, Remark } },
    })
  }
  const body = { CommonServiceItem: { Name: 'sms', Provider: { Class: 'esme' } } }
  const { ID } = (await call('itemCreate', '/commonserviceitem', { body })).body.CommonServiceItem
  const path = `/commonserviceitem/${ID}/esme`
  const ESME = { destination: '819012345678', sender: 'A' }
  await call('smsSendGenerated', `${path}/2fa/otp`, {
    body: { ESME: { ...ESME, otpOperation: 'generate' } },
  })
  const given = { ...ESME, otpOperation: 'input', otp: 'GivenOtp9' }
  const sent = await call('smsSendGiven', `${path}/2fa`, { body: { ESME: given } })
  const token = new ReportTokens(ENCRYPTION_KEYS).sign(sent.body.ESME.messageId)
  await call('kannelReportReceive', `/kannel/${token}?report=1-x`)
  await call('smsLogList', `${path}/logs`)
  // It is refused, and kept all the same.
  await ask('GET', `${path}/logs${search({ Filter: { otp: 'GivenOtp9' } })}`)
}

async function callProject(call: Call, { operator, inject }: TestCloud): Promise<void> {
  const body = { CommonServiceItem: { Name: 'project', Provider: { Class: 'iotplatform' } } }
  const { ID } = (await call('itemCreate', '/commonserviceitem', { body })).body.CommonServiceItem
  const path = `/commonserviceitem/${ID}/iotplatform/vmgw`
  const make = async (type: string, settings: object) => {
    const IoTPlatform = { type, name: type, settings: { [type]: settings } }
    return (await call('adapterCreate', `${path}/services`, { body: { IoTPlatform } })).body
  }
  const socket = await make('websocket', {})
  const incoming = await make('incoming-webhook', {})
  await make('outgoing-webhook', {
    secret: 'OutgoingSecret1',
    url: 'https://hook.example.jp/SecretHookPath',
  })
  await call('adapterList', `${path}/services`)
  // Wrong ways to the same addresses.
  for (const { IoTPlatform } of [socket, incoming]) {
    const { pathname } = new URL(IoTPlatform.url)
    for (const method of ['GET', 'DELETE']) await inject(method, `${pathname}/x`)
    for (const method of ['GET', 'DELETE']) await inject(method, pathname)
  }
  const sim = await call('itemList', `/commonserviceitem${search({ Filter: { Name: '1' } })}`)
  const simId = sim.body.CommonServiceItems[0].ID
  await call('simActivate', `/commonserviceitem/${simId}/sim/activate`)
  await call('projectSimConnect', `${path}/sims/${simId}`)
  const link = await call('projectSimIpSet', `${path}/sims/${simId}/ip`)
  await operator('POST', `/devices/${iccidOf(1)}/secret`)
  await call('incomingWebhookCall', `/incoming/${incoming.IoTPlatform.token}`, {
    body: {
      ...{ device_id: link.body.IoTPlatform.device_id, type: 'object' },
      payload: [{ tag: '01', type: 'int8', value: 1 }],
    },
  })
  await callFiles(call, path)
}

async function callFiles(call: Call, path: string): Promise<void> {
  await call('fileStat', `${path}/files/f1/stat`)
  const upload = (await call('fileUploadRequest', `${path}/files/f1/upload_request`)).body
  const { url, token } = upload.IoTPlatform
  const { headers, body } = formOf('content')
  await call('fileContentPut', new URL(url).pathname.replace('/v1', ''), {
    body,
    headers: { ...headers, authorization: `Bearer ${token}` },
  })
  const download = (await call('fileDownload', `${path}/files/f1/download`)).body.IoTPlatform.url
  await call('fileContentGet', new URL(download).pathname.replace('/v1', ''))
}

async function callGateway(call: Call): Promise<void> {
  const made = await call('gatewayCreate', '/appliance', { body: gatewayDraft('gw') })
  const path = `/appliance/${made.body.Appliance.ID}/mobilegateway/traffic_monitoring`
  const chat_config = { enabled: true, chat_url: 'https://chat.example.jp/SecretChannel' }
  await call('gatewayTrafficControlUpdate', path, {
    body: { traffic_monitoring_config: { traffic_quota_in_mb: 1, chat_config } },
  })
  await call('gatewayTrafficControlRead', path)
}

async function callSites(call: Call): Promise<void> {
  const secrets = { OnetimeURLSecrets: ['OnetimeSecretA', 'OnetimeSecretB'] }
  const { body } = await call('siteCreate', '/site', { body: { Site: { ...DRAFT, ...secrets } } })
  const path = `/site/${body.Site.ID}`
  await call('siteUpdate', path, { body: { Site: { ...BUCKET, ...secrets } } })
  for (const name of ['guardTokenCreate', 'nextGuardTokenCreate']) {
    await call(name, `${path}/origin-guard-token${name.startsWith('next') ? '/next' : ''}`)
  }
  await call('siteRead', path)
  await call('siteList', '/site')
  await call('siteStatusSet', `${path}/status`, { body: { Site: { Status: 'enabled' } } })
  await call('nextGuardTokenDelete', `${path}/origin-guard-token/next`)
  await call('guardTokenDelete', `${path}/origin-guard-token`)
  const place = { Bucket: 'b', Endpoint: 'https://s3.example.jp', Region: 'r', AccessKeyID: 'id' }
  await call('logUploadSet', `${path}/log-upload-config`, {
    body: { SiteLogUploadConfig: { ...place, SecretAccessKey: 'UploadSecret1' } },
  })
  await call('logUploadRead', `${path}/log-upload-config`)
  const { certificate: CertificateChain, key: Key } = makeCertificate()
  for (const name of ['certificateCreate', 'certificateUpdate']) {
    await call(name, `${path}/certificate`, { body: { Certificate: { CertificateChain, Key } } })
  }
  await call('siteDelete', path)
}

/** Everything that an operator can see of the calls. */
async function look({ operator }: TestCloud, events: () => string, lines: readonly string[]) {
  const list = await operator('GET', '/requests')
  const details: string[] = []
  for (const { serial } of list.body.requests) {
    details.push((await operator('GET', `/requests/${serial}`)).text)
  }
  const archive = await operator('GET', '/requests.har')
  const trail = await operator('GET', '/audit')
  return {
    list: list.text,
    details: details.join('\n'),
    archive: archive.text,
    trail: trail.text,
    events: events(),
    log: lines.join(''),
  }
}

async function follow(t: TestContext, { cloud }: TestCloud): Promise<() => string> {
  const port = await cloud.api.listenPlain(0)
  const ending = new AbortController()
  const answer = await fetch(`http://127.0.0.1:${port}/_kumoi/v1/events`, {
    headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
    signal: ending.signal,
  })
  t.after(() => ending.abort())
  let text = ''
  const read = async () => {
    for await (const chunk of answer.body ?? []) text += Buffer.from(chunk).toString()
  }
  read().catch(() => undefined)
  return () => text
}

function secretsIn(value: unknown, shapes: readonly Shape[]): string[] {
  if (typeof value === 'string') return shapes.some(isSecret) ? [value] : []
  if (Array.isArray(value)) return value.flatMap((entry) => secretsIn(entry, entryShapes(shapes)))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    secretsIn(inner, memberShapes(shapes, name)),
  )
}

/** An address is as secret as the token at its end; of a key, a line is looked for. */
function withToken(secret: string): string[] {
  if (secret.startsWith('-----')) return [secret.split('\n')[1] ?? '']
  return [secret, secret.split('/').at(-1) ?? '']
}
