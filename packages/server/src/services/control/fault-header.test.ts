import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openCloud } from '../../testing/cloud.ts'

const draft = { CommonServiceItem: { Name: 'x', Provider: { Class: 'esme' } } }

describe('the fault header', () => {
  const order = (value: object) => ({ 'x-kumoi-fault': JSON.stringify(value) })

  test('gives one request the outcome that it asks for, before or after its change', async (t) => {
    const { ask } = await openCloud(t, { args: ['--fault-header'] })
    const count = async () => (await ask('GET', '/commonserviceitem')).body.Total
    const before = await ask('POST', '/commonserviceitem', {
      body: draft,
      headers: order({ effect: { status: 503 } }),
    })
    assert.deepEqual([before.status, before.body.error_code], [503, 'service_unavailable'])
    assert.equal(await count(), 0)
    const after = await ask('POST', '/commonserviceitem', {
      body: draft,
      headers: order({ phase: 'after', effect: { status: 429, retry_after_seconds: 7 } }),
    })
    assert.deepEqual([after.status, after.headers['retry-after']], [429, '7'])
    assert.equal(await count(), 1, 'the change is there, only the answer was lost')
  })

  test('answers 400 and says what is wrong with it', async (t) => {
    const { ask } = await openCloud(t, { args: ['--fault-header'] })
    const refused = async (header: string) => {
      const answer = await ask('GET', '/auth-status', { headers: { 'x-kumoi-fault': header } })
      assert.equal(answer.status, 400)
      return answer.body.error_msg
    }
    assert.match(await refused('{'), /x-kumoi-fault is not valid JSON/)
    assert.match(await refused('{}'), /x-kumoi-fault: effect is missing/)
    assert.match(await refused('{"effect":{"status":200}}'), /x-kumoi-fault: effect/)
    assert.match(
      await refused('{"phase":"before","effect":{"truncate_bytes":1}}'),
      /phase must be after/,
    )
  })

  test('is noise where the setting does not allow it', async (t) => {
    const { ask } = await openCloud(t)
    const headers = order({ effect: { status: 503 } })
    assert.equal((await ask('GET', '/auth-status', { headers })).status, 200)
  })
})
