import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { HOUR_MS } from '../../kernel/units.ts'
import { engines } from '../../testing/engines.ts'
import { formOf } from '../../testing/forms.ts'
import { openIot, type TestIot } from '../../testing/iot.ts'

type Upload = { url: string; token: string }

async function openFiles(t: Parameters<typeof openIot>[0], options: Parameters<typeof openIot>[1]) {
  const iot = await openIot(t, options)
  const project = await iot.createProject()
  return { ...iot, project, ...helpers(iot, project) }
}

function helpers({ vmgw, inject }: TestIot, project: string) {
  const requestUpload = async (file: string): Promise<Upload> => {
    await vmgw('PUT', project, `/files/${file}/stat`)
    return (await vmgw('PUT', project, `/files/${file}/upload_request`)).body.IoTPlatform
  }
  const upload = ({ url, token }: Upload, content: Buffer | string, type?: string) => {
    const { headers, body } = formOf(content, type)
    const authorization = `Bearer ${token}`
    return inject('PUT', new URL(url).pathname, { headers: { ...headers, authorization }, body })
  }
  const address = async (file: string): Promise<string> => {
    const { body } = await vmgw('GET', project, `/files/${file}/download`)
    return new URL(body.IoTPlatform.url).pathname
  }
  return { requestUpload, upload, address }
}

