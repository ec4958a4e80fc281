import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitPem } from './pem.ts'

const block = (content: string) => `-----BEGIN CERTIFICATE-----${content}-----END CERTIFICATE-----`

test('finds the certificates in their order, and what is around them', () => {
  const text = `a\n${block('\nAB+/=\n')}\nb${block('CD')}c`
  assert.deepEqual(splitPem(text), {
    blocks: [block('\nAB+/=\n'), block('CD')],
    rest: 'a\n\nbc',
  })
})

test('takes no block that is broken, and leaves it in the rest', () => {
  for (const broken of [block(''), block('A-B'), '-----BEGIN CERTIFICATE-----AB', 'AB']) {
    assert.deepEqual(splitPem(broken), { blocks: [], rest: broken })
  }
})
