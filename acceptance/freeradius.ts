/** FreeRADIUS as `kumoi radius config` configures it, and packets of packet gateways by radclient. */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { installPackages } from './debian.ts'
import { freeUdpPort } from './ports.ts'
import { KUMOI } from './server.ts'

const FREERADIUS = '/usr/sbin/freeradius'
const PARTS = [FREERADIUS, '/usr/bin/radclient', '/usr/lib/freeradius/rlm_rest.so']
const isMissing = () => !PARTS.every((path) => existsSync(path))

if (isMissing()) installPackages('freeradius', 'freeradius-rest', 'freeradius-utils')

/** Why tests with it do not run; false when they do. */
export const noFreeradius =
  isMissing() &&
  'there is no FreeRADIUS (the Debian packages freeradius, freeradius-rest, freeradius-utils)'

interface Ending {
  after(end: () => unknown): void
}

export interface Reply {
  /** Access-Accept and so on; undefined when there was no answer. */
  readonly type: string | undefined
  /** In the order of the packet, as radclient prints them. */
  readonly attributes: readonly (readonly [name: string, value: string])[]
}

/** `Name = value`, as radclient reads it. */
export type Attributes = Readonly<Record<string, string | number>>

export class Freeradius {
  readonly folder: string
  readonly authPort: number
  readonly acctPort: number
  #process: ChildProcess | undefined
  /** What it has logged. */
  log = ''

  constructor(folder: string, authPort: number, acctPort: number) {
    this.folder = folder
    this.authPort = authPort
    this.acctPort = acctPort
  }

  get pid(): number {
    return this.#process?.pid ?? 0
  }

  async start(): Promise<void> {
    const args = ['-d', this.folder, '-f', '-l', 'stdout']
    const child = spawn(FREERADIUS, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    this.#process = child
    this.log = ''
    await new Promise<void>((resolve, reject) => {
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        this.log += text
        if (this.log.includes('Ready to process requests')) resolve()
      })
      child.once('exit', () => reject(new Error(`FreeRADIUS has ended:\n${this.log}`)))
    })
  }

  async stop(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#process
    this.#process = undefined
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    await once(child, 'exit')
  }

  /** Asks for access, as the packet gateway at this address. */
  async authorize(nas: Nas, attributes: Attributes): Promise<Reply> {
    return radclient(`127.0.0.1:${this.authPort}`, 'auth', nas, attributes)
  }

  async account(nas: Nas, attributes: Attributes): Promise<Reply> {
    return radclient(`127.0.0.1:${this.acctPort}`, 'acct', nas, attributes)
  }
}

export interface Nas {
  readonly address: string
  readonly secret: string
}

async function radclient(
  to: string,
  command: 'auth' | 'acct',
  { address, secret }: Nas,
  attributes: Attributes,
): Promise<Reply> {
  const lines = [`Packet-Src-IP-Address = ${address}`]
  for (const [name, value] of Object.entries(attributes)) {
    lines.push(`${name} = ${typeof value === 'string' ? JSON.stringify(value) : value}`)
  }
  const running = promisify(execFile)('radclient', [
    ...['-x', '-r', '1', '-t', '3'],
    ...[to, command, secret],
  ])
  running.child.stdin?.end(`${lines.join('\n')}\n`)
  // It fails for a refusal, too; what came is in its output.
  const { stdout } = await running.catch((error: { stdout: string }) => error)
  const [, received = ''] = stdout.split(/^Received /m)
  const [head = '', ...rest] = received.split('\n')
  const attributesOf = rest.flatMap((text) => {
    const [, name, value] = /^\t(\S+) = (.*)$/.exec(text) ?? []
    return name === undefined || value === undefined ? [] : [[name, unquoted(value)] as const]
  })
  return { type: head === '' ? undefined : head.split(' ')[0], attributes: attributesOf }
}

function unquoted(value: string): string {
  return value.startsWith('"') ? JSON.parse(value) : value
}

/** Runs `kumoi radius config` beside a server on this machine. */
export function writeConfig(data: string, args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [KUMOI, 'radius', 'config', '--data', data, ...args],
    { encoding: 'utf8' },
  )
  return { status, stdout, stderr }
}

/** What `freeradius -XC` says to a configuration; its status is 0 for a right one. */
export function checkConfig(folder: string): { status: number | null; output: string } {
  const { status, stdout } = spawnSync(FREERADIUS, ['-d', folder, '-XC'], { encoding: 'utf8' })
  return { status, output: stdout }
}

/** On ports of its own, for the network elements of the server with this data folder. */
export async function startFreeradius(
  t: Ending,
  folder: string,
  data: string,
  args: readonly string[] = [],
): Promise<Freeradius> {
  const [auth, acct] = [await freeUdpPort(), await freeUdpPort()]
  const out = join(folder, 'raddb')
  const ports = ['--listen', '127.0.0.1', '--auth-port', `${auth}`, '--acct-port', `${acct}`]
  const { status, stderr } = writeConfig(data, ['--out', out, ...ports, ...args])
  if (status !== 0) throw new Error(stderr)
  const freeradius = new Freeradius(out, auth, acct)
  t.after(() => freeradius.stop())
  await freeradius.start()
  return freeradius
}
