/**
 * Sends Disconnect and CoA by FreeRADIUS's `radclient`, one process for the packets of an element. The secret is
 * neither an argument nor in the environment, which others can read, but in a file that is unlinked before the
 * program starts, which inherits it open: it has a name for a moment only, in a folder of our own.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Packet,
  SEND_SECONDS_MAX,
  type Sender,
  type SendResult,
  type Target,
} from '../../services/element-requests/public.ts'
import { answersIn } from './output-rules.ts'
import { packetsText } from './packet-text.ts'

/**
 * A time below a second lets radclient wait for all packets together, until the clock shows the next second; two
 * of them are one second at least. A whole second would make it wait for one packet after the other.
 */
const LIMITS = ['-r', '2', '-t', '0.9']
/** Of radclient itself: what it prints about fifty packets is a tenth of that. */
const OUTPUT_LENGTH_MAX = 1_000_000
/** Nothing of the server's own environment is the program's business. */
const ENVIRONMENT = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' }
/** The file descriptor of the secret in the program: the first after the three standard ones. */
const SECRET_FILE = '/dev/fd/3'

interface Ended {
  readonly stdout: string
  readonly stderr: string
  /** Why it did not start. */
  readonly problem: string | undefined
}

export class Radclient implements Sender {
  readonly #program: string

  constructor(program = 'radclient') {
    this.#program = program
  }

  async send(target: Target, packets: readonly Packet[]): Promise<SendResult> {
    const { host, port, secret, relayTo } = target
    const file = await secretFile(secret)
    try {
      const atOnce = ['-p', String(packets.length)]
      const args = ['-x', ...LIMITS, ...atOnce, '-S', SECRET_FILE, `${host}:${port}`, 'auto']
      const ended = await this.#run(args, packetsText(packets, relayTo), file)
      if (ended.problem !== undefined) return { outcome: 'unavailable', reason: ended.problem }
      // It sends nothing when it cannot read its dictionary or resolve a name.
      if (!ended.stdout.includes('Sent ')) {
        return { outcome: 'unavailable', reason: firstText(ended.stderr) }
      }
      return { outcome: 'sent', answers: answersIn(ended.stdout, ended.stderr, packets.length) }
    } finally {
      await file.close()
    }
  }

  async check() {
    const { stdout, stderr, problem } = await this.#run(['-v'], '', undefined)
    const detail = problem ?? firstText(stdout || stderr)
    return { ok: problem === undefined, detail }
  }

  #run(args: readonly string[], input: string, secret: FileHandle | undefined): Promise<Ended> {
    const child = spawn(this.#program, args, {
      stdio: ['pipe', 'pipe', 'pipe', ...(secret === undefined ? [] : [secret.fd])],
      env: ENVIRONMENT,
      timeout: (SEND_SECONDS_MAX - 1) * 1000,
      killSignal: 'SIGKILL',
    })
    // It may end before it has read everything.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(input)
    return outputOf(child, this.#program)
  }
}

/** Open for reading, and without a name. */
async function secretFile(secret: string): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'kumoi-radius-'))
  const path = join(folder, 'secret')
  try {
    const file = await open(path, 'wx', 0o600)
    await file.writeFile(`${secret}\n`)
    await file.close()
    return await open(path, 'r')
  } finally {
    await rm(folder, { recursive: true })
  }
}

function outputOf(child: ChildProcess, program: string): Promise<Ended> {
  return new Promise((resolve) => {
    const texts = { stdout: '', stderr: '' }
    const keep = (name: 'stdout' | 'stderr') => (chunk: string) => {
      texts[name] += chunk
      if (texts[name].length > OUTPUT_LENGTH_MAX) child.kill('SIGKILL')
    }
    child.stdout?.setEncoding('utf8').on('data', keep('stdout'))
    child.stderr?.setEncoding('utf8').on('data', keep('stderr'))
    child.once('error', (error: NodeJS.ErrnoException) => {
      const problem =
        error.code === 'ENOENT' ? `${program} is not installed` : `${program}: ${error.message}`
      resolve({ ...texts, problem })
    })
    child.once('close', () => resolve({ ...texts, problem: undefined }))
  })
}

function firstText(output: string): string {
  return output.trim().split('\n')[0]?.slice(0, 300) || 'radclient has printed nothing'
}
