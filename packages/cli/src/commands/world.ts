/** The world as a whole: applied, exported, reset. */
import { readFileSync, writeFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import { mustCall } from '../calls.ts'
import { connect } from '../connection.ts'
import { addConnectionOptions } from '../connection-options.ts'
import { EXIT, Failure } from '../failure.ts'
import { print } from '../output.ts'

export function addApply(program: Command): void {
  const command = program
    .command('apply')
    .description('Applies world files, one after the other. What is there already stays.')
    .argument('<files...>', 'YAML or JSON; - is standard input')
    .option('--replace', 'also what the interface has changed since')
    .option('--json', 'the whole answer as JSON')
  addConnectionOptions(command).action(async (files: string[], options) => {
    const { client } = connect(options)
    for (const file of files) {
      const world = file === '-' ? await text(process.stdin) : read(file)
      const query = {
        mode: options.replace ? 'replace' : 'add',
        file: file === '-' ? 'standard input' : file,
      }
      print(await mustCall(client, 'worldApply', { text: world, query }), options)
    }
  })
}

export function addExport(program: Command): void {
  const command = program
    .command('export')
    .description('Writes the world as JSON, secrets sealed. kumoi apply reads it.')
    .option('--output <FILE>', 'instead of standard output')
  addConnectionOptions(command).action(async (options) => {
    const { client } = connect(options)
    const { is_ok: _, ...world } = Object(await mustCall(client, 'worldRead'))
    const json = `${JSON.stringify(world, null, 2)}\n`
    if (options.output === undefined) process.stdout.write(json)
    else writeFileSync(options.output, json, { mode: 0o600 })
  })
}

export function addReset(program: Command): void {
  const command = program
    .command('reset')
    .description('Puts the whole state back.')
    .argument('[to]', 'empty, world, or the name of a snapshot', 'world')
  addConnectionOptions(command).action(async (to: string, options) => {
    const { client } = connect(options)
    print(await mustCall(client, 'reset', { body: { to } }), {})
  })
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new Failure(`The file ${file} cannot be read.`, EXIT.usage, undefined, cause)
  }
}
