import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Refusal } from '../../kernel/errors.ts'
import { type ItemId, parseId } from '../../kernel/ids.ts'
import type { Tx } from '../../storage/database.ts'
import { engines, TEST_NOW } from '../../testing/engines.ts'
import { openIot } from '../../testing/iot.ts'
import { MessageQueue } from './message-queue.ts'
import { MessageStore } from './message-store.ts'
import { draftFromValue } from './message-wire.ts'
import { ProjectQueue } from './project-queue.ts'
import { Signals } from './signals.ts'

/** Counts transactions, and fails those that it is told to. */
class CountingQueue extends ProjectQueue {
  transactions = 0
  isBroken = false

  override write<T>(projectId: ItemId | undefined, work: (tx: Tx) => Promise<T>): Promise<T> {
    this.transactions += 1
    if (this.isBroken) return Promise.reject(new Error('The disk is full.'))
    return super.write(projectId, work)
  }
}

const itemId = (text: string): ItemId => {
  const id = parseId<'item'>(text)
  if (id === undefined) throw new Error(`${text} is no id.`)
  return id
}

for (const engine of engines) {
  describe(`messages of connected devices on ${engine.name}`, () => {
    test('those that wait together are one transaction, and each has its own answer', async (t) => {
      const { createProject, createSim, connect, database, ask } = await openIot(t, { engine })
      const project = itemId(await createProject())
      const sims = [itemId(await createSim(1)), itemId(await createSim(2))]
      for (const sim of sims) await connect(project, sim)
      await ask('PUT', `/commonserviceitem/${sims[1]}/sim/deactivate`)
      const projectQueue = new CountingQueue(database)
      const tools = { projectQueue, signals: new Signals(), wake: () => undefined }
      const queue = new MessageQueue(tools, () => TEST_NOW)
      const send = (n: number, sim = sims[0], receipt?: string, mayBeRepeat = false) =>
        queue.send(project, {
          simId: sim ?? project,
          draft: draftFromValue('01', Buffer.from(String(n))),
          ...{ receipt, mayBeRepeat },
        })
      const stored = async () => {
        const all = await database.read((tx) =>
          new MessageStore(tx).listFromDevices(project, 0, 1000),
        )
        return all.map(({ payload }) => Buffer.from(String(payload[0]?.value), 'base64').toString())
      }

      const sent: Promise<Refusal | undefined>[] = []
      for (let n = 0; n < 300; n += 1) sent.push(send(n, sims[n === 100 ? 1 : 0]))
      const refusals = await Promise.all(sent)
      assert.deepEqual(
        refusals.flatMap((refusal, n) => (refusal === undefined ? [] : [[n, refusal.code]])),
        [[100, 'conflict']],
      )
      assert.equal(projectQueue.transactions, 2)
      const others = Array.from({ length: 300 }, (_, n) => String(n)).filter((n) => n !== '100')
      assert.deepEqual(await stored(), others)

      // A repeat in the same transaction as the first, and one in a later one.
      await Promise.all([send(1000, sims[0], 'r'), send(1000, sims[0], 'r', true)])
      await send(1000, sims[0], 'r', true)
      assert.deepEqual((await stored()).slice(others.length), ['1000'])

      projectQueue.isBroken = true
      await assert.rejects(send(1001), /disk is full/)
      projectQueue.isBroken = false
      assert.equal(await send(1002), undefined)
      assert.deepEqual((await stored()).slice(others.length), ['1000', '1002'])
    })
  })
}
