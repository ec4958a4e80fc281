import type { Command } from 'commander'
import { exitOf, PassedSignals, spawnServer } from '../server-process.ts'

/** `serve`, `edge`, `backup` and `restore` are the server's own: it reads their settings, `--help` among them. */
export function addServerCommand(program: Command, args: readonly string[]): void {
  const [name = '', ...settings] = args
  program
    .command(name)
    .helpOption(false)
    .allowUnknownOption()
    .argument('[settings...]')
    .action(async () => {
      const signals = new PassedSignals()
      const own = name === 'serve' ? settings : args
      const server = signals.to(spawnServer(own, { stdio: 'inherit' }))
      process.exit(await exitOf(server))
    })
}
