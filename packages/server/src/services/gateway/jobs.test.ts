import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseId } from '../../kernel/ids.ts'
import type { Database } from '../../storage/database.ts'
import { Outbox } from '../../storage/outbox.ts'
import { engines, TEST_NOW } from '../../testing/engines.ts'
import { chatJob, type Post } from './jobs.ts'
import { CHAT_ATTEMPTS_MAX } from './notice-rules.ts'
import { NoticeStore } from './notice-store.ts'
import { CHAT, type ChatMessage } from './notices.ts'

async function putMessage(database: Database): Promise<void> {
  const accountId = parseId<'account'>('900000000001')
  const gatewayId = parseId<'gateway'>('910000000001')
  if (accountId === undefined || gatewayId === undefined) throw new Error('These are ids.')
  await database.write(async (tx) => {
    await new NoticeStore(tx).insert({
      ...{ id: 7, accountId, gatewayId, gatewayName: 'gate', channel: 'chat' },
      ...{ target: 'chat.example.jp', month: '202604', quotaMb: 10, usedBytes: 12_000_000 },
      ...{ status: 'waiting', attempts: 0, createdAt: TEST_NOW, doneAt: undefined },
    })
    const message = { noticeId: 7, url: 'https://chat.example.jp/hook', text: 'passed' }
    await new Outbox<ChatMessage>(tx, CHAT).put(message, TEST_NOW)
  })
}

for (const engine of engines) {
  const open = async (t: { after(work: () => Promise<void>): void }) => {
    const database = await engine.open()
    t.after(() => database.close())
    await putMessage(database)
    const notice = async () => {
      const { status, attempts, doneAt } = await database.read((tx) => new NoticeStore(tx).get(7))
      return { status, attempts, doneAt }
    }
    return { database, notice }
  }
  const answering = (outcome: Awaited<ReturnType<Post>>) => {
    const sent: unknown[] = []
    const job = chatJob(async (url, body) => {
      sent.push([url, body])
      return outcome
    })
    return { job, sent, nextDue: async (database: Database) => job.nextDue?.(database, TEST_NOW) }
  }

  describe(`the chat job on ${engine.name}`, () => {
    test('sends a message once and says so', async (t) => {
      const { database, notice } = await open(t)
      const { job, sent, nextDue } = answering('sent')
      assert.deepEqual(await nextDue(database), TEST_NOW)
      assert.equal(await job.run(database, TEST_NOW), '1 of 1 messages sent')
      assert.deepEqual(sent, [['https://chat.example.jp/hook', { text: 'passed' }]])
      assert.deepEqual(await notice(), { status: 'sent', attempts: 1, doneAt: TEST_NOW })
      assert.equal(await nextDue(database), undefined)
      await job.run(database, TEST_NOW)
      assert.equal(sent.length, 1)
    })

    test('tries a failed one again later and later, and gives it up in the end', async (t) => {
      const { database, notice } = await open(t)
      const { job, sent, nextDue } = answering('failed')
      const waits: number[] = []
      for (let now = TEST_NOW; ; ) {
        await job.run(database, now)
        const next = await nextDue(database)
        if (next === undefined) break
        assert.deepEqual(await notice(), {
          status: 'waiting',
          attempts: sent.length,
          doneAt: undefined,
        })
        waits.push((next.getTime() - now.getTime()) / 1000)
        now = next
      }
      assert.deepEqual(waits, [10, 20, 40, 80, 160])
      assert.equal(sent.length, CHAT_ATTEMPTS_MAX)
      assert.equal((await notice())?.status, 'failed')
    })

    test('gives up at once what may not be sent', async (t) => {
      const { database, notice } = await open(t)
      const { job, nextDue } = answering('refused')
      await job.run(database, TEST_NOW)
      assert.deepEqual(await notice(), { status: 'failed', attempts: 1, doneAt: TEST_NOW })
      assert.equal(await nextDue(database), undefined)
    })
  })
}
