import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Router } from './router.ts'

const routes = new Router<string>()
routes.add('GET', '/', 'root')
routes.add('GET', '/site', 'list')
routes.add('POST', '/site', 'create')
routes.add('GET', '/site/status', 'status')
routes.add('DELETE', '/site/{id}', 'delete')
routes.add('GET', '/site/{id}/log/{day}', 'log')

const find = (method: string, path: string) => routes.find(method, path)?.value

describe('Router', () => {
  test('finds what is written out before what is a parameter', () => {
    assert.equal(find('GET', '/'), 'root')
    assert.equal(find('GET', '/site/status'), 'status')
    assert.equal(find('DELETE', '/site/status'), 'delete')
    assert.deepEqual(routes.find('GET', '/site/status/log/2'), {
      value: 'log',
      params: { id: 'status', day: '2' },
    })
  })

  test('finds nothing for other paths', () => {
    for (const path of [
      '',
      'x',
      '/sites',
      '/site/',
      '/site//log/1',
      '//site',
      '/site/1/log/',
      '*',
    ]) {
      assert.equal(find('GET', path), undefined, path)
    }
  })

  test('finds the same by a way that it has gone before, and what is added to it', () => {
    const own = new Router<string>()
    own.add('GET', '/{zone}/sims/{id}', 'one')
    for (const id of ['1', '2']) {
      const found = { value: 'one', params: { zone: 'a', id } }
      assert.deepEqual(own.find('GET', `/a/sims/${id}`), found)
    }
    own.add('GET', '/a/sims/{name}', 'own')
    own.add('GET', '/{zone}/sims/status', 'status')
    assert.equal(own.find('GET', '/a/sims/1')?.value, 'own')
    assert.equal(own.find('GET', '/b/sims/status')?.value, 'status')
    // Both ways are looked down.
    assert.equal(own.find('GET', '/a/sims/status')?.value, 'own')
  })

  test('decodes what is escaped, and finds nothing for what cannot be', () => {
    assert.equal(routes.find('DELETE', '/%73ite/a%2Fb%20c')?.params.id, 'a/b c')
    assert.equal(find('DELETE', '/site/%zz'), undefined)
    assert.deepEqual(routes.methodsOf('/site/%zz'), [])
  })

  test('takes a parameter of the longest and none that is longer', () => {
    assert.equal(find('DELETE', `/site/${'x'.repeat(200)}`), 'delete')
    assert.equal(find('DELETE', `/site/${'x'.repeat(201)}`), undefined)
    assert.deepEqual(routes.methodsOf(`/site/${'x'.repeat(201)}`), [])
  })

  test('answers HEAD as GET, and tells the methods of a path', () => {
    assert.equal(find('HEAD', '/site'), 'list')
    assert.deepEqual(routes.methodsOf('/site'), ['GET', 'HEAD', 'POST'])
    assert.deepEqual(routes.methodsOf('/site/status'), ['DELETE', 'GET', 'HEAD'])
    assert.deepEqual(routes.methodsOf('/nothing'), [])
  })

  test('refuses what could never be found', () => {
    assert.throws(() => routes.add('GET', '/site', 'again'), /GET \/site is there twice/)
    assert.throws(() => routes.add('GET', '/a.{x}', 'part'), /a parameter is a whole segment/)
  })
})
