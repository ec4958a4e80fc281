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
      const isServe = name === 'serve'
      const server = signals.to(
        spawnServer(isServe ? settings : args, { stdio: 'inherit' }, isServe ? nodeOptions() : []),
      )
      process.exit(await exitOf(server))
    })
}

/** Not those of NODE_OPTIONS: this command starts a process, which Node's permission model would refuse. */
function nodeOptions(): string[] {
  return process.env.KUMOI_NODE_OPTIONS?.split(' ').filter((option) => option !== '') ?? []
}
