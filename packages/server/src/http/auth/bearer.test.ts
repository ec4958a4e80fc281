import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Forbidden, Unauthorized } from '../../kernel/errors.ts'
import { checkBearer, checkSite } from './bearer.ts'

describe('checkBearer', () => {
  test('lets the token in and nothing else', () => {
    checkBearer('Bearer secret', 'secret')
    checkBearer('bearer  secret ', 'secret')
    for (const header of [undefined, '', 'Bearer', 'Bearer x', 'Bearer secretx', 'Basic secret']) {
      assert.throws(() => checkBearer(header, 'secret'), Unauthorized)
    }
  })
})

describe('checkSite', () => {
  const isOwn = (name: string) => name === 'cloud.example.jp'

  test('lets in addresses, localhost and own names', () => {
    for (const host of [
      '127.0.0.1:8443',
      '[::1]:8443',
      'localhost',
      'LOCALHOST:1',
      'api.localhost:8443',
      '10.0.0.1',
      'cloud.example.jp:443',
    ]) {
      checkSite({ host }, isOwn)
      checkSite({ host, origin: `https://${host}` }, isOwn)
    }
  })

  test('refuses names that anybody could point here, and other sites', () => {
    for (const host of [
      undefined,
      '',
      'evil.example',
      'localhost.evil.example',
      'bad host',
      'evil@localhost',
      'notlocalhost',
    ]) {
      assert.throws(() => checkSite({ host }, isOwn), Forbidden, host)
    }
    for (const origin of ['https://evil.example', 'null', 'https://localhost:1', '']) {
      assert.throws(() => checkSite({ host: 'localhost:8443', origin }, isOwn), Forbidden, origin)
    }
  })
})
