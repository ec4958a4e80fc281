/**
 * The ways on which nobody shows a key: websockets, devices, incoming webhooks, uploads, the console. Two accounts have
 * the same things; the owner uses its own, and the other one's must not get any of it, nor open the owner's.
 */
import { basic } from '../../packages/server/src/testing/cloud.ts'
import { iccidOf, draft as simDraft } from '../../packages/server/src/testing/sims.ts'
import { Client } from '../../packages/server/src/testing/websocket-client.ts'
import { toWire } from '../../tools/fuzz/call.ts'
import { isSuccess } from '../../tools/fuzz/oracle.ts'
import { callOf, type Draft, learn, Pool, step } from '../../tools/fuzz/step.ts'
import type { Outcome, Target } from '../../tools/fuzz/target.ts'

const BOUNDARY = 'b'
const form = (text: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="attachment"\r\n\r\n${text}\r\n--${BOUNDARY}--\r\n`

export interface WithoutKeys {
  readonly checks: number
  readonly violations: readonly string[]
}

type Named = Map<string, string>

/** A test confuses what both have once it is there, by `prepared`. */
export async function tryWithoutKeys(
  target: Target,
  prepared: (owner: Named, other: Named) => void = () => {},
): Promise<WithoutKeys> {
  const violations: string[] = []
  let checks = 0
  const check = (isRight: boolean, what: string) => {
    checks += 1
    if (!isRight) violations.push(`On ${target.engine} ${what}`)
  }
  const ends: (() => void)[] = []
  const after = { after: (end: () => unknown) => ends.push(() => void end()) }
  const owner = await Account.open(target, 'acme-create-all', 21)
  const other = await Account.open(target, 'other-create-all', 22)
  prepared(owner.named, other.named)
  const [owners, others] = [await owner.listen(after), await other.listen(after)]

  await owner.sendMessage('of-the-owner')
  await owners.got(1)
  // What would have come by mistake has come before it.
  await other.sendMessage('of-the-other')
  await others.got(1)
  check(owners.texts.join().includes('of-the-owner'), 'the owner reads no message of its own.')
  check(
    !others.texts.join().includes('of-the-owner'),
    "a websocket gets another account's message.",
  )
  check(
    !owners.texts.join().includes('of-the-other'),
    "a websocket gets another account's message.",
  )

  const called = await other.call(owner.webhookTo(owner.get('device'), 'to-the-device'))
  check(isSuccess(called), "the owner's webhook does not reach its device.")
  const crossed = await other.call(other.webhookTo(owner.get('device'), 'crossed'))
  check(isRefused(crossed), `a webhook reaches another account's device: ${crossed.status}`)
  const fetched = await other.fetchMessages()
  check(isSuccess(fetched), 'a device cannot fetch its messages.')
  check(!fetched.text.includes('to-the-device'), "a device fetches another's messages.")
  const own = await owner.fetchMessages()
  check(own.text.includes('to-the-device'), 'the device of the owner does not get its message.')
  check(!own.text.includes('crossed'), "a device gets what another account's webhook sent.")

  const written = await other.upload(owner.get('project'), 'stolen')
  check(isRefused(written), `an upload token writes another account's file: ${written.status}`)
  check(isSuccess(await other.upload(other.get('project'), 'own')), 'the upload does not work.')
  check(isSuccess(await owner.upload(owner.get('project'), 'own')), 'the upload does not work.')

  const page = await (await fetch(`${target.origin}/console/`)).text()
  const isShown = [...owner.named.values()].some((value) => page.includes(value))
  check(!isShown, 'the console shows something of an account without a key.')
  for (const end of ends) end()
  return { checks, violations }
}

function isRefused({ status }: Outcome): boolean {
  return [400, 401, 403, 404].includes(status)
}

/** A project with a device, a websocket, an incoming webhook and a file to come. */
class Account {
  readonly #target: Target
  readonly #authorization: string
  readonly #pool = new Pool()

  private constructor(target: Target, key: string) {
    this.#target = target
    this.#authorization = basic(key)
  }

  static async open(target: Target, key: string, n: number): Promise<Account> {
    const account = new Account(target, key)
    const id = 'CommonServiceItem.ID'
    const project = { CommonServiceItem: { Name: 'p', Provider: { Class: 'iotplatform' } } }
    await account.#take('itemCreate', { body: project }, { project: id })
    await account.#take('itemCreate', { body: simDraft(n) }, { sim: id })
    const params = { project_id: account.get('project'), sim_id: account.get('sim') }
    await account.#take('simActivate', { params })
    await account.#take('projectSimConnect', { params })
    await account.#take('projectSimIpSet', { params }, { device: 'IoTPlatform.device_id' })
    for (const type of ['websocket', 'incoming-webhook']) {
      const body = { IoTPlatform: { type, name: type, settings: { [type]: {} } } }
      await account.#take('adapterCreate', { params, body }, { [type]: 'IoTPlatform.token' })
    }
    const file = { params: { ...params, file_id: 'a.txt' } }
    await account.#take('fileStat', file)
    await account.#take('fileUploadRequest', file, { upload: 'IoTPlatform.token' })
    await account.#take(
      'deviceSecretCreate',
      { params: { iccid: iccidOf(n) } },
      { secret: 'secret' },
    )
    return account
  }

  get named(): Named {
    return this.#pool.named
  }

  get(name: string): string {
    return this.#pool.get(name)
  }

  listen(t: Parameters<typeof Client.open>[0]): Promise<Client> {
    const address = this.#target.origin.replace('http', 'ws')
    return Client.open(t, `${address}/iot/v1/websocket/${this.get('websocket')}`)
  }

  async sendMessage(value: string): Promise<void> {
    const sent = await this.call({
      name: 'deviceMessageSend',
      draft: { headers: this.#device(), body: { payload: payloadOf(value) } },
    })
    if (!isSuccess(sent)) throw new Error(sent.text)
  }

  fetchMessages(): Promise<Outcome> {
    return this.call({ name: 'deviceMessageFetch', draft: { headers: this.#device() } })
  }

  webhookTo(device: string, value: string): Sending {
    const params = { token: this.get('incoming-webhook') }
    const body = { device_id: device, payload: payloadOf(value) }
    return { name: 'incomingWebhookCall', draft: { params, body } }
  }

  upload(project: string, text: string): Promise<Outcome> {
    const headers = {
      authorization: `Bearer ${this.get('upload')}`,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
    }
    const params = { project_id: project, file_id: 'a.txt' }
    return this.call({ name: 'fileContentPut', draft: { params, headers, text: form(text) } })
  }

  call({ name, draft }: Sending): Promise<Outcome> {
    return this.#target.send(toWire(callOf(step(name, draft), this.#pool)))
  }

  async #take(name: string, draft: Draft, keep: Record<string, string> = {}): Promise<void> {
    const isOperators = name === 'deviceSecretCreate'
    const headers = isOperators ? {} : { authorization: this.#authorization }
    const outcome = await this.call({ name, draft: { headers, ...draft } })
    if (!isSuccess(outcome)) throw new Error(`${name}: ${outcome.text}`)
    learn(step(name, {}, keep), JSON.parse(outcome.text), this.#pool)
  }

  #device(): Record<string, string> {
    return { authorization: `Bearer ${this.get('secret')}` }
  }
}

interface Sending {
  readonly name: string
  readonly draft: Draft
}

function payloadOf(value: string) {
  return [{ tag: '00', type: 'string', value }]
}
