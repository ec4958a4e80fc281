/** Random sequences of commands, compared with a model of the interface. */
import { engines, onSqlite, type TestEngine } from '../../packages/server/src/testing/engines.ts'
import { operations } from '../../tools/fuzz/call.ts'
import { seedOf } from '../../tools/fuzz/random.ts'
import type { Figure, Options, Part, Result } from '../part.ts'
import { openCloudTarget } from './cloud-target.ts'
import { openProcessTarget } from './process-target.ts'
import { type Counts, newCounts, run, type Sequence } from './sequence.ts'
import { lineOf, shrink } from './shrink.ts'
import type { Target } from './target.ts'

/** Steps of a sequence; a new server for each keeps them apart, and takes as long as some hundred steps. */
export const LENGTH = 1000
/** After so many violations there is enough to mend. */
const ENOUGH = 5

export interface Kind {
  readonly name: string
  /** Steps of a sequence. */
  readonly length: number
  readonly sequences: { readonly full: number; readonly sample: number }
  open(seed: number): Promise<Target>
}

const inside = (engine: TestEngine, full: number, sample: number): Kind => ({
  ...{ name: `inside a process, ${engine.name}`, sequences: { full, sample }, length: LENGTH },
  open: (seed) => openCloudTarget(engine, seed),
})

const asProcess: Kind = {
  ...{ name: 'a process of its own, killed', sequences: { full: 40, sample: 1 }, length: 100 },
  open: openProcessTarget,
}

export const kinds: readonly Kind[] = [
  ...engines.map((engine) =>
    engine === onSqlite ? inside(engine, 880, 1) : inside(engine, 40, 1),
  ),
  asProcess,
]

export const model: Part = {
  name: 'model',
  title: 'A model against the server',
  needsPostgres: true,
  claim: `Random sequences of calls, with the clock moved, restarts, kills, answers that are lost and two
clients at once. A model of the interface, which shares no code with the server, says for each step what may be answered;
now and then everything is read back and compared. Each sequence has a server and a seed of its own;
\`node prove/model/replay.ts SEED\` repeats it byte for byte; where commands at once, a kill or PostgreSQL's numbers let a
run go another way, what was sent and answered is printed whole.`,
  run: (options) => proveModel(options, kinds),
}

export async function proveModel(
  { seed, size, log }: Pick<Options, 'seed' | 'size' | 'log'>,
  against: readonly Kind[],
): Promise<Result> {
  const figures: Figure[] = []
  const violations: string[] = []
  const all = newCounts()
  for (const kind of against) {
    const counts = newCounts()
    for (let index = 0; index < kind.sequences[size] && violations.length < ENOUGH; index += 1) {
      const violation = await oneSequence(kind, seedOf(seed, index) >>> 0, counts)
      if (violation !== undefined) violations.push(violation)
      if (index % 50 === 49) log(`${kind.name}: ${counts.steps} steps`)
    }
    add(all, counts)
    figures.push({ name: `Steps, ${kind.name}`, value: String(counts.steps) })
  }
  if (size === 'full') violations.push(...unused(all))
  return { figures: [...figures, ...figuresOf(all)], violations }
}

async function oneSequence(kind: Kind, seed: number, counts: Counts): Promise<string | undefined> {
  const sequence: Sequence = { seed, steps: Array.from({ length: kind.length }, (_, step) => step) }
  const target = await kind.open(seed)
  const lines: string[] = []
  const found = await run(sequence, target, counts, (request, note) => {
    const line = lines.push(lineOf(request, note)) - 1
    return (answer) => {
      lines[line] += ` -> ${answer?.status ?? 'no answer'} ${JSON.stringify(answer?.body)}`
    }
  }).finally(() => target.close())
  if (found === undefined) return undefined
  const shrunk = await shrink(sequence, found, () => kind.open(seed))
  const what = `${kind.name}, sequence ${seed}, step ${found.step}: ${(shrunk ?? found).problem}.`
  const again = `\`node prove/model/replay.ts ${seed} ${kind.name.split(' ').at(-1)}\`, or by itself:`
  const how = shrunk === undefined ? 'It did not happen again; so it was sent and answered:' : again
  return [what, how, ...(shrunk?.requests ?? lines).map((line) => `  ${line}`)].join('\n')
}

function add(all: Counts, counts: Counts): void {
  for (const name of ['steps', 'restarts', 'kills', 'lost', 'pairs'] as const)
    all[name] += counts[name]
  for (const [name, { succeeded, refused }] of counts.commands) {
    const sum = all.commands.get(name) ?? { succeeded: 0, refused: 0 }
    all.commands.set(name, {
      succeeded: sum.succeeded + succeeded,
      refused: sum.refused + refused,
    })
  }
}

/** What never fails has no refusal to be seen. */
const ALWAYS = [
  'clockAdvance',
  'deviceAttach',
  'deviceRefusals',
  'accountList',
  'announcementList',
  'keyList',
  'gatewayList',
  'siteList',
]

/** A command that never succeeds, or is never refused, proves less than it seems to. */
function unused({ commands }: Counts): string[] {
  return [...commands].flatMap(([name, { succeeded, refused }]) => [
    ...(succeeded === 0 ? [`${name} has never succeeded.`] : []),
    ...(refused === 0 && !ALWAYS.includes(name) ? [`${name} was never refused.`] : []),
  ])
}

function figuresOf({ steps, restarts, kills, lost, pairs, commands }: Counts): Figure[] {
  const rows = {
    Steps: steps,
    Restarts: restarts,
    Kills: kills,
    'Lost answers': lost,
    'Two at once': pairs,
  }
  const known = [...commands.keys()].filter((name) => operations.has(name)).length
  return [
    { name: 'Operations that the model knows, of all', value: `${known} of ${operations.size}` },
    ...Object.entries(rows).map(([name, value]) => ({ name, value: String(value) })),
    ...[...commands]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, { succeeded, refused }]) => ({
        name: `\`${name}\``,
        value: `${succeeded} succeeded, ${refused} refused`,
      })),
  ]
}
