import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '../../../kernel/units.ts'
import { DOMAIN, testSite } from '../../../testing/edge-server.ts'
import { makeTls } from '../../../testing/tls-files.ts'
import { Sites } from '../sites.ts'
import { Certificates } from './certificates.ts'

test('one of the local CA is issued again after a day, one of the site is not', async () => {
  const sites = new Sites()
  const { cert: chain, key } = makeTls()
  let issued = 0
  let ageMs = 0
  const local = async () => {
    issued += 1
    return { chain, key }
  }
  const certificates = new Certificates(sites, local, () => () => ageMs)
  sites.replace([testSite(1)])
  const first = await certificates.find(DOMAIN)
  assert.equal(await certificates.find(DOMAIN), first)
  ageMs = DAY_MS + 1
  assert.notEqual(await certificates.find(DOMAIN), first)
  assert.equal(issued, 2)
  sites.replace([testSite(1, { certificate: { id: '1', chain, key } })])
  const own = await certificates.find(DOMAIN)
  assert.equal(await certificates.find(DOMAIN), own)
  assert.equal(issued, 2)
})
