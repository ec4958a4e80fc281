/** Runs under Jest and under Vitest, which both have these as globals. */
import { cloudForEach } from 'kumoi/testing'

const cloud = cloudForEach({ beforeEach, afterEach })
const headers = { authorization: `Basic ${btoa('demo-token:demo-secret')}` }
const SWITCHES = '/cloud/zone/is1a/api/cloud/1.1/switch'

test('what one test makes', async () => {
  const body = JSON.stringify({ Switch: { Name: 'lan' } })
  const made = await cloud.current.fetch(SWITCHES, { method: 'POST', headers, body })
  expect(made.status).toBe(201)
})

test('the next one does not see', async () => {
  const answer = await cloud.current.fetch(SWITCHES, { headers })
  expect((await answer.json()).Total).toBe(0)
})
