/** A second factor by short message: the right code, a wrong one, and a message that never arrives. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Client, RefusalError } from '@kumoi/client'
import { cloudFor } from 'kumoi/testing'

/** What is tested: in your project it is a file of its own. */
class SecondFactor {
  readonly #client: Client
  readonly #serviceId: string
  readonly #codes = new Map<string, string>()

  constructor(client: Client, serviceId: string) {
    this.#client = client
    this.#serviceId = serviceId
  }

  async begin(phone: string): Promise<void> {
    const { ESME } = await this.#client.orThrow.smsSendGenerated({
      params: { sms_id: this.#serviceId },
      body: { ESME: { destination: phone, sender: 'Acme', otpOperation: 'generate' } },
    })
    this.#codes.set(phone, ESME.otp)
  }

  /** A code counts once. */
  check(phone: string, code: string): boolean {
    const isRight = this.#codes.get(phone) === code
    if (isRight) this.#codes.delete(phone)
    return isRight
  }

  /** What the page shows while the user waits. */
  async progress(phone: string): Promise<'sent' | 'arrived' | 'failed'> {
    const { ESME } = await this.#client.orThrow.smsLogList({
      params: { sms_id: this.#serviceId },
      search: { Filter: { destination: [phone] }, Count: 1 },
    })
    const status = ESME.logs[0]?.status
    if (status === 'Failed') return 'failed'
    return status === 'Delivered' ? 'arrived' : 'sent'
  }
}

const world = {
  version: 1,
  accounts: [
    {
      code: 'acme',
      name: 'Acme',
      keys: [{ token: 'shop', secret: 'shop-secret', permission: 'create' }],
    },
  ],
  sms: [{ account: 'acme', CommonServiceItem: { ID: '900000000101', Name: 'login codes' } }],
}
const PHONE = '819012345678'
/** The network reports a failure for this number, always. */
const UNREACHABLE = '819000000002'

test('the code of the message is accepted, once', async (t) => {
  const cloud = await cloudFor(t, { world })
  const factor = new SecondFactor(cloud.client, '900000000101')
  await factor.begin(PHONE)
  const { otp, text } = await cloud.sms.waitFor({ destination: PHONE })
  assert.match(text, /Acme/)
  const wrong = otp === '000000' ? '111111' : '000000'
  assert.equal(factor.check(PHONE, wrong), false)
  assert.equal(factor.check(PHONE, otp), true)
  assert.equal(factor.check(PHONE, otp), false)
})

test('the page shows whether the message has arrived', async (t) => {
  const cloud = await cloudFor(t, { world })
  const factor = new SecondFactor(cloud.client, '900000000101')
  await factor.begin(PHONE)
  await factor.begin(UNREACHABLE)
  assert.equal(await factor.progress(PHONE), 'sent')

  // The network takes two seconds, which nobody waits for.
  await cloud.clock.advance({ seconds: 2 })
  await cloud.sms.waitFor({ destination: PHONE, status: 'Delivered' })
  assert.equal(await factor.progress(PHONE), 'arrived')
  assert.equal(await factor.progress(UNREACHABLE), 'failed')
})

test('nothing is kept when the message could not be sent', async (t) => {
  const cloud = await cloudFor(t, { world })
  const factor = new SecondFactor(cloud.client, '900000000101')
  await cloud.faults.add({ operation: 'smsSendGenerated', times: 1, effect: { status: 503 } })
  await assert.rejects(factor.begin(PHONE), RefusalError)
  assert.equal(factor.check(PHONE, ''), false)
  await factor.begin(PHONE)
  await cloud.sms.waitFor({ destination: PHONE })
})