for (const engine of engines) {
  describe(`files on ${engine.name}`, () => {
    test('PUT stat makes an entry of size 0, and again reads it, STATE-FILE-01', async (t) => {
      const { ask, vmgw, project, clock } = await openFiles(t, { engine })
      const { Status } = (await ask('GET', `/commonserviceitem/${project}`)).body.CommonServiceItem
      const made = await vmgw('PUT', project, '/files/config.bin/stat')
      assert.equal(made.status, 200)
      assert.deepEqual(made.body, {
        IoTPlatform: {
          name: 'config.bin',
          vmgw: Status.mgw_id,
          mime_type: '',
          size: 0,
          created_at: '2026-03-31T15:00:00.000000Z',
          updated_at: '2026-03-31T15:00:00.000000Z',
        },
        is_ok: true,
      })
      await clock.advanceTo(new Date(clock.now().getTime() + 5000))
      assert.deepEqual((await vmgw('PUT', project, '/files/config.bin/stat')).body, made.body)
      assert.equal((await vmgw('GET', project, '/files/config.bin/download')).status, 404)
    })

    test('come back with a snapshot, and what was uploaded since is gone', async (t) => {
      const { inject, vmgw, operator, project, requestUpload, upload, address } = await openFiles(
        t,
        { engine },
      )
      const content = async (file: string) => (await inject('GET', await address(file))).text
      await upload(await requestUpload('a.txt'), 'first')
      assert.equal((await operator('POST', '/snapshots', { body: { name: 'one' } })).status, 201)
      await upload(await requestUpload('a.txt'), 'second')
      await upload(await requestUpload('b.txt'), 'later')
      assert.equal(await content('a.txt'), 'second')
      const { text } = await operator('GET', '/snapshots/one/file')
      await operator('POST', '/snapshots/one/load')
      assert.equal(await content('a.txt'), 'first')
      assert.equal((await vmgw('GET', project, '/files/b.txt/download')).status, 404)

      const other = await openIot(t, { engine })
      await other.operator('POST', '/snapshots/one/file', { body: text })
      await other.operator('POST', '/snapshots/one/load')
      const elsewhere = await other.vmgw('GET', project, '/files/a.txt/download')
      const { pathname } = new URL(elsewhere.body.IoTPlatform.url)
      assert.equal((await other.inject('GET', pathname)).text, 'first')
    })

    test('an upload answers 202 with the bare file object, and download gives it back, STATE-FILE-02', async (t) => {
      const { inject, vmgw, project, requestUpload, upload, address } = await openFiles(t, {
        engine,
      })
      const request = await requestUpload('a.txt')
      assert.equal(request.url, `http://localhost/v1/projects/${project}/files/a.txt/upload/`)
      const { status, body } = await upload(request, 'hello world', 'text/plain')
      assert.equal(status, 202)
      const stat = (await vmgw('PUT', project, '/files/a.txt/stat')).body.IoTPlatform
      assert.deepEqual(body, stat)
      assert.deepEqual([body.size, body.mime_type], [11, 'text/plain'])
      const { IoTPlatform } = (await vmgw('GET', project, '/files/a.txt/download')).body
      assert.deepEqual(Object.keys(IoTPlatform), ['name', 'vmgw', 'mime_type', 'url', 'size'])
      const got = await inject('GET', await address('a.txt'))
      assert.equal(got.status, 200)
      assert.equal(got.text, 'hello world')
      assert.equal(got.headers['content-type'], 'text/plain')
      assert.equal(got.headers['content-length'], '11')
      assert.equal(got.headers['x-content-type-options'], 'nosniff')
      assert.equal(got.headers['content-disposition'], 'attachment; filename="a.txt"')
    })

    test('a download gives one range of the bytes', async (t) => {
      const { inject, requestUpload, upload, address } = await openFiles(t, { engine })
      await upload(await requestUpload('a'), '0123456789')
      const get = async (range: string, more = {}) =>
        inject('GET', await address('a'), { headers: { range, ...more } })
      for (const [range, text, shown] of [
        ['bytes=0-3', '0123', '0-3'],
        ['bytes=8-', '89', '8-9'],
        ['bytes=-3', '789', '7-9'],
        ['bytes=5-500', '56789', '5-9'],
      ] as const) {
        const got = await get(range)
        assert.deepEqual([got.status, got.text], [206, text])
        assert.equal(got.headers['content-range'], `bytes ${shown}/10`)
        assert.equal(got.headers['content-length'], String(text.length))
      }
      const past = await get('bytes=10-')
      assert.deepEqual([past.status, past.headers['content-range']], [416, 'bytes */10'])
      for (const range of ['bytes=3-1', 'bytes=0-1,3-4', 'lines=1-2', 'bytes=-']) {
        assert.equal((await get(range)).status, 200, range)
      }
      assert.equal((await get('bytes=0-3', { 'if-range': '"other"' })).status, 200)
    })

    test('the type is told from the content, else from the sender, else it is none in particular', async (t) => {
      const { requestUpload, upload } = await openFiles(t, { engine })
      const typeOf = async (content: Buffer | string, said?: string) =>
        (await upload(await requestUpload('a'), content, said)).body.mime_type
      assert.equal(
        await typeOf(Buffer.from('89504e470d0a1a0a00', 'hex'), 'text/plain'),
        'image/png',
      )
      assert.equal(await typeOf('%PDF-1.7', undefined), 'application/pdf')
      assert.equal(await typeOf('{}', 'application/json'), 'application/json')
      assert.equal(await typeOf('x', undefined), 'application/octet-stream')
      assert.equal(await typeOf('x', 'not a type'), 'application/octet-stream')
    })

    test('a second upload replaces the first, and the old content is swept', async (t) => {
      const { inject, clock, requestUpload, upload, address, blobs } = await openFiles(t, {
        engine,
      })
      await upload(await requestUpload('a'), 'old')
      const before = await address('a')
      await upload(await requestUpload('a'), 'new content')
      assert.equal((await inject('GET', before)).text, 'new content')
      assert.equal((await blobs.list()).length, 2)
      await clock.advanceTo(new Date(clock.now().getTime() + 2 * HOUR_MS))
      assert.equal((await blobs.list()).length, 1)
      assert.equal((await inject('GET', await address('a'))).text, 'new content')
    })

    test('a token is for one upload of one file within the hour', async (t) => {
      const { inject, clock, requestUpload, upload } = await openFiles(t, { engine })
      const [first, second] = [await requestUpload('a'), await requestUpload('b')]
      assert.equal((await upload({ ...first, url: second.url }, 'x')).status, 401)
      assert.equal((await upload({ ...first, token: 'wrong' }, 'x')).status, 401)
      assert.equal((await inject('PUT', new URL(first.url).pathname)).status, 401)
      assert.equal((await upload(first, 'x')).status, 202)
      assert.equal((await upload(first, 'y')).status, 401)
      await clock.advanceTo(new Date(clock.now().getTime() + 3_599_999))
      assert.equal((await upload(second, 'x')).status, 202)
      const third = await requestUpload('c')
      await clock.advanceTo(new Date(clock.now().getTime() + HOUR_MS))
      assert.equal((await upload(third, 'x')).status, 401)
    })

    test('a broken form is 400 and leaves token and content as they were', async (t) => {
      const { inject, requestUpload, upload, address, blobs } = await openFiles(t, { engine })
      await upload(await requestUpload('a'), 'old')
      const request = await requestUpload('a')
      const { headers, body } = formOf('new')
      const authorization = `Bearer ${request.token}`
      const put = (content: Buffer, more = {}) =>
        inject('PUT', new URL(request.url).pathname, {
          headers: { ...headers, authorization, ...more },
          body: content,
        })
      assert.equal((await put(body.subarray(0, body.length - 8))).status, 400)
      assert.equal(
        (await put(Buffer.from('{}'), { 'content-type': 'application/json' })).status,
        400,
      )
      assert.equal((await blobs.list()).length, 1)
      assert.equal((await inject('GET', await address('a'))).text, 'old')
      assert.equal((await upload(request, 'new')).status, 202)
    })

    test('a download address expires after ten minutes, and is for its file alone', async (t) => {
      const { inject, clock, requestUpload, upload, address } = await openFiles(t, { engine })
      await upload(await requestUpload('a'), 'x')
      const path = await address('a')
      const [content, signature] = path.slice('/v1/downloads/'.length).split('.')
      for (const token of [
        `${content}A.${signature}`,
        `${content}.`,
        `${content}`,
        `.${signature}`,
      ]) {
        assert.equal((await inject('GET', `/v1/downloads/${token}`)).status, 401, token)
      }
      await clock.advanceTo(new Date(clock.now().getTime() + 599_999))
      assert.equal((await inject('GET', path)).status, 200)
      await clock.advanceTo(new Date(clock.now().getTime() + 1))
      assert.equal((await inject('GET', path)).status, 403)
    })

    test('file ids have 1 to 32 characters of the allowed set, LIMIT-07', async (t) => {
      const { vmgw, project } = await openFiles(t, { engine })
      const stat = (id: string) => vmgw('PUT', project, `/files/${encodeURIComponent(id)}/stat`)
      for (const id of ['a', '0', 'A_b.c', 'x'.repeat(32), 'a.json']) {
        assert.equal((await stat(id)).status, 200, id)
      }
      for (const id of ['x'.repeat(33), '_a', '.a', 'a-b', 'a b', 'あ', 'a/b']) {
        assert.equal((await stat(id)).status, 400, id)
      }
      for (const verb of ['upload_request', 'download']) {
        const method = verb === 'download' ? 'GET' : 'PUT'
        assert.equal((await vmgw(method, project, `/files/none/${verb}`)).status, 404, verb)
        assert.equal((await vmgw(method, project, `/files/-/${verb}`)).status, 400, verb)
      }
    })

    test("another account's files do not exist; a deleted project takes its files with it", async (t) => {
      const { ask, inject, vmgw, project, clock, blobs, requestUpload, upload, address } =
        await openFiles(t, { engine })
      await upload(await requestUpload('a'), 'x')
      const path = await address('a')
      const theirs = await vmgw('GET', project, '/files/a/download', undefined, 'other-token')
      assert.equal(theirs.status, 404)
      assert.equal(
        (await vmgw('PUT', project, '/files/a/stat', undefined, 'other-token')).status,
        404,
      )
      const request = await requestUpload('a')
      await ask('DELETE', `/commonserviceitem/${project}`)
      assert.equal((await inject('GET', path)).status, 404)
      assert.equal((await upload(request, 'x')).status, 401)
      await clock.advanceTo(new Date(clock.now().getTime() + 2 * HOUR_MS))
      assert.deepEqual(await blobs.list(), [])
    })

    test('two uploads at once leave one whole file', async (t) => {
      const { inject, requestUpload, upload, address } = await openFiles(t, { engine })
      const contents = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(200_000))
      const requests = await Promise.all(contents.map(() => requestUpload('f')))
      const answers = await Promise.all(
        requests.map((request, index) => upload(request, contents[index] ?? '')),
      )
      assert.deepEqual(
        answers.map(({ status }) => status),
        [202, 202, 202, 202],
      )
      assert.ok(contents.includes((await inject('GET', await address('f'))).text))
    })
  })
}
