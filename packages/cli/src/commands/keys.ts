/** The key-encryption keys of a server: not the keys of accounts, which are `kumoi key`. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { mustCall } from '../calls.ts'
import { type Connection, connect } from '../connection.ts'
import { addConnectionOptions } from '../connection-options.ts'
import { EXIT, Failure } from '../failure.ts'

/** Between two questions how far a rotation is. */
const POLL_MS = 500

interface Status {
  readonly ids: readonly string[]
  readonly rotation: {
    readonly finished_at: string | null
    readonly resealed: number
    readonly failed: number
  } | null
  readonly removable: readonly string[]
}

interface Kind {
  readonly kind: string
  readonly result: 'opened' | 'empty' | 'failed'
  readonly under: string | null
  readonly reason: string | null
}

export function addKeys(program: Command): void {
  const keys = program
    .command('keys')
    .description('The key-encryption keys of the server (docs/operating.md).')
  const rotate = keys
    .command('rotate')
    .description('Seals every stored secret again under the newest key, and waits for the end.')
  addConnectionOptions(rotate).action((options) => rotateKeys(connect(options)))
  const check = keys.command('check').description('Opens one stored secret of each kind.')
  addConnectionOptions(check).action((options) => checkKeys(connect(options)))
}

/** The server goes on when this program is ended; started again, it waits on. */
async function rotateKeys({ client }: Connection): Promise<void> {
  const status = async (operation: 'encryptionRead' | 'encryptionRotate'): Promise<Status> =>
    Object(await mustCall(client, operation))
  let found = await status('encryptionRotate')
  while (found.rotation?.finished_at === null) {
    await sleep(POLL_MS)
    found = await status('encryptionRead')
  }
  if (found.rotation === null) {
    throw new Failure(
      'A server that seals under another key was started meanwhile, so nothing can be said.',
      EXIT.failed,
      'Give all servers the same key file, and start again.',
    )
  }
  const { resealed, failed } = found.rotation
  say(`${resealed} values were sealed again under ${nameOf(found.ids[0])}.`)
  if (failed > 0) {
    throw new Failure(
      `${failed} values could not be opened: keep the older keys.`,
      EXIT.failed,
      'The log of the server names their tables and the reasons.',
    )
  }
  if (found.removable.length === 0) say('The key file has no older key.')
  else {
    const names = found.removable.map(nameOf).join(', ')
    say(`Nothing needs ${names} any more, once no server seals under it:`)
    say('take it out of the key file of every server, and keep it with the backups that need it.')
  }
}

async function checkKeys({ client }: Connection): Promise<void> {
  const { ok, kinds }: { ok: boolean; kinds: Kind[] } = Object(
    await mustCall(client, 'encryptionCheck'),
  )
  for (const { kind, result, under, reason } of kinds) {
    const detail = reason ?? (under === null ? 'there is none' : `under ${nameOf(under)}`)
    say(`${result.padEnd(7)} ${kind.padEnd(28)} ${detail}`)
  }
  if (!ok) {
    throw new Failure('Some values do not open.', EXIT.failed, 'Add their key to the key file.')
  }
}

function nameOf(id: string | undefined): string {
  return id ? `the key ${id}` : 'the key without an id'
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
