/** What tests and operators do to every operation holds for those with tokens of their own, too. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { formOf } from '../../testing/forms.ts'
import { openIot } from '../../testing/iot.ts'
import { iccidOf } from '../../testing/sims.ts'

describe('the inspector and faults', () => {
  test('tokens, secrets and addresses that carry them are hidden in what is kept', async (t) => {
    const { inject, operator, vmgw, createProject, createAdapter } = await openIot(t)
    const project = await createProject()
    const own = { url: 'https://hooks.example.jp/SecretPath', secret: 'S3cretS3cret' }
    const outgoing = await createAdapter(project, 'outgoing-webhook', own)
    const incoming = await createAdapter(project, 'incoming-webhook')
    await inject('POST', new URL(incoming.url).pathname, { body: { payload: [] } })
    await vmgw('GET', project, '/services')
    await vmgw('PUT', project, '/files/f/stat')
    const upload = (await vmgw('PUT', project, '/files/f/upload_request')).body.IoTPlatform
    const { headers, body } = formOf('FileContent')
    const authorization = `Bearer ${upload.token}`
    await inject('PUT', new URL(upload.url).pathname, {
      headers: { ...headers, authorization },
      body,
    })
    const download = (await vmgw('GET', project, '/files/f/download')).body.IoTPlatform
    await inject('GET', new URL(download.url).pathname)
    const { text: list } = await operator('GET', '/requests')
    const { text: archive } = await operator('GET', '/requests.har')
    const operations = JSON.parse(list).requests.map((one: { operation: string }) => one.operation)
    for (const name of ['fileContentPut', 'fileContentGet', 'incomingWebhookCall']) {
      assert.ok(operations.includes(name), name)
    }
    const secrets = [
      ...[outgoing.token, incoming.token, upload.token, 'SecretPath', 'S3cretS3cret'],
      ...[download.url.split('/').at(-1), 'FileContent'],
    ]
    for (const secret of secrets) assert.ok(!`${list}${archive}`.includes(secret), secret)
  })

  test('a fault can be ordered for an operation of a device', async (t) => {
    const { inject, operator, createProject, createSim, connect } = await openIot(t)
    await connect(await createProject(), await createSim(1))
    const { secret } = (await operator('POST', `/devices/${iccidOf(1)}/secret`)).body
    const effect = { status: 503 }
    const order = { operation: 'deviceMessageSend', times: 1, effect }
    assert.equal((await operator('POST', '/faults', { body: order })).status, 201)
    const send = () =>
      inject('POST', '/iot/v1/messages', {
        headers: { authorization: `Bearer ${secret}` },
        body: { payload: [{ tag: '00', type: 'bool', value: true }] },
      })
    assert.equal((await send()).status, 503)
    assert.equal((await send()).status, 202)
  })
})
