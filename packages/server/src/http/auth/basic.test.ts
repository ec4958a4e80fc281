import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Caller } from '../../kernel/caller.ts'
import { Unauthorized } from '../../kernel/errors.ts'
import { parseId } from '../../kernel/ids.ts'
import { BasicAuthenticator, parseBasic } from './basic.ts'

const header = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

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
    )
    return { basic, state }
  }

  test('verifies a header once, and again when it has expired', async () => {
    const { basic, state } = open()
    for (let call = 0; call < 3; call += 1)
      assert.equal(await basic.authenticate(header('t:s')), caller)
    assert.equal(state.calls, 1)
    state.now = 5000
    await basic.authenticate(header('t:s'))
    assert.equal(state.calls, 2)
  })

  test('refuses a wrong secret also while the right one is kept', async () => {
    const { basic } = open()
    await basic.authenticate(header('t:s'))
    for (const wrong of ['t:x', 't:', 't:ss', 'u:s']) {
      await assert.rejects(basic.authenticate(header(wrong)), Unauthorized)
    }
    await assert.rejects(basic.authenticate(undefined), /An API key is needed/)
    await assert.rejects(basic.authenticate('Bearer x'), /not valid Basic/)
  })

  test('forgets at once when keys change, also while one is being verified', async () => {
    const { basic, state } = open()
    await basic.authenticate(header('t:s'))
    state.secret = 'new'
    basic.forget()
    await assert.rejects(basic.authenticate(header('t:s')), Unauthorized)
    const slow = basic.authenticate(header('t:new'))
    basic.forget()
    await slow
    state.secret = 'newer'
    await assert.rejects(basic.authenticate(header('t:new')), Unauthorized)
  })
})
