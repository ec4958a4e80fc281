/** The files of the data folder besides the database: secrets that are made once and kept. */
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { type EncryptionKeys, KEY_BYTES, oneKey, parseKeyFile } from '../kernel/encryption-key.ts'
import { StartError } from '../kernel/errors.ts'
import { type Random, randomSecret, systemRandom } from '../kernel/random.ts'

const SECRET_LENGTH_MAX = 1024

export function makeFolder(folder: string): void {
  try {
    // The database, its log and all other files are created for their owner alone.
    process.umask(0o077)
    makeWithParents(folder)
    tighten(folder)
    // A folder that exists may still be closed to us: better to hear of it now than later.
    writeDurably(join(folder, '.writable'), '')
  } catch (error) {
    throw new StartError(`The data folder ${folder} cannot be written: ${reason(error)}.`)
  }
}

const STICKY = 0o1000
const OWN_FILES = [
  ...['kumoi.db', 'kumoi.db-wal', 'kumoi.db-shm', 'owner.lock'],
  ...['encryption.key', 'operator.token', 'network.token', 'edge.token', 'server.json'],
]

/** What was there before. A folder of another user, or that many use, such as /tmp, stays as it is. */
function tighten(folder: string): void {
  const { mode, uid } = statSync(folder)
  const isOurs = uid === process.getuid?.() && (mode & STICKY) === 0
  if (isOurs && (mode & 0o077) !== 0) chmodSync(folder, 0o700)
  for (const name of OWN_FILES) {
    const file = join(folder, name)
    if (existsSync(file)) chmodSync(file, 0o600)
  }
}

/** Step by step: the recursive call of Node never returns for some places that cannot be written. */
function makeWithParents(folder: string): void {
  if (existsSync(folder)) return
  const parent = dirname(folder)
  if (parent !== folder) makeWithParents(parent)
  mkdirSync(folder, { mode: 0o700 })
}

export function readOperatorToken(folder: string | undefined, random: Random): string {
  if (folder === undefined) return randomSecret(random)
  return readOrMake(join(folder, 'operator.token'), () => randomSecret(random))
}

/** Of other programs. Not from the seed: nothing that is answered depends on it. */
export function readToken(
  name: 'network' | 'edge',
  folder: string | undefined,
  given: string | { readonly file: string } | undefined,
): string {
  if (typeof given === 'string') return given
  if (given !== undefined) return readSecretFile(`--${name}-token-file`, given.file) ?? ''
  if (folder === undefined) return randomSecret(systemRandom)
  return readOrMake(join(folder, `${name}.token`), () => randomSecret(systemRandom))
}

/**
 * The key-encryption keys. They live outside the database, so that a copy of the database alone opens no
 * secret; whoever loses them has to give every key a new secret.
 */
export function readEncryptionKeys(
  folder: string | undefined,
  keyFile: string | undefined,
  random: Random,
): EncryptionKeys {
  if (keyFile !== undefined) {
    return checkedKeys(keyFile, readNamed(`The key file ${keyFile}`, keyFile))
  }
  const make = () => random.bytes(KEY_BYTES)
  if (folder === undefined) return oneKey(make())
  const file = join(folder, 'encryption.key')
  return checkedKeys(
    file,
    readOrMake(file, () => make().toString('base64')),
  )
}

/** A line that the operator keeps in a file; an empty name is none. */
export function readSecretFile(flag: string, file: string): string | undefined {
  if (file === '') return undefined
  const text = readNamed(`The file ${file} of ${flag}`, file).replace(/\r?\n$/, '')
  if (text === '' || text.length > SECRET_LENGTH_MAX || /[\r\n\0]/.test(text)) {
    const bounds = `one line of 1 to ${SECRET_LENGTH_MAX} characters`
    throw new StartError(`The file ${file} of ${flag} must hold ${bounds}.`)
  }
  return text
}

function checkedKeys(file: string, text: string): EncryptionKeys {
  const keys = parseKeyFile(text)
  if (typeof keys === 'string') throw new StartError(`The key file ${file} ${keys}.`)
  return keys
}

function readNamed(what: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new StartError(`${what} cannot be read: ${reason(error)}.`)
  }
}

function readOrMake(file: string, make: () => string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if (!isMissing(error)) throw new StartError(`${file} cannot be read: ${reason(error)}.`)
  }
  const text = make()
  writeDurably(file, `${text}\n`)
  return text
}

/** Readable by the owner only; there whole or not at all. */
export function writeDurably(file: string, text: string): void {
  const draft = `${file}.tmp`
  // On the disk when it returns. Node's permission model allows that and no fsync.
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_SYNC
  const handle = openSync(draft, flags, 0o600)
  try {
    writeFileSync(handle, text)
  } finally {
    closeSync(handle)
  }
  renameSync(draft, file)
}

export function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // `EACCES: permission denied, open '/x'`: the path is named by the sentence around it.
  const end = 'syscall' in error ? error.message.indexOf(`, ${error.syscall}`) : -1
  return end < 0 ? error.message : error.message.slice(0, end)
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
