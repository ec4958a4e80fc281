#!/usr/bin/env node
/** The command line. `serve` runs the server of this installation; `env` prints what clients need. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { environmentLines, readAddresses } from './environment.ts'

const HELP = `Usage: kumoi serve [settings]    start the server (kumoi serve --help lists the settings)
       kumoi env [--data DIR]    print variables for clients: eval "$(kumoi env)"
`

const [command, ...rest] = process.argv.slice(2)

switch (command) {
  case 'serve':
    serve(rest)
    break
  case 'env':
    printEnvironment(rest)
    break
  case 'help':
  case '--help':
    process.stdout.write(HELP)
    break
  default:
    process.stderr.write(command === undefined ? HELP : `kumoi: there is no command ${command}.\n`)
    process.exitCode = 2
}

/** As `npm start` has it: a server lives on little young garbage, and memory is what it costs. */
const SMALL_HEAP = ['--max-semi-space-size=2']

/** A process of its own: the command line never loads the server's code. */
function serve(settings: readonly string[]): void {
  const main = fileURLToPath(import.meta.resolve('@kumoi/server'))
  const child = spawn(process.execPath, [...SMALL_HEAP, main, ...settings], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  child.once('exit', (code) => {
    process.exitCode = code ?? 1
  })
}

function printEnvironment(args: readonly string[]): void {
  const [flag, folder = './data', ...more] = args.length === 0 ? ['--data'] : args
  if (flag !== '--data' || more.length > 0) {
    process.stderr.write(HELP)
    process.exitCode = 2
    return
  }
  const addresses = readAddresses(folder)
  if (addresses === undefined) {
    process.stderr.write(`kumoi: no server is running with the data folder ${folder}.\n`)
    process.exitCode = 1
    return
  }
  process.stdout.write(environmentLines(addresses))
}
