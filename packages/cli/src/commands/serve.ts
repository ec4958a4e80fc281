import type { Command } from 'commander'
import { exitOf, passSignals, spawnServer } from '../server-process.ts'

/** The server reads its own settings, `--help` among them. */
export function addServe(program: Command, args: readonly string[]): void {
  program
    .command('serve')
    .helpOption(false)
    .allowUnknownOption()
    .argument('[settings...]')
    .action(async () => {
      const child = spawnServer(args.slice(1), { stdio: 'inherit' })
      passSignals(child)
      process.exit(await exitOf(child))
    })
}
