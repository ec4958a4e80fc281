import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Caller } from '../../kernel/caller.ts'
import { TooManyRequests, Unauthorized } from '../../kernel/errors.ts'
import { parseId } from '../../kernel/ids.ts'
import { BasicAuthenticator, parseBasic } from './basic.ts'
import { Throttle, WRONG_BY_NAME_MAX } from './throttle.ts'

const header = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

const FROM = { clientAddress: '192.0.2.1' }

const accountId = parseId<'account'>('900000000001')
assert.ok(accountId)
const caller: Caller = {
  accountId,
  accountCode: 'acme',
  token: 't',
  permission: 'view',
  external: [],
}

describe('parseBasic', () => {
  test('reads token and secret, which may hold colons and any letters', () => {
    assert.deepEqual(parseBasic(header('t:s')), { token: 't', secret: 's' })
    assert.deepEqual(parseBasic(header('t:a:b')), { token: 't', secret: 'a:b' })
    assert.deepEqual(parseBasic(header('t:秘密')), { token: 't', secret: '秘密' })
    assert.deepEqual(parseBasic(header('t:').replace('Basic', 'bAsIc')), { token: 't', secret: '' })
  })

  test('finds nothing in other headers', () => {
    for (const other of [
      '',
      'Basic',
      'Basic !!!',
      header('no-colon'),
      'Bearer x',
      'Digest username="x"',
    ]) {
      assert.equal(parseBasic(other), undefined, other)
    }
  })
})

describe('BasicAuthenticator', () => {
  const open = () => {
    const state = { now: 0, calls: 0, secret: 's' }
    const basic = new BasicAuthenticator(
      async ({ token, secret }) => {
        state.calls += 1
        return token === 't' && secret === state.secret ? caller : undefined
      },
      () => new Date(state.now),
      new Throttle({ now: () => new Date(state.now) }, () => undefined),
    )
    return { basic, state }
  }

  test('verifies a header once, and again when it has expired', async () => {
    const { basic, state } = open()
    for (let call = 0; call < 3; call += 1)
      assert.equal(await basic.authenticate(header('t:s'), FROM), caller)
    assert.equal(state.calls, 1)
    state.now = 5000
    await basic.authenticate(header('t:s'), FROM)
    assert.equal(state.calls, 2)
  })

  test('refuses a wrong secret also while the right one is kept', async () => {
    const { basic } = open()
    await basic.authenticate(header('t:s'), FROM)
    for (const wrong of ['t:x', 't:', 't:ss', 'u:s']) {
      await assert.rejects(basic.authenticate(header(wrong), FROM), Unauthorized)
    }
    await assert.rejects(basic.authenticate(undefined, FROM), /An API key is needed/)
    await assert.rejects(basic.authenticate('Bearer x', FROM), /not valid Basic/)
  })

  test('throttles the right secret also while it is kept for somebody else', async () => {
    const { basic, state } = open()
    const elsewhere = { clientAddress: '192.0.2.2' }
    await basic.authenticate(header('t:s'), elsewhere)
    for (let at = 0; at < WRONG_BY_NAME_MAX; at += 1) {
      await assert.rejects(basic.authenticate(header('t:x'), FROM), Unauthorized)
    }
    await assert.rejects(basic.authenticate(header('t:s'), FROM), TooManyRequests)
    assert.throws(() => basic.verified(header('t:s'), FROM), TooManyRequests)
    assert.equal(basic.verified(header('t:s'), elsewhere), caller)
    assert.equal(state.calls, 1 + WRONG_BY_NAME_MAX)
  })

  test('forgets at once when keys change, also while one is being verified', async () => {
    const { basic, state } = open()
    await basic.authenticate(header('t:s'), FROM)
    state.secret = 'new'
    basic.forget()
    await assert.rejects(basic.authenticate(header('t:s'), FROM), Unauthorized)
    const slow = basic.authenticate(header('t:new'), FROM)
    basic.forget()
    await slow
    state.secret = 'newer'
    await assert.rejects(basic.authenticate(header('t:new'), FROM), Unauthorized)
  })
})
