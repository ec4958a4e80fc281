/** Several processes on one database are restarted one by one, and no request of a client fails. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { Agent } from 'node:https'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { engines } from './engines.ts'
import { CLOUD, type ServerProcess, start, temporaryFolder } from './server.ts'

const CLIENTS = 8
const postgres = engines.find(({ name }) => name === 'postgres')

interface Place {
  readonly server: ServerProcess
  readonly agent: Agent
}

/** A client without a proxy: it keeps its connections, and tries the next address when one refuses. */
async function askAnywhere(places: readonly Place[], number: number) {
  const isWrite = number % 4 === 0
  const item = { Name: `n${number}`, Provider: { Class: 'esme' } }
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const { server, agent } = places[attempt % places.length] as Place
    try {
      return isWrite
        ? await server.ask('POST', `${CLOUD}/commonserviceitem`, {
            ...{ agent, body: { CommonServiceItem: item } },
          })
        : await server.ask('GET', `${CLOUD}/auth-status`, { agent })
    } catch (error) {
      // Anything but a connection that was refused, or reset before it was open because the socket closed
      // with it in its queue, may have been taken by a server: that is a failed request.
      if (!(error instanceof Error && 'syscall' in error && error.syscall === 'connect'))
        throw error
      await sleep(5)
    }
  }
  throw new Error('Nobody answers.')
}

describe('a rolling restart', () => {
  test('loses no request of clients that only retry refused connections', {
    skip: postgres === undefined && 'there is no PostgreSQL server',
  }, async (t) => {
    const flags = (await postgres?.flags()) ?? []
    const keyFile = join(temporaryFolder(t), 'key')
    writeFileSync(keyFile, Buffer.alloc(32, 7).toString('base64'), { mode: 0o600 })
    const open = async (): Promise<Place> => {
      const server = await start(temporaryFolder(t), [...flags, '--key-file', keyFile])
      return { server, agent: new Agent({ keepAlive: true, ca: server.ca }) }
    }
    const places = [await open(), await open()]
    t.after(() => Promise.all(places.map(({ server }) => server.stop())))

    const retired: Agent[] = []
    let isOver = false
    const statuses = new Map<number, number>()
    const clients = Array.from({ length: CLIENTS }, async (_, client) => {
      for (let number = client; !isOver; number += CLIENTS) {
        const { status } = await askAnywhere(places, number)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    })
    for (let index = 0; index < places.length; index += 1) {
      await sleep(300)
      const old = places[index] as Place
      const { code } = await old.server.stop()
      assert.equal(code, 0)
      // Not ended here: a client may just be about to hear from it that the connection is refused.
      retired.push(old.agent)
      places[index] = await open()
    }
    await sleep(300)
    isOver = true
    await Promise.all(clients)
    assert.deepEqual([...statuses.keys()].sort(), [200, 201])
    assert.ok([...statuses.values()].every((count) => count > 20))
    for (const agent of [...retired, ...places.map((place) => place.agent)]) agent.destroy()
  })
})
