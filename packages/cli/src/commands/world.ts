/** The world as a whole: applied, exported, reset. */
import { readFileSync, writeFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { type Command, Option } from 'commander'
import { mustCall } from '../calls.ts'
import { confirm } from '../confirm.ts'
import { connect } from '../connection.ts'
import { addConnectionOptions } from '../connection-options.ts'
import { EXIT, Failure } from '../failure.ts'
import { formatData, print } from '../output.ts'
import { addOutputOptions } from '../output-options.ts'

export function addApply(program: Command): void {
  const command = program
    .command('apply')
    .description('Applies world files, one after the other. What is there already stays.')
    .argument('<files...>', 'YAML or JSON; - is standard input')
    .option('--replace', 'also what the interface has changed since')
    .option('--yes', 'replace without a question')
  addConnectionOptions(addOutputOptions(command)).action(async (files: string[], options) => {
    const { client } = connect(options)
    if (options.replace) {
      const what = 'kumoi apply --replace: takes back what the interface has changed since.'
      await confirm(what, options.yes === true)
    }
    for (const file of files) {
      const world = file === '-' ? await text(process.stdin) : read(file)
      const query = {
        mode: options.replace ? 'replace' : 'add',
        file: file === '-' ? 'standard input' : file,
      }
      await print(await mustCall(client, 'worldApply', { text: world, query }), options)
    }
  })
}

export function addExport(program: Command): void {
  const command = program
    .command('export')
    .description('Writes the world as JSON or YAML, secrets sealed. kumoi apply reads it.')
    .option('--save-as <FILE>', 'instead of standard output')
    .addOption(new Option('-o, --output <FORMAT>', 'the form').choices(['json', 'yaml']))
  addConnectionOptions(command).action(async (options) => {
    const { client } = connect(options)
    const { is_ok: _, ...world } = Object(await mustCall(client, 'worldRead'))
    const text = await formatData(world, options.output ?? 'json')
    if (options.saveAs === undefined) process.stdout.write(text)
    else writeFileSync(options.saveAs, text, { mode: 0o600 })
  })
}

export function addReset(program: Command): void {
  const command = program
    .command('reset')
    .description('Puts the whole state back.')
    .argument('[to]', 'empty, world, or the name of a snapshot', 'world')
    .option('--yes', 'do it without a question')
  addConnectionOptions(command).action(async (to: string, options) => {
    const { client } = connect(options)
    await confirm(`kumoi reset ${to}: all that is on the server is replaced.`, options.yes === true)
    await print(await mustCall(client, 'reset', { body: { to } }), {})
  })
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new Failure(`The file ${file} cannot be read.`, EXIT.usage, undefined, cause)
  }
}
