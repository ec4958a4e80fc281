/** What our server is held against: a bare `node:http` server, and bare loops of inserts. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ask, type CloudProcess, createOne } from './cloud.ts'
import { learnCreation } from './creation-rows.ts'
import type { Load } from './load.ts'
import { type Measurement, outputOf, start } from './processes.ts'

/** Started with the answers that ours gives to the reading and the creation of a SIM. */
export async function startBare(cloud: CloudProcess, first: number) {
  const { id, answer: post } = await createOne(cloud.plainPort, first)
  const get = await ask(cloud.plainPort, 'GET', `/commonserviceitem/${id}`)
  const bytes = ({ status, headers, text }: typeof get) => {
    const { date: _d, connection: _c, 'keep-alive': _k, ...own } = headers
    return { status, headers: own, body: text }
  }
  const samples = join(cloud.folder, 'samples.json')
  writeFileSync(samples, JSON.stringify({ GET: bytes(get), POST: bytes(post) }))
  const tlsFolder = join(cloud.folder, 'data', 'tls')
  const until = /Ready\. (\d+) (\d+)\n/
  const started = await start({ args: [pathOf('bare.ts'), samples, tlsFolder], until })
  const [, plainPort, tlsPort] = until.exec(started.output) ?? []
  const loaded = (load: Load): Measurement => ({
    pid: started.pid,
    load: () => ({ ...load, port: Number(load.tls ? tlsPort : plainPort) }),
  })
  return { ...started, id, loaded }
}

export interface Inserts {
  readonly perSecond: number
  readonly cpu: number
}

/** All rows of a creation in the server's own tables, and one short row in a bare one: raw-inserts.ts. */
export async function rawInserts(folder: string, seconds: number) {
  const learned = await learnCreation(folder)
  const rows = join(folder, 'rows.json')
  writeFileSync(rows, JSON.stringify(learned))
  const loop = async (...args: string[]): Promise<Inserts> =>
    JSON.parse(await outputOf([pathOf('raw-inserts.ts'), String(seconds), ...args]))
  return {
    tables: [...new Set(learned.rows.map(({ table }) => table))],
    same: await loop(learned.file, rows),
    short: await loop(join(folder, 'short.db')),
  }
}

function pathOf(file: string): string {
  return new URL(file, import.meta.url).pathname
}
