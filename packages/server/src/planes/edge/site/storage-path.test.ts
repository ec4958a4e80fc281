import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { storageTarget } from './storage-path.ts'

test('is the path, as it was sent', () => {
  assert.equal(storageTarget('/a/b%20c.png', false), 'a/b%20c.png')
  assert.equal(storageTarget('/dir/', false), 'dir/')
  assert.equal(storageTarget('//a', false), '/a')
})

test('is the index of a folder where the site says so', () => {
  assert.equal(storageTarget('/', true), 'index.html')
  assert.equal(storageTarget('/dir/', true), 'dir/index.html')
  assert.equal(storageTarget('/dir', true), 'dir')
})

test('is nothing for the bucket itself, which would be listed', () => {
  assert.equal(storageTarget('/', false), undefined)
})

test('never leads out of the bucket', () => {
  const part = fc.constantFrom('..', '.', '%2e', '%2E.', 'a', '/', '\\', '%5c', '%2f', '#', '//')
  const paths = fc.array(part).map((parts) => `/${parts.join('')}`)
  fc.assert(
    fc.property(paths, fc.boolean(), (path, docIndex) => {
      const key = storageTarget(path, docIndex)
      if (key === undefined) return
      const { pathname, search, hash } = new URL(`https://s3.example.jp/bucket/${key}`)
      assert.equal(pathname, `/bucket/${key}`)
      assert.equal(search + hash, '')
    }),
  )
})
