import type { Command } from 'commander'
import { exitOf, PassedSignals, spawnServer } from '../server-process.ts'

/** The server reads its own settings, `--help` among them. */
export function addServe(program: Command, args: readonly string[]): void {
  program
    .command('serve')
    .helpOption(false)
    .allowUnknownOption()
    .argument('[settings...]')
    .action(async () => {
      const signals = new PassedSignals()
      const server = signals.to(spawnServer(args.slice(1), { stdio: 'inherit' }))
      process.exit(await exitOf(server))
    })
}
