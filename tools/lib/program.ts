/** What every tool needs to be a program: where the repository is, and whether it was called. */
import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))

/** `import.meta.main` is missing in Node 22: a check that asked it would do nothing and pass. */
export function isProgram(moduleUrl: string): boolean {
  const started = process.argv[1]
  return started !== undefined && realpathSync(started) === fileURLToPath(moduleUrl)
}

/** Prints what a check found and makes the process fail if that is anything. */
export function finish(name: string, looked: string, problems: readonly string[]): void {
  for (const problem of problems) console.error(problem)
  console.log(`${name}: ${looked}, ${problems.length} problem${problems.length === 1 ? '' : 's'}`)
  if (problems.length > 0) process.exitCode = 1
}
