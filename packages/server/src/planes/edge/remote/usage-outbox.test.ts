import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import type { EdgeUsage } from '../../../services/webaccel/public.ts'
import { sumOf, UsageOutbox } from './usage-outbox.ts'

const usage = (siteId: string, accessCount: number, hour = '2026-04-01T00:00:00Z'): EdgeUsage => ({
  ...{ siteId, hour, accessCount },
  ...{ hitCount: 1, bytesSent: accessCount * 100, cacheMissBytesSent: accessCount },
})

/** As the server does it: a sequence that was taken adds nothing. */
class Receiver {
  total = 0
  #last = 0

  take(sequence: number, all: readonly EdgeUsage[]): void {
    if (sequence <= this.#last) return
    this.#last = sequence
    for (const { accessCount } of all) this.total += accessCount
  }
}

describe('the outbox of usage', () => {
  let folder = ''
  let made = 0
  const newFile = () => {
    made += 1
    return join(folder, `usage-${made}.json`)
  }
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'kumoi-outbox-'))
  })
  after(() => rmSync(folder, { recursive: true }))

  test('adds up what waits by site and hour', () => {
    const other = usage('1', 5, '2026-04-01T01:00:00Z')
    assert.deepEqual(sumOf([usage('1', 1), usage('2', 2), usage('1', 3), other]), [
      { ...usage('1', 4), hitCount: 2 },
      usage('2', 2),
      other,
    ])
  })

  test('sends what failed again under its sequence with the same content, then what came since', async () => {
    const outbox = await UsageOutbox.open(newFile())
    const sent: [number, number][] = []
    let isAway = true
    const send = async (sequence: number, all: readonly EdgeUsage[]) => {
      sent.push([sequence, all[0]?.accessCount ?? 0])
      if (isAway) throw new Error('away')
    }
    await outbox.add([usage('1', 3)])
    await assert.rejects(outbox.deliver(send), /away/)
    await outbox.add([usage('1', 4)])
    await outbox.add([usage('1', 5)])
    isAway = false
    await outbox.deliver(send)
    await outbox.deliver(send)
    assert.deepEqual(sent, [
      [1, 3],
      [1, 3],
      [2, 9],
    ])
    assert.equal(outbox.isEmpty, true)
  })

  test('has nothing left on the disk when all was taken', async () => {
    const file = newFile()
    const outbox = await UsageOutbox.open(file)
    await outbox.add([usage('1', 3)])
    await outbox.deliver(async () => undefined)
    assert.equal((await UsageOutbox.open(file)).isEmpty, true)
  })

  test('keeps the position of the source with the usage', async () => {
    const file = newFile()
    await (await UsageOutbox.open(file)).add([usage('1', 1)], '17:400')
    assert.equal((await UsageOutbox.open(file)).position, '17:400')
  })

  test('counts everything once whatever is lost and whenever the process ends', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('add' as const), count: fc.integer({ min: 1, max: 9 }) }),
      fc.record({
        kind: fc.constant('deliver' as const),
        fate: fc.constantFrom('taken', 'lost', 'answer lost'),
      }),
      fc.record({ kind: fc.constant('crash' as const) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const file = newFile()
        const receiver = new Receiver()
        let outbox = await UsageOutbox.open(file)
        let added = 0
        for (const one of steps) {
          if (one.kind === 'crash') outbox = await UsageOutbox.open(file)
          else if (one.kind === 'add') {
            await outbox.add([usage('1', one.count)])
            added += one.count
          } else {
            const delivery = outbox.deliver(async (sequence, all) => {
              if (one.fate !== 'lost') receiver.take(sequence, all)
              if (one.fate !== 'taken') throw new Error(one.fate)
            })
            await delivery.catch(() => undefined)
          }
        }
        outbox = await UsageOutbox.open(file)
        await outbox.deliver(async (sequence, all) => receiver.take(sequence, all))
        assert.equal(receiver.total, added)
      }),
      { numRuns: 60 },
    )
  })
})
