/**
 * A front (docs/adr/0160): a process beside the lead that takes connections from the same sockets, answers
 * what it can answer from the database alone, and passes the rest on.
 */
import { rmSync } from 'node:fs'
import type { Server } from 'node:net'
import { type Cloud, compose } from '../compose.ts'
import type { Config } from '../config.ts'
import type { Route } from '../http/mount.ts'
import { Passing } from '../http/passing.ts'
import { MemoryBlobs } from '../storage/blobs/memory.ts'
import type { Database } from '../storage/database.ts'
import type { Rules } from './company.ts'
import { giveBackMemory } from './memory.ts'
import type { News, Order } from './orders.ts'
import { makePorts, type Ports } from './ports.ts'
import { Reports } from './reports.ts'
import { standardError } from './standard-error.ts'

interface Post {
  readonly cloud: Cloud
  readonly database: Database
  readonly reports: Reports
}

let rules: Rules = { isPlain: false, isWatched: false }

export function runFront(): void {
  let post: Post | undefined
  let folder: string | undefined
  process.once('disconnect', () => {
    // Alone it would answer from a state that nobody keeps. A lead that was killed leaves its folder to us.
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
    process.exit(0)
  })
  // A terminal and some supervisors send these to every process; when we end, the lead says.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
  standardError.share()
  process.on('message', (order: Order, socket: Server | undefined) => {
    if (order.do === 'compose') {
      folder = order.folder
      void takePost(order).then((taken) => {
        post = taken
        tell({ is: 'composed' })
      })
    } else if (post !== undefined) follow(order, socket, post)
  })
}

type Composing = Extract<Order, { do: 'compose' }>

async function takePost(order: Composing): Promise<Post> {
  // The lead's clock is another only while it answers everything itself.
  const ports = makePorts({ ...order.config, clock: { mode: 'real' } })
  try {
    return await composeFront(order, ports)
  } catch (error) {
    ports.log.error({ err: error }, 'a worker could not start')
    process.exit(1)
  }
}

async function composeFront({ config, secrets, line }: Composing, ports: Ports): Promise<Post> {
  const database = await openDatabase(config)
  const reports = new Reports((report, sent) => tell({ is: 'report', report }, sent))
  const writes = database.engine === 'postgres'
  const serves = ({ isAnywhere, operation }: Route) =>
    rules.isPlain && isAnywhere && (writes || operation?.method === 'GET')
  // Contents of files are the lead's affair.
  const blobs = new MemoryBlobs()
  const storage = { database, blobs, snapshots: blobs, close: () => database.close() }
  const front = { serves, passing: new Passing(line), reports }
  const cloud = await compose(config, ports, storage, secrets, { front })
  return { cloud, database, reports }
}

function follow(
  order: Order,
  socket: Server | undefined,
  { cloud, database, reports }: Post,
): void {
  if (order.do === 'listen' && socket !== undefined) {
    goBy(order.rules, reports)
    cloud.edge.listenAlong(socket, order.isTls)
    if (order.isLast) {
      tell({ is: 'listening' })
      giveBackMemory()
    }
  }
  if (order.do === 'obey') {
    goBy(order.rules, reports)
    if (order.forgetsKeys) cloud.ring.forget()
    tell({ is: 'done', number: order.number })
  }
  if (order.do === 'tell') {
    reports.flush()
    tell({ is: 'done', number: order.number })
  }
  if (order.do === 'halt') {
    void cloud.edge.stopTaking().then(() => tell({ is: 'done', number: order.number }))
  }
  if (order.do === 'stop') {
    void cloud.edge.close(order.graceMs).then(async () => {
      await database.close()
      reports.flush(() => process.exit(0))
    })
  }
}

function goBy(told: Rules, reports: Reports): void {
  rules = told
  reports.watch(told.isWatched)
}

async function openDatabase({ database: url, dataFolder = '' }: Config): Promise<Database> {
  if (url === undefined) throw new Error(dataFolder)
  const { PostgresDatabase } = await import('../storage/postgres/database.ts')
  return PostgresDatabase.connect({ ...url, replaceable: true })
}

function tell(news: News, sent: () => void = () => undefined): void {
  process.send?.(news, undefined, {}, () => sent())
}
