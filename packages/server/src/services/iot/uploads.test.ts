/** Large uploads to the real server as a process of its own. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  createProject,
  type ServerProcess,
  serverFolder,
  startProcess,
} from '../../testing/server-process.ts'

const MIB = 1024 * 1024
const UPLOAD_BYTES = 100_000_000
const GROWTH_BYTES_MAX = 60 * MIB

interface Upload {
  readonly url: string
  readonly token: string
}

async function open(t: TestContext) {
  const folder = serverFolder(t)
  const server = await startProcess(t, folder)
  const project = await createProject(server)
  const path = `/commonserviceitem/${project}/iotplatform/vmgw/files/f`
  const requestUpload = async (): Promise<Upload> => {
    await server.ask('PUT', `${path}/stat`)
    return (await server.ask('PUT', `${path}/upload_request`)).body.IoTPlatform
  }
  const download = async () => {
    const { url } = (await server.ask('GET', `${path}/download`)).body.IoTPlatform
    return fetch(url)
  }
  return { folder, server, requestUpload, download }
}

/** Sends so many bytes of this letter, as a client does that waits when the server does. */
function put({ url, token }: Upload, letter: string, size: number, stopAt = size) {
  const outgoing = request(url, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'multipart/form-data; boundary=b',
    },
  })
  const answer = new Promise<{ status: number; text: string }>((resolve, reject) => {
    outgoing.on('error', reject)
    outgoing.on('response', async (response) => {
      let text = ''
      for await (const chunk of response) text += chunk
      resolve({ status: response.statusCode ?? 0, text })
    })
  })
  answer.catch(() => undefined)
  const write = async (bytes: Buffer | string) => {
    if (!outgoing.write(bytes)) await once(outgoing, 'drain')
  }
  const sent = (async () => {
    await write('--b\r\nContent-Disposition: form-data; name="attachment"\r\n\r\n')
    const chunk = Buffer.alloc(MIB, letter)
    for (let left = stopAt; left > 0; left -= MIB)
      await write(chunk.subarray(0, Math.min(left, MIB)))
    if (stopAt === size) outgoing.end('\r\n--b--\r\n')
  })()
  return { outgoing, answer, sent }
}

function residentBytes({ child }: ServerProcess): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024
}

test('an upload of 100 MB makes the process grow by less than 60 MB, LIMIT-08', async (t) => {
  const { server, requestUpload, download } = await open(t)
  // The first small one brings in what an upload needs at all.
  await put(await requestUpload(), 'x', 1000).answer
  const before = residentBytes(server)
  let highest = before
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      highest = Math.max(highest, residentBytes(server))
      await sleep(5)
    }
  })()
  const { answer } = put(await requestUpload(), 'a', UPLOAD_BYTES)
  const { status, text } = await answer
  isOver = true
  await watching
  assert.equal(status, 202)
  assert.equal(JSON.parse(text).size, UPLOAD_BYTES)
  const growth = Math.round((highest - before) / MIB)
  t.diagnostic(`grew by ${growth} MiB from ${Math.round(before / MIB)} MiB`)
  assert.ok(highest - before < GROWTH_BYTES_MAX, `grew by ${growth} MiB`)
  const hash = createHash('sha256')
  for await (const chunk of (await download()).body ?? []) hash.update(chunk)
  const expected = createHash('sha256').update(Buffer.alloc(UPLOAD_BYTES, 'a')).digest('hex')
  assert.equal(hash.digest('hex'), expected)
})

test('an upload that is broken off leaves the old content and no rubbish', async (t) => {
  const { folder, server, requestUpload, download } = await open(t)
  await put(await requestUpload(), 'o', 5000).answer
  const blobs = join(folder, 'data', 'blobs')
  const { outgoing, sent, answer } = put(await requestUpload(), 'n', 50 * MIB, 20 * MIB)
  await sent
  while (readdirSync(join(blobs, 'unfinished')).length === 0) await sleep(5)
  outgoing.destroy()
  await assert.rejects(answer)
  while (readdirSync(join(blobs, 'unfinished')).length > 0) await sleep(5)
  assert.equal(readdirSync(join(blobs, 'content')).length, 1)
  assert.equal(await (await download()).text(), 'o'.repeat(5000))
  // Somebody who goes away is no fault of ours.
  assert.ok(!server.log().includes('server fault'))
})

test('a server that is killed during an upload keeps the old content and sweeps the rest', async (t) => {
  const { folder, server, requestUpload } = await open(t)
  await put(await requestUpload(), 'o', 5000).answer
  const { sent } = put(await requestUpload(), 'n', 50 * MIB, 20 * MIB)
  await sent
  server.child.kill('SIGKILL')
  await once(server.child, 'exit')
  await startProcess(t, folder)
  const blobs = join(folder, 'data', 'blobs')
  assert.deepEqual(readdirSync(join(blobs, 'unfinished')), [])
  assert.equal(readdirSync(join(blobs, 'content')).length, 1)
})

test('two uploads at once leave one whole file', async (t) => {
  const { requestUpload, download } = await open(t)
  const size = 20 * MIB
  const requests = [await requestUpload(), await requestUpload()]
  const answers = await Promise.all(
    requests.map((one, index) => put(one, index === 0 ? 'a' : 'b', size).answer),
  )
  assert.deepEqual(
    answers.map(({ status }) => status),
    [202, 202],
  )
  const text = await (await download()).text()
  assert.ok(text === 'a'.repeat(size) || text === 'b'.repeat(size))
})

test('a file that says at once that it is too large is refused at once', async (t) => {
  const { requestUpload } = await open(t)
  const { url, token } = await requestUpload()
  const outgoing = request(url, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': String(302 * MIB),
    },
  })
  outgoing.on('error', () => undefined)
  outgoing.write('--b\r\n')
  const [response] = await once(outgoing, 'response')
  assert.equal(response.statusCode, 413)
  outgoing.destroy()
})
