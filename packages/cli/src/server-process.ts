/** The server is a process of its own: the command line never loads its code. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** As `npm start` has it: more room for the garbage of requests costs more memory than it saves time. */
const SMALL_HEAP = ['--max-semi-space-size=8']

const MAIN = fileURLToPath(new URL('../../server/src/main.mjs', import.meta.url))

export function spawnServer(
  settings: readonly string[],
  options: SpawnOptions,
  nodeOptions: readonly string[] = [],
): ChildProcess {
  return spawn(process.execPath, [...SMALL_HEAP, ...nodeOptions, MAIN, ...settings], options)
}

export function exitOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(code ?? exitAfter(signal)))
  })
}

/** A signal that ended a process counts as shells count it. */
export function exitAfter(signal: NodeJS.Signals | null): number {
  return 128 + (SIGNALS[signal ?? ''] ?? 0)
}

const SIGNALS: Readonly<Record<string, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGABRT: 6,
  SIGKILL: 9,
  SIGSEGV: 11,
  SIGTERM: 15,
}

/**
 * What is sent to us is meant for the process that we run just then. It is made before that process is: a
 * signal that ended us a line too early would leave behind a server that nobody stops.
 */
export class PassedSignals {
  received: NodeJS.Signals | null = null
  #receiver: ChildProcess | null = null

  constructor() {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        this.received = signal
        this.#receiver?.kill(signal)
      })
    }
  }

  to(child: ChildProcess): ChildProcess {
    this.#receiver = child
    return child
  }
}
