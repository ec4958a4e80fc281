/** `kumoi audit verify`: the trail of a server, or an export of it. */
import { createReadStream } from 'node:fs'
import { type Command, InvalidArgumentError } from 'commander'
import { checkLines, type Link, linesOf } from '../audit-chain.ts'
import { mustCall } from '../calls.ts'
import { connect } from '../connection.ts'
import { addConnectionOptions } from '../connection-options.ts'
import { EXIT, Failure } from '../failure.ts'
import type { Options } from '../option-names.ts'

interface Answer {
  readonly problem: { readonly number: number; readonly kind: 'missing' | 'changed' } | null
  readonly checked: number
  readonly last: Link
  readonly waiting: number
}

interface VerifyOptions extends Options {
  readonly file?: string
  readonly known?: Link
}

export function addAuditVerify(parent: Command): void {
  const command = parent
    .command('verify')
    .description('Check that no entry of the audit trail is missing or was changed')
    .option('--file <FILE>', 'an export (kumoi audit export), instead of the trail of the server')
    .option('--known <NUMBER:HASH>', 'in the file: what an earlier check ended with', link)
  addConnectionOptions(command).action(async (options: VerifyOptions) => {
    const { file, known, ...place } = options
    if (file === undefined) {
      if (known === undefined) return verifyServer(place)
      throw new Failure('--known needs --file.', EXIT.usage, 'kumoi audit export writes one.')
    }
    const { checked, last, problem } = await verifyFile(file, known)
    report(checked, last, problem)
  })
}

async function verifyServer(options: Options): Promise<void> {
  // The contract of the operation says so.
  const answer = (await mustCall(connect(options).client, 'auditVerify')) as Answer
  const { problem, checked, last, waiting } = answer
  const said = problem?.kind === 'missing' ? 'is missing' : 'was changed'
  report(checked, last, problem === null ? undefined : `Entry ${problem.number} ${said}.`)
  if (waiting > 0) process.stdout.write(`${waiting} newer entries are not chained yet.\n`)
}

async function verifyFile(file: string, known: Link | undefined) {
  try {
    return await checkLines(linesOf(createReadStream(file).setEncoding('utf8')), known)
  } catch (cause) {
    throw new Failure(`The file ${file} cannot be read.`, EXIT.usage, undefined, cause)
  }
}

function report(checked: number, last: Link | undefined, problem: string | undefined): void {
  if (problem !== undefined) {
    const before = checked === 0 ? undefined : `The ${checked} entries before it are as they were.`
    throw new Failure(problem, EXIT.failed, before)
  }
  const end = last === undefined ? '' : ` The last one is ${last.number}:${last.hash}.`
  process.stdout.write(`${checked} entries are as they were written.${end}\n`)
}

function link(text: string): Link {
  const [, number, hash] = /^(\d{1,16}):([0-9a-f]{64})$/.exec(text) ?? []
  if (number !== undefined && hash !== undefined) return { number: Number(number), hash }
  throw new InvalidArgumentError('It must be a number and a hash with a colon between.')
}
