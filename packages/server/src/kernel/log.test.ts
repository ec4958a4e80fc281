import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { LOG_LEVELS, type LogLevel, newLog } from './log.ts'

const NOW = new Date('2026-04-01T00:00:00Z')

function open(level: LogLevel) {
  const written: [string, boolean][] = []
  const log = newLog(level, () => NOW, { write: (text, atOnce) => written.push([text, atOnce]) })
  return { log, written }
}

describe('the log', () => {
  test('writes an error with its cause as one line, at once', () => {
    const { log, written } = open('info')
    const err = Object.assign(new Error('a\nb', { cause: 'why' }), { code: 'E1' })
    log.error({ job: 'x', err }, 'job failed')
    const [[text, atOnce] = ['', false]] = written
    assert.ok(atOnce)
    assert.match(text, /^[^\n]*\n$/)
    const { stack, ...told } = JSON.parse(text).err
    assert.deepEqual(told, { type: 'Error', message: 'a\nb', code: 'E1', cause: 'why' })
    assert.match(stack, /log\.test\.ts/)
    assert.deepEqual(
      { ...JSON.parse(text), err: 0 },
      {
        ...{
          level: 'error',
          time: '2026-04-01T00:00:00.000Z',
          job: 'x',
          err: 0,
          msg: 'job failed',
        },
      },
    )
  })

  test('lets lines of requests wait, and says whether they are wanted', () => {
    const { log, written } = open('info')
    log.line('{}\n')
    assert.deepEqual(written, [['{}\n', false]])
    const wanted = LOG_LEVELS.map((level) => open(level).log.hasRequests)
    assert.deepEqual(wanted, [true, false, false])
  })

  test('has no level at which nothing is logged but silent', () => {
    const isLogged = LOG_LEVELS.map((level) => {
      const { log, written } = open(level)
      log.error({ err: new Error('x') }, 'x')
      return written.length > 0
    })
    assert.deepEqual(isLogged, [true, true, false])
    assert.deepEqual([...LOG_LEVELS].sort(), ['error', 'info', 'silent'])
  })

  test('is silent when it is told to be', () => {
    const { log, written } = open('silent')
    log.error({ err: new Error('x') }, 'x')
    assert.deepEqual(written, [])
  })
})
