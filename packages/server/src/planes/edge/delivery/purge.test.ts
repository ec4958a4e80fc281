/** Purges that race with fetches: whatever the order of events is, nothing of before a purge is served after it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { testSite } from '../../../testing/edge-server.ts'
import { sized } from '../../../testing/size.ts'
import { ObjectCache } from '../cache/cache.ts'
import { OriginFailure } from '../origin/failure.ts'
import type { OriginHandlers, OriginRequest } from '../origin/origins.ts'
import { Sites } from '../sites.ts'
import { UsageCounters } from '../usage.ts'
import { keyOf } from './admission.ts'
import { Delivery } from './delivery.ts'
import type { Exchange } from './exchange.ts'
import type { Head } from './head.ts'
import { Recorder } from './recorder.ts'

const SITE = testSite(1)
const TARGET = '/object'

/** How the origin answers next: `max-age` and what may be done when it is over. */
const CONTROLS = ['max-age=10', 'max-age=0', 'max-age=1, stale-while-revalidate=60', 'no-store']

/** A call that the test answers piece by piece. What it will say was decided when it was sent. */
class ScriptedCall {
  readonly #handlers: OriginHandlers
  readonly #isSame: boolean
  readonly #version: number
  readonly #control: string
  #step = 0

  constructor(request: OriginRequest, handlers: OriginHandlers, version: number, control: string) {
    const at = request.fields.indexOf('if-none-match')
    this.#isSame = at >= 0 && request.fields[at + 1] === `"${version}"`
    this.#handlers = handlers
    this.#version = version
    this.#control = control
  }

  pause(): void {}
  resume(): void {}
  abort(): void {
    this.#step = 9
  }

  get isOver(): boolean {
    return this.#step > 3
  }

  /** Head, first half, second half, end. */
  go(): void {
    const step = this.#step
    this.#step += 1
    const fields = ['etag', `"${this.#version}"`, 'cache-control', this.#control]
    if (step === 0) this.#handlers.head(this.#isSame ? 304 : 200, fields)
    else if (step === 1 || step === 2) this.#handlers.data(Buffer.from(`${this.#version};`))
    else if (step === 3) this.#handlers.end()
  }

  break(): void {
    if (this.isOver) return
    this.#step = 9
    this.#handlers.fail(new OriginFailure('connection_terminated', 'broken'))
  }
}

/** A client that takes all, and keeps it. */
class Client implements Exchange {
  readonly method = 'GET'
  readonly target = TARGET
  readonly host = SITE.hosts[0] ?? ''
  readonly fields = {}
  readonly isTls = false
  readonly address = '192.0.2.1'
  readonly httpVersion = '1.1'
  readonly body = undefined
  /** The version that the last purge before this request was for. */
  readonly floor: number
  received = ''
  status = 0
  isClosed = false

  constructor(floor: number) {
    this.floor = floor
  }

  send({ status }: Head, body: Buffer | undefined): void {
    this.status = status
    this.received = body?.toString() ?? ''
  }

  begin({ status }: Head): void {
    this.status = status
  }

  write(chunk: Buffer): boolean {
    this.received += chunk.toString()
    return true
  }

  onDrain(): void {}
  end(): void {}
  abort(): void {}
  onClose(): void {}
}

class World {
  readonly #cache = new ObjectCache(2 ** 20)
  readonly #calls: ScriptedCall[] = []
  readonly clients: Client[] = []
  readonly #delivery: Delivery
  #version = 1
  #floor = 1
  #nowMs = 1_000_000
  control = CONTROLS[0] ?? ''

  constructor() {
    const nowMs = () => this.#nowMs
    const sites = new Sites()
    sites.replace([SITE])
    this.#delivery = new Delivery({
      ...{ sites, cache: this.#cache, nowMs, tlsPort: () => 443, isCurrent: () => true },
      isVirtual: () => false,
      recorder: new Recorder(new UsageCounters(), undefined, nowMs),
      origins: {
        send: (request, handlers) => {
          const call = new ScriptedCall(request, handlers, this.#version, this.control)
          this.#calls.push(call)
          return call
        },
      },
    })
  }

  get(): void {
    const client = new Client(this.#floor)
    this.clients.push(client)
    this.#delivery.handle(client)
  }

  /** The origin changes, which alone is nobody's promise. */
  change(): void {
    this.#version += 1
  }

  purge(isAll: boolean): void {
    this.#delivery.purge(SITE.id, isAll ? undefined : keyOf(SITE.id, TARGET))
    this.#floor = this.#version
  }

  pass(seconds: number): void {
    this.#nowMs += seconds * 1000
  }

  answer(which: number, isBroken: boolean): void {
    const open = this.#calls.filter(({ isOver }) => !isOver)
    const call = open[which % Math.max(1, open.length)]
    if (isBroken) call?.break()
    else call?.go()
  }
}

type Action = (world: World) => void

const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Action>((world) => world.get()) },
  {
    weight: 8,
    arbitrary: fc.nat(5).map<Action>((which) => (world) => world.answer(which, false)),
  },
  { weight: 1, arbitrary: fc.nat(5).map<Action>((which) => (world) => world.answer(which, true)) },
  { weight: 2, arbitrary: fc.constant<Action>((world) => world.change()) },
  { weight: 2, arbitrary: fc.boolean().map<Action>((isAll) => (world) => world.purge(isAll)) },
  { weight: 1, arbitrary: fc.nat(15).map<Action>((seconds) => (world) => world.pass(seconds)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...CONTROLS).map<Action>((control) => (world) => {
      world.control = control
    }),
  },
)

test('nobody who asks after a purge gets what the origin had before it', () => {
  let answered = 0
  fc.assert(
    fc.property(fc.array(action, { minLength: 20, maxLength: 60 }), (actions) => {
      const world = new World()
      for (const act of actions) act(world)
      for (const { received, floor, status } of world.clients) {
        if (received === '' || status !== 200) continue
        answered += 1
        const [first, second = first] = received.split(';').filter(Boolean).map(Number)
        assert.equal(first, second, 'a body of two versions')
        assert.ok((first ?? 0) >= floor, `version ${first} after the purge of ${floor}`)
      }
    }),
    { numRuns: sized(20_000, 2_000) },
  )
  // Else it would hold because nothing happens.
  assert.ok(answered > 1_000)
})
