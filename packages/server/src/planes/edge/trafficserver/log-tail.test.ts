import assert from 'node:assert/strict'
import { appendFileSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { parseLine } from './access-lines.ts'
import { LogTail } from './log-tail.ts'

function open(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'kumoi-tail-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'access.log')
  return {
    file,
    tail: new LogTail(folder, 'access.log'),
    write: (text: string) => appendFileSync(file, text),
  }
}

describe('the log of Traffic Server', () => {
  test('is read by whole lines, each once', async (t) => {
    const { tail, write } = open(t)
    write('one\ntwo\nthr')
    const first = await tail.read('')
    assert.deepEqual(first.lines, ['one', 'two'])
    assert.deepEqual((await tail.read(first.position)).lines, [])
    write('ee\n')
    assert.deepEqual((await tail.read(first.position)).lines, ['three'])
  })

  test('is read on where it ended after it was rolled, and then in the next file', async (t) => {
    const { file, tail, write } = open(t)
    write('one\n')
    const first = await tail.read('')
    write('two\n')
    const rolled = `${file}_host.1-2.old`
    renameSync(file, rolled)
    const second = await tail.read(first.position)
    assert.deepEqual(second.lines, ['two'])
    await tail.forget(second.position)
    assert.ok(existsSync(rolled), 'it may still be written to')
    write('three\n')
    const third = await tail.read(second.position)
    assert.deepEqual(third.lines, ['three'])
    await tail.forget(third.position)
    assert.ok(!existsSync(rolled))
    assert.deepEqual((await tail.read(third.position)).lines, [])
  })

  test('says of a request whose it was and whether it was a hit', () => {
    const fields = {
      ...{ site: '123', cache: '-', host: 'www.example.jp', time: '1794999935.532', ms: '18' },
      ...{
        address: '192.0.2.1',
        method: 'GET',
        target: '/a"b',
        version: 'HTTP/1.1',
        status: '200',
      },
      ...{ bytes: '215', code: 'TCP_MEM_HIT', referer: '-', agent: 'curl' },
    }
    const entry = {
      ...{ address: '192.0.2.1', time: new Date(1794999935532), method: 'GET', target: '/a"b' },
      ...{ httpVersion: '1.1', status: 200, bytes: 215, referer: undefined, userAgent: 'curl' },
      ...{ cacheStatus: 'hit', host: 'www.example.jp', durationMs: 18 },
    }
    const line = (change: object) => JSON.stringify({ ...fields, ...change })
    assert.deepEqual(parseLine(line({})), { siteId: '123', isHit: true, entry })
    assert.equal(parseLine(line({ code: 'TCP_MISS' }))?.isHit, false)
    assert.equal(parseLine(line({ cache: 'none' }))?.entry.cacheStatus, 'none')
    assert.equal(parseLine(line({ site: '-' }))?.siteId, undefined)
    assert.equal(parseLine(line({}).slice(0, -5)), undefined)
  })
})
