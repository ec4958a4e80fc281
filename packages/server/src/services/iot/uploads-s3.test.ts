/** Contents of files in an S3-shaped service, by settings alone. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { formOf } from '../../testing/forms.ts'
import { S3_KEYS, S3Server } from '../../testing/s3-server.ts'
import { createProject, serverFolder, startProcess } from '../../testing/server-process.ts'

const MIB = 1024 * 1024

test('a server that is told of a bucket keeps contents there, in parts where they are large', async (t) => {
  const s3 = await S3Server.open(t)
  const folder = serverFolder(t)
  const server = await startProcess(t, folder, [
    ...['--data', join(folder, 'data'), '--s3-endpoint', s3.url, '--s3-bucket', 'bucket'],
    ...['--s3-access-key', S3_KEYS.accessKey, '--s3-secret-key', S3_KEYS.secretKey],
    ...['--s3-region', S3_KEYS.region],
  ])
  const path = `/commonserviceitem/${await createProject(server)}/iotplatform/vmgw/files/f`
  await server.ask('PUT', `${path}/stat`)
  const content = Buffer.alloc(20 * MIB, 'kumoi')
  const { url, token } = (await server.ask('PUT', `${path}/upload_request`)).body.IoTPlatform
  const { headers, body } = formOf(content)
  const answer = await fetch(url, {
    method: 'PUT',
    headers: { ...headers, authorization: `Bearer ${token}` },
    body: new Uint8Array(body),
  })
  assert.equal(answer.status, 202)
  assert.deepEqual([...s3.objects.values()][0], content)
  const download = (await server.ask('GET', `${path}/download`)).body.IoTPlatform
  const whole = await fetch(download.url)
  assert.deepEqual(Buffer.from(await whole.arrayBuffer()), content)
  const part = await fetch(download.url, { headers: { range: 'bytes=5-9' } })
  assert.deepEqual([part.status, await part.text()], [206, 'kumoi'])
})
