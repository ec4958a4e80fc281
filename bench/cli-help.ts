/**
 * How long `kumoi --help` takes, and how that compares with a Node that does nothing: the ratio is what the
 * command line adds, whatever the machine.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const RUNS = 15
const KUMOI = fileURLToPath(new URL('../packages/cli/src/kumoi.mjs', import.meta.url))

/** The middle one of several runs, in milliseconds; the first, which fills the compile cache, is left out. */
function median(args: readonly string[]): number {
  const times = Array.from({ length: RUNS + 1 }, () => {
    const started = performance.now()
    const { status, stderr } = spawnSync(process.execPath, args)
    if (status !== 0) throw new Error(`node ${args.join(' ')} failed: ${stderr}`)
    return performance.now() - started
  })
  return times.slice(1).sort((a, b) => a - b)[RUNS >> 1] ?? 0
}

const nothing = median(['-e', '0'])
for (const args of [['--help'], ['sim', '--help'], ['sim', 'activate', '--help']]) {
  const time = median([KUMOI, ...args])
  const ratio = (time / nothing).toFixed(1)
  console.log(
    `kumoi ${args.join(' ')}: ${time.toFixed(0)} ms, ${ratio} times node -e 0 (${nothing.toFixed(0)} ms)`,
  )
}
