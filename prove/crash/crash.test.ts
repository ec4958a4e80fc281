import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import type { Outcome } from '../../tools/fuzz/target.ts'
import { Counters } from './counters.ts'
import { crash } from './crash.ts'
import { type Kind, Ledger } from './ledger.ts'
import { Load } from './load.ts'
import { makeFolder, packPrograms, startServer, worldOf } from './server.ts'

function newFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'kumoi-prove-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('kills of servers under load lose nothing that was answered, and leave nothing in part', async (t) => {
  const options = { seed: 1, size: 'sample', folder: newFolder(t), log: () => undefined } as const
  const { figures, violations } = await crash.run(options)
  assert.deepEqual(violations, [])
  for (const { name, value } of figures) {
    t.diagnostic(`${name}: ${value}`)
    // What a few kills may not meet.
    if (!/during a|unknown|deliveries/.test(name)) assert.ok(Number(value) > 0, name)
  }
})

test('writes that a server has answered and lost are found', async (t) => {
  const folder = makeFolder(newFolder(t))
  const program = join(await packPrograms(folder), 'server.cjs')
  const data = join(folder, 'data')
  const first = startServer({ program, folder, args: worldOf(folder) })
  await first.ready
  const counters = await Counters.open(first.call)
  t.after(() => counters.close())
  await first.kill('SIGTERM')
  cpSync(data, `${data}.old`, { recursive: true })
  const second = startServer({ program, folder })
  await second.ready
  const ledger = new Ledger()
  const load = new Load(ledger, counters, 1)
  const running = load.begin(() => second.call)
  await load.untilAnswered(50)
  await second.kill()
  await running.end()
  // As from a backup that is older than what was answered.
  rmSync(data, { recursive: true })
  cpSync(`${data}.old`, data, { recursive: true })
  const third = startServer({ program, folder })
  t.after(() => third.kill())
  await third.ready
  await ledger.compare(third.call, 'all')
  await counters.compare(third.call, ledger)
  const all = ledger.violations.join('\n')
  assert.match(all, /is absent and should be v\d+/)
  assert.match(all, /short messages: 0, and should be \d+ to/)
})

describe('the ledger', () => {
  const answer = (status: number): Outcome => ({
    status,
    headers: {},
    text: '{}',
    problem: undefined,
  })
  const BROKEN: Outcome = { ...answer(0), problem: 'no answer' }
  const unused = async () => answer(404)

  /** A creation comes to `outcome`, and the server then has `value`. */
  async function compared(outcome: Outcome, find: () => string | undefined): Promise<string[]> {
    const kind: Kind = {
      name: 'thing',
      ...{ create: unused, update: unused, idOf: () => '1' },
      find: async () => {
        const value = find()
        return value === undefined ? undefined : { id: '1', value }
      },
    }
    const ledger = new Ledger()
    await ledger.change(ledger.newThing(kind), 'new', async () => outcome)
    await ledger.compare(unused, 'touched')
    return ledger.violations
  }

  for (const [title, outcome, allowed] of [
    ['is there when it was answered', answer(201), ['new']],
    ['is absent when it was refused with 503', answer(503), [undefined]],
    ['may be either when it was not answered', BROKEN, ['new', undefined]],
    ['may be either after a 500', answer(500), ['new', undefined]],
  ] as const) {
    test(`a thing ${title}`, async () => {
      for (const value of ['new', undefined, 'another'] as const) {
        const isAllowed = (allowed as readonly (string | undefined)[]).includes(value)
        const violations = await compared(outcome, () => value)
        assert.equal(violations.length, isAllowed ? 0 : 1, `${value}: ${violations}`)
      }
    })
  }

  test('a thing that is there in part is a violation', async () => {
    const violations = await compared(BROKEN, () => {
      throw new Error('it has 2 keys')
    })
    assert.deepEqual(violations, ['thing000000: it has 2 keys'])
  })
})
