/**
 * The fronts of a lead (docs/adr/0160): starts them, hands them its sockets, tells them what they have to
 * know before somebody is answered, and replaces those that end.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Cloud, Secrets } from '../compose.ts'
import type { Config } from '../config.ts'
import type { PrivateLine } from '../http/private-line.ts'
import { pause, stopwatch } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import { type Random, randomSecret } from '../kernel/random.ts'
import type { Crew, CrewMember, Rules } from './company.ts'
import { Member } from './member.ts'
import { hear, type Report } from './reports.ts'

/** Between the end of a front and its successor; doubled each time, until one has lived for long enough. */
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 10_000
const LONG_ENOUGH_MS = 10_000

/** How long somebody who looks at requests waits for a front that is busy. */
const GATHER_MS = 500

interface CrewOptions {
  readonly config: Config
  readonly secrets: Secrets
  readonly random: Random
  readonly log: Log
}

export class Fronts implements Crew {
  readonly #options: CrewOptions
  readonly #folder = mkdtempSync(join(tmpdir(), 'kumoi-'))
  readonly #line: PrivateLine
  readonly #members = new Set<Member>()
  #rules: Rules = { isPlain: false, isWatched: false }
  #settled: Promise<unknown> = Promise.resolve()
  #cloud: Cloud | undefined
  #closeLine: () => Promise<void> = async () => undefined
  #isStopping = false

  constructor(options: CrewOptions) {
    this.#options = options
    const secret = randomSecret(options.random)
    this.#line = { secret, path: pathIn(this.#folder, secret) }
    process.once('exit', () => this.#removeFolder())
  }

  /** Fulfilled when every front listens, or has failed once. */
  async open(cloud: Cloud): Promise<void> {
    this.#cloud = cloud
    this.#rules = cloud.rules()
    this.#closeLine = await cloud.edge.listenToFronts(this.#line)
    const count = this.#options.config.workers - 1
    await Promise.all(Array.from({ length: count }, () => this.#hire(FIRST_PAUSE_MS)))
  }

  forgetKeys(): void {
    this.#tellAll(true)
  }

  async settled(rules: Rules): Promise<void> {
    this.#goBy(rules)
    await this.#settled
  }

  async gathered(): Promise<void> {
    const told = Promise.all([...this.#members].map((member) => member.tell()))
    await Promise.race([told, pause(GATHER_MS)])
  }

  get members(): readonly CrewMember[] {
    return [...this.#members]
  }

  /**
   * Fulfilled when none takes new connections. A client that was told to come back on another one shall be
   * refused, and not be taken by a process that is about to close.
   */
  async halt(): Promise<void> {
    this.#isStopping = true
    await Promise.all([...this.#members].map((member) => member.halt()))
  }

  /** Requests under way are answered; fulfilled when all fronts are gone. */
  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true
    await Promise.all([...this.#members].map((member) => member.stop(graceMs)))
    await this.#closeLine()
    this.#removeFolder()
  }

  #goBy(rules: Rules): void {
    const { isPlain, isWatched } = this.#rules
    if (rules.isPlain === isPlain && rules.isWatched === isWatched) return
    this.#rules = rules
    this.#tellAll(false)
  }

  #tellAll(forgetsKeys: boolean): void {
    const rules = this.#rules
    const told = [...this.#members].map((member) => member.obey(rules, forgetsKeys))
    this.#settled = Promise.all([this.#settled, ...told])
  }

  /** Fulfilled when it listens, or has ended. */
  async #hire(pauseMs: number): Promise<void> {
    const { config, secrets, log } = this.#options
    const age = stopwatch()
    const member = new Member({
      ...{ config, secrets, line: this.#line, folder: this.#folder },
      sockets: () => this.#cloud?.edge.sockets ?? [],
      rules: () => this.#rules,
      hear: (report) => this.#hear(report),
    })
    this.#members.add(member)
    void member.ended.then(async (how) => {
      this.#members.delete(member)
      if (this.#isStopping) return
      log.error({ pid: member.pid, err: how }, 'a worker ended and will be replaced')
      await pause(pauseMs)
      const next = age() > LONG_ENOUGH_MS ? FIRST_PAUSE_MS : pauseMs * 2
      if (!this.#isStopping) await this.#hire(Math.min(next, LONGEST_PAUSE_MS))
    })
    await member.ready
  }

  #hear(report: Report): void {
    if (this.#cloud === undefined) return
    hear(report, this.#cloud.hearers)
    // Whoever followed the events may be gone, which no call of the operator tells.
    this.#goBy(this.#cloud.rules())
  }

  #removeFolder(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** Pipes of Windows are in no folder; there the secret alone guards it. */
function pathIn(folder: string, secret: string): string {
  return process.platform === 'win32'
    ? String.raw`\\.\pipe\kumoi-${secret.slice(0, 16)}`
    : join(folder, 'lead')
}
