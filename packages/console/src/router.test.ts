import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hrefOf, matchPath, parseRoute } from './router.ts'

describe('routes', () => {
  test('are read from what follows the # and written back', () => {
    const route = parseRoute('#/sims/1?tab=traffic&q=a%26b')
    assert.deepEqual(route, { path: '/sims/1', query: { tab: 'traffic', q: 'a&b' } })
    assert.equal(hrefOf(route.path, route.query), '#/sims/1?tab=traffic&q=a%26b')
    assert.equal(hrefOf('/sims', { q: '' }), '#/sims')
  })

  test('that are none lead to the beginning', () => {
    for (const hash of ['', '#', '#operator=x']) assert.equal(parseRoute(hash).path, '/')
  })

  test('give the values of the names in a pattern', () => {
    assert.deepEqual(matchPath('/sims/{id}', '/sims/a%2Fb'), { id: 'a/b' })
    assert.equal(matchPath('/sims/{id}', '/sims'), undefined)
    assert.equal(matchPath('/sims/{id}', '/gateways/1'), undefined)
  })
})
