/**
 * Repeats one sequence of the model and prints every request: `node prove/model/replay.ts SEED [ENGINE] [STEPS]`.
 * The same seed sends the same bytes, but where ids come from PostgreSQL after transactions that were repeated, and
 * after a kill: then the next command depends on what had been done.
 */
import { kinds } from './model.ts'
import { newCounts, run } from './sequence.ts'
import { lineOf } from './shrink.ts'

const [seed = '', engine = 'sqlite', length] = process.argv.slice(2)
const kind = kinds.find(({ name }) => name.includes(engine))
if (kind === undefined || !/^\d+$/.test(seed)) {
  console.error('A seed of a sequence, as a violation names it, then perhaps the engine.')
  process.exit(2)
}
const target = await kind.open(Number(seed))
const steps = Array.from({ length: Number(length ?? kind.length) }, (_, step) => step)
const found = await run({ seed: Number(seed), steps }, target, newCounts(), (request, note) => {
  console.log(lineOf(request, note))
  return undefined
})
console.log(found === undefined ? 'The model agrees.' : `Step ${found.step}: ${found.problem}`)
process.exit(found === undefined ? 0 : 1)
