/** One sequence: commands from a seed, each compared with the model, and everything read back now and then. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Choices, seedOf } from '../../tools/fuzz/random.ts'
import { type Command, type Context, caller, type Maker, type Request, Slots } from './command.ts'
import type { Answer } from './compare.ts'
import { adapterMakers } from './groups/adapters.ts'
import { billMakers } from './groups/bills.ts'
import { clockMakers } from './groups/clock.ts'
import { gatewayPartMakers } from './groups/gateway-parts.ts'
import { gatewayMakers, readGateways } from './groups/gateways.ts'
import { itemMakers, readItems } from './groups/items.ts'
import { keyMakers, readAccounts } from './groups/keys.ts'
import { maintenanceMakers } from './groups/maintenances.ts'
import { messageMakers } from './groups/messages.ts'
import { priceMakers } from './groups/prices.ts'
import { projectMakers } from './groups/projects.ts'
import { quotaMakers } from './groups/quotas.ts'
import { sessionMakers } from './groups/sessions.ts'
import { simMakers } from './groups/sims.ts'
import { sitePartMakers } from './groups/site-parts.ts'
import { readSites, siteMakers } from './groups/sites.ts'
import { smsMakers } from './groups/sms.ts'
import { readSwitches, switchMakers } from './groups/switches.ts'
import { MANY, Possible, Violation } from './possible.ts'
import { type Key, LEVELS, newModel } from './state.ts'
import type { Target } from './target.ts'

const byWeight = (makers: readonly Maker[]) =>
  makers.flatMap((maker) => Array<Maker>(maker.weight).fill(maker))

const makers = byWeight([
  ...[...clockMakers, ...keyMakers, ...itemMakers, ...simMakers, ...sessionMakers],
  ...[...gatewayMakers, ...gatewayPartMakers, ...smsMakers],
  ...[...projectMakers, ...adapterMakers, ...siteMakers, ...billMakers],
  ...[...switchMakers, ...sitePartMakers, ...messageMakers],
  ...[...maintenanceMakers, ...priceMakers, ...quotaMakers],
])
/** A sequence begins with these, so that there is something to work on. */
const FIRST_STEPS = 40
const firstMakers = makers.filter(({ isFirst }) => isFirst)

/** No step has a higher number: those above are for names of the second of two commands at once. */
const STEPS_MAX = 1_000_000

/** Each long sequence has a restart, with enough before and after it. */
const RESTART_STEP = 250

export interface Counts {
  steps: number
  restarts: number
  kills: number
  lost: number
  pairs: number
  /** By command: how often it succeeded and was refused. */
  readonly commands: Map<string, { succeeded: number; refused: number }>
}

export const newCounts = (): Counts => ({
  ...{ steps: 0, restarts: 0, kills: 0, lost: 0, pairs: 0 },
  commands: new Map(),
})

export interface Sequence {
  readonly seed: number
  /** The numbers of the steps; a shrunk sequence has fewer. */
  readonly steps: readonly number[]
}

export interface Found {
  /** The step at which the server did what no model allows. */
  readonly step: number
  readonly problem: string
}

/** Gets every request, in order; what it returns gets the answer. */
export type Listener = (
  request: Request,
  note: string,
) => ((answer: Answer | undefined) => void) | undefined

/** Undefined when the model agreed with all of it. */
export async function run(
  { seed, steps }: Sequence,
  target: Target,
  counts: Counts,
  sent: Listener = () => undefined,
): Promise<Found | undefined> {
  const walk = new Walk(target, counts, sent)
  for (const step of steps) {
    try {
      await walk.take(step, new Choices(seedOf(seed, step)))
    } catch (error) {
      if (error instanceof Violation) return { step, problem: error.message }
      throw error
    }
  }
  return undefined
}

class Walk {
  readonly #target: Target
  readonly #counts: Counts
  readonly #sent: Listener
  readonly #slots = new Slots()
  readonly #possible = new Possible(newModel(firstKeys()))

  constructor(target: Target, counts: Counts, sent: Listener) {
    this.#target = target
    this.#counts = counts
    this.#sent = sent
  }

