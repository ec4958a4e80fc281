/** One front, as its lead sees it: a process that is given orders and tells what it has done. */
import { type ChildProcess, fork } from 'node:child_process'
import type { Server } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Secrets } from '../compose.ts'
import type { Config } from '../config.ts'
import type { PrivateLine } from '../http/private-line.ts'
import { pause } from '../kernel/clock.ts'
import type { CrewMember, Rules } from './company.ts'
import type { News, Order } from './orders.ts'
import type { Report } from './reports.ts'

const ENTRY = fileURLToPath(new URL('../front.ts', import.meta.url))

/** Whoever does not do in this time what others rely on is ended: it may no longer answer anybody. */
const OBEY_MS = 5000

export interface MemberOptions {
  readonly config: Config
  readonly secrets: Secrets
  readonly line: PrivateLine
  readonly folder: string
  readonly sockets: () => readonly { readonly socket: Server; readonly isTls: boolean }[]
  /** As they are when it begins to listen; later changes are told by `obey`. */
  readonly rules: () => Rules
  readonly hear: (report: Report) => void
}

export class Member implements CrewMember {
  readonly #options: MemberOptions
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, () => void>()
  /** Listens, or has ended. */
  readonly ready: Promise<void>
  /** Fulfilled with how it ended. */
  readonly ended: Promise<string>
  memoryBytes = 0
  answered = 0
  #number = 0
  /** Before that it answers nobody, so that there is nothing to be told. */
  #isListening = false

  constructor(options: MemberOptions) {
    this.#options = options
    this.#child = fork(ENTRY, [], {
      execArgv: process.execArgv.filter((flag) => !/^--(inspect|watch)/.test(flag)),
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const child = this.#child
    this.ended = new Promise((resolve) => {
      child.once('exit', (code, signal) => resolve(signal ?? `exit ${code}`))
      child.once('error', (error) => resolve(error.message))
    })
    this.ready = new Promise((resolve) => {
      child.on('message', (news: News) => this.#take(news, resolve))
      void this.ended.then(() => {
        for (const done of this.#waiting.values()) done()
        resolve()
      })
    })
    const { config, secrets, line, folder } = options
    // The worlds are in the database by now.
    this.#send({ do: 'compose', config: { ...config, worlds: [] }, secrets, line, folder })
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  /** Fulfilled when it goes by these rules, or is gone. */
  async obey(rules: Rules, forgetsKeys: boolean): Promise<void> {
    if (!this.#isListening) return
    const done = this.#ask((number) => ({ do: 'obey', number, rules, forgetsKeys }))
    const inTime = await Promise.race([done.then(() => true), pause(OBEY_MS).then(() => false)])
    if (inTime) return
    this.#child.kill('SIGKILL')
    await this.ended
  }

  /** Fulfilled when it has told all that it has answered so far. */
  async tell(): Promise<void> {
    if (this.#isListening) await this.#ask((number) => ({ do: 'tell', number }))
  }

  /** Fulfilled when it takes no more connections. */
  async halt(): Promise<void> {
    if (this.#isListening) await this.#ask((number) => ({ do: 'halt', number }))
    else this.#child.kill('SIGKILL')
  }

  async stop(graceMs: number): Promise<void> {
    if (this.#isListening) this.#send({ do: 'stop', graceMs })
    else this.#child.kill('SIGKILL')
    await this.ended
  }

  #take(news: News, ready: () => void): void {
    if (news.is === 'composed') this.#handOver()
    if (news.is === 'listening') ready()
    if (news.is === 'done') {
      this.#waiting.get(news.number)?.()
      this.#waiting.delete(news.number)
    }
    if (news.is === 'report') {
      const { report } = news
      this.memoryBytes = report.memoryBytes
      for (const { requests } of report.counts) this.answered += requests
      this.#options.hear(report)
    }
  }

  #handOver(): void {
    const sockets = this.#options.sockets()
    const rules = this.#options.rules()
    for (const [index, { socket, isTls }] of sockets.entries()) {
      const isLast = index === sockets.length - 1
      this.#send({ do: 'listen', isTls, isLast, rules }, socket)
    }
    this.#isListening = true
  }

  #ask(order: (number: number) => Order): Promise<void> {
    this.#number += 1
    const number = this.#number
    return new Promise((resolve) => {
      this.#waiting.set(number, resolve)
      this.#send(order(number))
    })
  }

  #send(order: Order, socket?: Server): void {
    // What cannot be sent is no longer wanted: it has ended, and those who wait are told so.
    this.#child.send(order, socket, {}, () => undefined)
  }
}
