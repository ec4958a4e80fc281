import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { RequestMetrics } from '../http/request-metrics.ts'
import { EVENTS_KEPT, RequestLog } from '../services/control/public.ts'
import { itemsContract } from '../services/items/contract.ts'
import { hear, type Report, Reports } from './reports.ts'

const seen = (serial: string, at = 0) => ({
  serial,
  time: new Date(at),
  method: 'GET',
  path: '/',
  operation: 'itemRead',
  contract: itemsContract.itemRead,
  account: 'acme',
  status: 200,
  durationMs: 1,
  changes: {},
  body: undefined,
  answer: '{}',
})

describe('Reports', () => {
  test('tells of many at once, and of each once', async () => {
    const first = Promise.withResolvers<Report>()
    const sent: Report[] = []
    const reports = new Reports((report, done) => {
      sent.push(report)
      first.resolve(report)
      done()
    })
    reports.metrics.record('itemRead', 200, 2)
    reports.metrics.record('itemRead', 200, 3)
    reports.add(seen('a'))
    reports.add(seen('b'))
    reports.wake('sms')
    reports.wake('sms')
    const { events, counts, wakes } = await first.promise
    assert.deepEqual(serialsOf(events), ['a', 'b'])
    assert.deepEqual(counts, [{ operation: 'itemRead', status: 200, requests: 2, milliseconds: 5 }])
    assert.deepEqual(wakes, ['sms'])
    reports.flush()
    assert.deepEqual([sent[1]?.events, sent[1]?.counts, sent[1]?.wakes], [[], [], []])
  })

  test('keeps no more than the lead would, however long it does not listen', () => {
    const sent: Report[] = []
    const reports = new Reports((report) => sent.push(report))
    for (let n = 0; n <= EVENTS_KEPT; n += 1) reports.add(seen(String(n)))
    reports.flush()
    assert.equal(sent[0]?.events.length, EVENTS_KEPT)
    assert.equal(serialsOf(sent[0]?.events)[0], '1')
  })

  test('tells of every one at once while somebody follows the events', () => {
    const sent: Report[] = []
    const reports = new Reports((report) => sent.push(report))
    reports.add(seen('a'))
    reports.watch(true)
    assert.deepEqual(serialsOf(sent[0]?.events), ['a'])
    reports.watch(true)
    assert.equal(sent.length, 1)
  })
})

function serialsOf(events: Report['events'] = []) {
  return events.map(({ head }) => head.split('\n')[0])
}

describe('hear', () => {
  test('puts what comes late in its place, with the contract that bodies are read by', () => {
    const log = new RequestLog()
    const metrics = new RequestMetrics()
    const woken: string[] = []
    const reports = new Reports((report) =>
      hear(report, { log, metrics, wake: (job) => woken.push(job), signal: () => undefined }),
    )
    log.add(seen('lead 1', 10))
    log.add(seen('lead 2', 30))
    reports.add(seen('front 1', 20))
    reports.add({ ...seen('front 2', 40), changes: { item: 1 } })
    reports.metrics.record('itemRead', 200, 1)
    reports.wake('billing')
    reports.flush()
    assert.deepEqual(
      log.list().map(({ serial }) => serial),
      ['front 2', 'lead 2', 'front 1', 'lead 1'],
    )
    assert.equal(log.get('front 1').contract, itemsContract.itemRead)
    assert.deepEqual(log.get('front 2').changes, { item: 1 })
    assert.deepEqual(woken, ['billing'])
    assert.ok(metrics.lines().some((line) => line.endsWith('status="200"} 1')))
    // Whoever has heard of what the lead did hears of all the rest, in the order of its numbers.
    const text: string = log
      .stream(2, ({ number, kind }) => `${number} ${kind},`)
      .read()
      .toString()
    assert.equal(text.split('\n\n')[1], '3 request,4 request,5 change,')
  })
})
