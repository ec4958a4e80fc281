import assert from 'node:assert/strict'
import { test } from 'node:test'
import { probeText, withAddress } from './probe.ts'

const ANSWER = {
  ...{ ID: '1', Name: 'tokyo', Engine: 'embedded', Action: 'hit', Status: 200 },
  Steps: [
    { Name: 'Host', Result: 'passed' },
    { Name: 'Cache', Result: 'fresh' },
  ],
  Objects: [
    {
      ...{ Status: 200, Variant: { 'accept-encoding': 'gzip' }, Bytes: 5, Tier: 'memory' },
      ...{ StoredAt: '2026-04-01T09:00:00+09:00', FreshUntil: '2026-04-01T09:10:00+09:00' },
    },
  ],
}

test('a probe is shown edge by edge, with what was checked and what is stored', () => {
  const silent = { ...ANSWER, Name: 'osaka', Action: null, Steps: [], Objects: [] }
  assert.equal(
    probeText({ Probe: { URL: '', Edges: [ANSWER, silent] } }, true),
    [
      'tokyo (embedded) would answer from its cache (200):',
      '  Host   passed',
      '  Cache  fresh',
      '  stored 200, 5 bytes in memory, since 2026-04-01 00:00:00Z, fresh until 2026-04-01 00:10:00Z, for accept-encoding: gzip',
      '',
      'osaka (embedded) did not answer.',
      '',
    ].join('\n'),
  )
  assert.match(probeText({ Probe: { URL: '', Edges: [] } }, true) ?? '', /no edge/)
})

test('an address stands for the site of its host', () => {
  const url = 'https://www.example.jp/a?b'
  const asked = withAddress({ operation: 'siteProbe' }, [url], {})
  assert.deepEqual(asked, { given: ['www.example.jp'], options: { url } })
  const named = { given: ['docs'], options: { url } }
  assert.deepEqual(withAddress({ operation: 'siteProbe' }, ['docs'], { url }), named)
  assert.deepEqual(withAddress({ operation: 'siteRead' }, [url], {}), { given: [url], options: {} })
})
