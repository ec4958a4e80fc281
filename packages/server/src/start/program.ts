/** The server as a program: settings in, banner out, signals. */
import { isatty } from 'node:tty'
import { type Config, helpText, readConfig } from '../config.ts'
import { pause } from '../kernel/clock.ts'
import { garbageCollector } from '../kernel/garbage.ts'
import { addressesOf, publishAddresses } from './addresses.ts'
import { banner } from './banner.ts'
import { buildConsole } from './console.ts'
import { makePorts } from './ports.ts'
import { startServer } from './server.ts'

/** A drain that takes longer than this is cut off; a supervisor would kill us soon after. */
const DRAIN_LIMIT_MS = 9_000

export async function runProgram(): Promise<void> {
  try {
    const args = process.argv.slice(2)
    if (args[0] === 'backup' || args[0] === 'restore') {
      const { runBackupCommand } = await import('./backup-command.ts')
      for (const line of await runBackupCommand(args[0], args.slice(1), process.env)) say(line)
      return
    }
    if (args[0] === 'edge') return await runEdge(args.slice(1))
    const config = readConfig(args, process.env)
    if (config === 'help') {
      process.stdout.write(helpText())
      return
    }
    if (config.workers > 1) return await runSeveral(config)
    await buildConsole(say)
    const running = await startServer(config)
    const addresses = await addressesOf(config, running)
    const withdraw = publishAddresses(config.dataFolder, addresses)
    const stop = () => {
      withdraw()
      void pause(DRAIN_LIMIT_MS).then(() => process.exit(0))
      running.stop().then(() => process.exit(0), fail)
    }
    onSignals(stop, hasTerminal() ? undefined : () => running.reload())
    process.stdout.write(banner(config, running, addresses, process.stdout.isTTY))
    giveBackMemory(config)
  } catch (error) {
    fail(error)
  }
}

/**
 * A terminal and some supervisors signal every process, and `kumoi serve` forwards what it gets, so a signal comes
 * twice: a second one must not end a drain. SIGHUP ends a server whose terminal has gone; others reload by it.
 */
function onSignals(stop: () => void, hangUp?: () => void): void {
  let isStopping = false
  const stopOnce = () => {
    if (!isStopping) stop()
    isStopping = true
  }
  process.on('SIGTERM', stopOnce).on('SIGINT', stopOnce)
  process.on('SIGHUP', hangUp ?? (hasTerminal() ? stopOnce : () => undefined))
}

/** Its output may go to a file or a pipe while it still belongs to the terminal. */
function hasTerminal(): boolean {
  return [0, 1, 2].some((descriptor) => isatty(descriptor))
}

async function runEdge(args: readonly string[]): Promise<void> {
  const { runEdgeCommand } = await import('./edge-command.ts')
  const running = await runEdgeCommand(args)
  if (typeof running === 'string') {
    process.stdout.write(running)
    return
  }
  onSignals(() => {
    void pause(DRAIN_LIMIT_MS).then(() => process.exit(0))
    running.stop().then(() => process.exit(0), fail)
  })
  process.stdout.write(running.banner)
}

/** Loaded only where there are several. */
async function runSeveral(config: Config): Promise<void> {
  const { collectMetrics, isWorker, serveAsWorker } = await import('./worker.ts')
  if (!isWorker) {
    await buildConsole(say)
    const { runWorkers } = await import('./workers.ts')
    await runWorkers(config, makePorts(config).log, DRAIN_LIMIT_MS, onSignals)
    return
  }
  const running = await startServer(config, collectMetrics)
  const addresses = await addressesOf(config, running)
  const text = banner(config, running, addresses, process.stdout.isTTY)
  serveAsWorker(running, { addresses, banner: text })
  giveBackMemory(config)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** One line that says what is wrong; a stack would say it to nobody who starts a server. */
function fail(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error)
  const line = message.split('\n').map((part) => part.trim())
  process.stderr.write(`kumoi: ${line.join(' ')}\n`)
  process.exit(1)
}

/**
 * Gives back what only the start has needed: a tenth of the process. The engine would keep it for the garbage of
 * requests to come, and the next thorough collection might be hours away. An edge keeps it: its young generation would
 * stay at a quarter of its size, and collections would take a seventh of the time of a hit.
 */
function giveBackMemory({ edge }: Config): void {
  if (edge !== undefined) return
  garbageCollector()({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
