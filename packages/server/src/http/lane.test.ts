import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Ask, openCloud, search } from '../testing/cloud.ts'
import { RouteTree } from './route-tree.ts'
import { BODY_LIMIT_BYTES } from './server.ts'

const ITEM = { CommonServiceItem: { Name: 'a "b" 日本', Provider: { Class: 'esme' }, Tags: ['x'] } }

/** What clients send, good and bad; each is asked of both ways. */
const REQUESTS: readonly (readonly [method: string, path: string, options?: Ask])[] = [
  ['GET', '/auth-status'],
  ['GET', '/commonserviceitem'],
  ['GET', `/commonserviceitem${search({ Filter: { Name: 'b' }, Sort: ['-Name'], Count: 1 })}`],
  ['GET', '/commonserviceitem?{broken'],
  ['GET', '/commonserviceitem', { headers: { 'x-kumoi-beautify': '1', 'x-beautify': '1' } }],
  ['GET', '/commonserviceitem', { headers: { 'x-request-id': 'mine' } }],
  ['GET', '/commonserviceitem/910000009999', { headers: { 'accept-language': 'ja' } }],
  ['GET', '/commonserviceitem/abc'],
  ['GET', '/commonserviceitem/'],
  ['GET', '/commonserviceitem.json'],
  ['GET', '/nothing'],
  ['HEAD', '/auth-status'],
  ['PATCH', '/commonserviceitem'],
  ['POST', '/commonserviceitem', { body: ITEM }],
  ['POST', '/commonserviceitem', { body: '{"x' }],
  ['POST', '/commonserviceitem', { body: '' }],
  ['POST', '/commonserviceitem', { body: Buffer.from([0x22, 0xff, 0x22]) }],
  ['POST', '/commonserviceitem', { body: 'x'.repeat(BODY_LIMIT_BYTES + 1) }],
  ['POST', '/commonserviceitem', { body: ITEM, token: 'acme-view' }],
  ['GET', '/auth-status', { token: 'acme-token', secret: 'wrong' }],
  ['GET', '/auth-status', { zone: 'xx1a' }],
  ['DELETE', '/commonserviceitem/910000009999'],
]

describe('the express lane', () => {
  test('answers as the framework does', async (t) => {
    const [lane, framework] = [await openCloud(t), await openCloud(t)]
    // A fault that is armed, for another operation, keeps requests off the lane.
    const fault = { operation: 'simReconnect', effect: { status: 503 } }
    assert.equal((await framework.operator('POST', '/faults', { body: fault })).status, 201)
    for (const [method, path, options] of REQUESTS) {
      // The second time the key is known, so that the lane takes it.
      for (const one of [lane, framework]) await one.ask('GET', '/auth-status')
      const shown = async (one: typeof lane) => {
        const { status, headers, text } = await one.ask(method, path, options)
        const withoutSerial = text.replaceAll(/"serial":"[0-9a-f]{32}"/g, '')
        const { 'x-request-id': id, ...rest } = headers
        const names = Object.entries(rest).sort(([a], [b]) => a.localeCompare(b))
        return { status, text: withoutSerial, names, id: String(id).length }
      }
      assert.deepEqual(await shown(lane), await shown(framework), `${method} ${path}`)
    }
  })
})

test('a route is found by its segments, what is written out first', () => {
  const tree = new RouteTree<string>()
  tree.add('GET', '/a/{id}', 'one')
  tree.add('GET', '/a/list', 'list')
  tree.add('GET', '/a/{id}/b', 'inner')
  tree.add('GET', '/a/{file}.txt', 'never: a parameter within a segment')
  assert.deepEqual(tree.find('GET', '/a/7'), { value: 'one', params: { id: '7' } })
  assert.deepEqual(tree.find('GET', '/a/list'), { value: 'list', params: {} })
  assert.deepEqual(tree.find('GET', '/a/list/b'), { value: 'inner', params: { id: 'list' } })
  for (const path of [
    '/a',
    '/a/',
    '/a//b',
    '/a/7/',
    '/a/%37',
    '/a/7.json',
    `/a/${'x'.repeat(201)}`,
  ]) {
    assert.equal(tree.find('GET', path), undefined, path)
  }
  assert.equal(tree.find('PUT', '/a/7'), undefined)
})