  async take(step: number, choices: Choices): Promise<void> {
    const kind = choices.below(2000)
    const context = { choices, slots: this.#slots, step }
    if (this.#target.kill !== undefined && kind % 25 === 0) await this.#kill(context)
    else if (kind < 1 || step === RESTART_STEP) await this.#restart()
    else if (kind < 20) await this.#readAll()
    else if (kind < 120) await this.#lose(context)
    else if (kind < 240) await this.#sendBoth(context)
    else await this.#sendOne(makeCommand(context))
    if (this.#possible.size > MANY) await this.#readAll()
  }

  async #sendOne(command: Command): Promise<void> {
    this.#possible.after([command, await this.#send(command)])
  }

  async #sendBoth(context: Context): Promise<void> {
    const one = makeCommand(context)
    // Of equal names a list has either first.
    const other = makeCommand({ ...context, step: context.step + STEPS_MAX })
    // The clock stops on its way wherever something is due, and the other one may see any of these times.
    if ([one, other].some(({ name }) => name === 'clockAdvance')) {
      await this.#sendOne(one)
      return this.#sendOne(other)
    }
    this.#counts.pairs += 1
    const answers = await Promise.all([
      this.#send(one, 'at once with the next'),
      this.#send(other, 'at once with the last'),
    ])
    this.#possible.afterBoth([one, answers[0]], [other, answers[1]])
  }

  /** The connection closes without an answer: before the command is done, or after. */
  async #lose(context: Context): Promise<void> {
    const command = makeCommand(context)
    const isDone = context.choices.oneIn(2)
    const phase = isDone ? 'after' : 'before'
    const { request } = command
    // The operator's calls have no faults.
    if (request.path.startsWith('/_kumoi')) return this.#sendOne(command)
    const fault = JSON.stringify({ effect: { reset: true }, phase })
    const headers = { ...request.headers, 'x-kumoi-fault': fault }
    const answer = await this.#send({ ...command, request: { ...request, headers } })
    if (answer !== undefined) return this.#possible.after([command, answer])
    this.#counts.lost += 1
    if (isDone) this.#possible.afterLost(command)
  }

  async #restart(): Promise<void> {
    this.#counts.restarts += 1
    await this.#target.restart()
    this.#possible.afterRestart()
    await this.#readAll()
  }

  /** The server dies while it has a command. What was answered was done; what was not, whole or not at all. */
  async #kill(context: Context): Promise<void> {
    const command = makeCommand(context)
    const milliseconds = context.choices.below(8)
    // The operator's calls give keys and move the clock: an answer that is lost says too much.
    if (command.request.path.startsWith('/_kumoi')) return this.#sendOne(command)
    this.#counts.kills += 1
    const answered = this.#send(command, 'then it is killed')
    await sleep(milliseconds)
    await this.#target.kill?.()
    this.#possible.after([command, await answered])
    this.#possible.afterRestart()
    await this.#readAll()
  }

  async #readAll(): Promise<void> {
    for (const command of readEverything(this.#slots)) await this.#sendOne(command)
  }

  async #send(command: Command, note = '') {
    const answered = this.#sent(command.request, note)
    const answer = await this.#target.send(command.request)
    answered?.(answer)
    this.#counts.steps += 1
    const count = this.#counts.commands.get(command.name) ?? { succeeded: 0, refused: 0 }
    this.#counts.commands.set(command.name, count)
    if (answer !== undefined) count[answer.status < 300 ? 'succeeded' : 'refused'] += 1
    return answer
  }
}

const makeCommand = (context: Context): Command =>
  context.choices.pick(context.step < FIRST_STEPS ? firstMakers : makers).make(context)

function readEverything(slots: Slots): Command[] {
  const accounts = ['acme', 'other']
  return [
    ...readAccounts(),
    readSites(slots),
    ...accounts.map((account) => readItems(account, slots)),
    ...accounts.flatMap((account) =>
      ['is1a', 'tk1a'].flatMap((zone) => [
        readSwitches(account, zone, slots),
        readGateways(account, zone, slots),
      ]),
    ),
  ]
}

/** Those of the world. */
function firstKeys(): [string, Key][] {
  const key = (token: string, account: string, level: Key['level'], external: string[]) =>
    [token, { ...caller(token), account, level, external, expiresAt: undefined }] as [string, Key]
  return [
    key('acme-token', 'acme', 'create', ['bill', 'cdn']),
    key('other-token', 'other', 'create', []),
    ...LEVELS.slice(0, 3).map((level) => key(`acme-${level}`, 'acme', level, [])),
  ]
}
