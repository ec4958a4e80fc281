import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { FrozenClock } from '../../kernel/clock.ts'
import { oneKey } from '../../kernel/encryption-key.ts'
import { silentLog } from '../../kernel/log.ts'
import { SecretBox } from '../../kernel/secret-box.ts'
import { ServedCertificate } from '../../kernel/served-certificate.ts'
import { MINUTE_MS } from '../../kernel/units.ts'
import { raw } from '../../storage/sql.ts'
import { engines, type TestEngine } from '../../testing/engines.ts'
import { makeTls } from '../../testing/tls-files.ts'
import { certificatesModule } from './module.ts'
import type { Authority } from './orders.ts'

const NOW = new Date()
const TOKEN = 'a-token-of-the-authority'

async function open(t: TestContext, engine: TestEngine) {
  const database = await engine.open()
  t.after(() => database.close())
  const box = new SecretBox(oneKey(new Uint8Array(32)))
  const machine = new FrozenClock(NOW)
  const accounts = new Set<string>()
  const onChallenge: () => Promise<void> = async () => undefined
  const state = { failing: false, made: 0, onChallenge }
  const authority: Authority = {
    directory: 'https://acme.example.jp/directory',
    newAccountKey: () => {
      state.made += 1
      return `account ${state.made}`
    },
    async order(domains, accountKey, challenges) {
      accounts.add(accountKey)
      await challenges.put(TOKEN, `${TOKEN}.thumbprint`)
      await state.onChallenge()
      await challenges.delete(TOKEN)
      if (state.failing) throw new Error(`${domains} leads elsewhere.`)
      const { cert: chain, key } = makeTls(domains, 60)
      return { chain, key }
    },
  }
  /** As a server that was started with these names. */
  const server = (...domains: string[]) => {
    const served = new ServedCertificate(makeTls())
    const module = certificatesModule({
      ...{ database, box, machine, log: silentLog, authority, domains, served },
    })
    t.after(() => module.stop())
    const [job] = module.jobs ?? []
    if (job === undefined) throw new Error('There is no job.')
    const run = (now = NOW) => job.run(database, now, new AbortController().signal)
    return { module, served, run, nextDue: () => job.nextDue?.(database, NOW) }
  }
  return { database, server, state, accounts }
}

for (const engine of engines) {
  describe(`the certificate of the server on ${engine.name}`, () => {
    test('is ordered once, served by all servers, and due with a third of its life left', async (t) => {
      const { database, server, accounts } = await open(t, engine)
      const first = server('cloud.example.jp')
      const other = server('cloud.example.jp')
      await first.module.start()
      assert.deepEqual(await first.nextDue(), new Date(0))
      assert.match(await first.run(), /cloud\.example\.jp/)
      await other.module.start()
      assert.equal(other.served.leaf.checkHost('cloud.example.jp'), 'cloud.example.jp')
      const { validFromDate, validToDate } = other.served.leaf
      const life = validToDate.getTime() - validFromDate.getTime()
      assert.equal((await other.nextDue())?.getTime(), validFromDate.getTime() + (life * 2) / 3)
      await other.run()
      assert.deepEqual([...accounts], ['account 1'])
      const rows = await Promise.all(
        ['acme_account', 'acme_certificate'].map((table) =>
          database.read((tx) => tx.all(raw(`SELECT * FROM ${table}`))),
        ),
      )
      assert.doesNotMatch(JSON.stringify(rows), /PRIVATE KEY|account 1/)
    })

    test('is ordered again at once for other names; until then the old one is served', async (t) => {
      const { server } = await open(t, engine)
      await server('cloud.example.jp').run()
      const renamed = server('cloud.example.jp', 'api.example.jp')
      assert.deepEqual(await renamed.nextDue(), new Date(0))
      await renamed.module.start()
      assert.equal(renamed.served.leaf.checkHost('cloud.example.jp'), 'cloud.example.jp')
      renamed.module.stop()
      await renamed.run()
      await renamed.module.start()
      assert.equal(renamed.served.leaf.checkHost('api.example.jp'), 'api.example.jp')
    })

    test('is ordered once for each of two settings, and a failure of one is not of the other', async (t) => {
      const { server, state } = await open(t, engine)
      // More than an index of PostgreSQL takes.
      const names = Array.from(
        { length: 100 },
        (_, index) => `${index}.${'x'.repeat(60)}.example.jp`,
      )
      const [first, second] = [server('cloud.example.jp'), server(...names)]
      await first.run()
      const due = await first.nextDue()
      state.failing = true
      await assert.rejects(second.run())
      await assert.rejects(second.run())
      assert.equal((await second.nextDue())?.getTime(), NOW.getTime() + 10 * MINUTE_MS)
      assert.deepEqual(await first.nextDue(), due)
      state.failing = false
      await second.run()
      await Promise.all([first.module.start(), second.module.start()])
      assert.equal(first.served.leaf.checkHost('cloud.example.jp'), 'cloud.example.jp')
      assert.equal(second.served.leaf.checkHost(names[99] ?? ''), names[99])
      for (const { nextDue } of [first, second]) {
        assert.ok(((await nextDue())?.getTime() ?? 0) > NOW.getTime() + 60 * MINUTE_MS)
      }
    })

    test('stays when an order fails, which is retried less and less often', async (t) => {
      const { server, state } = await open(t, engine)
      const { run, nextDue, module, served } = server('cloud.example.jp')
      await run()
      await module.start()
      const kept = served.tls
      state.failing = true
      const delays: number[] = []
      for (let attempt = 1; attempt <= 6; attempt += 1) {
        await assert.rejects(run(), /cloud\.example\.jp leads elsewhere\./)
        delays.push(((await nextDue())?.getTime() ?? 0) - NOW.getTime())
      }
      assert.deepEqual(
        delays.map((delay) => delay / MINUTE_MS),
        [5, 10, 20, 40, 60, 60],
      )
      await module.start()
      assert.equal(served.tls, kept)
      state.failing = false
      await run()
      assert.ok(((await nextDue())?.getTime() ?? 0) > NOW.getTime() + 60 * MINUTE_MS)
    })

    test('has its challenges answered by any server, until the order is over', async (t) => {
      const { server, state } = await open(t, engine)
      const other = server('cloud.example.jp').module.orders
      const answers: (string | undefined)[] = []
      state.onChallenge = async () => {
        answers.push(await other.findAnswer(TOKEN))
      }
      await server('cloud.example.jp').run()
      answers.push(await other.findAnswer(TOKEN))
      assert.deepEqual(answers, [`${TOKEN}.thumbprint`, undefined])
    })

    test('has a bounded number of challenges looked up at once', async (t) => {
      const { server, state } = await open(t, engine)
      const { run, module } = server('cloud.example.jp')
      const find = () => module.orders.findAnswer(TOKEN)
      state.onChallenge = async () => {
        const answers = await Promise.all(Array.from({ length: 40 }, find))
        assert.equal(answers.filter((answer) => answer !== undefined).length, 32)
        assert.equal(await find(), `${TOKEN}.thumbprint`)
      }
      await run()
    })
  })
}
