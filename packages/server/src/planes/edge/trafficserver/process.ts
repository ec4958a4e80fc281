/** Runs Traffic Server: its manager, which runs the server and starts it again when it ends. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pause } from '../../../kernel/clock.ts'

const PROGRAM = '/usr/bin/traffic_manager'
const CONTROL = '/usr/bin/traffic_ctl'
const START_LIMIT_MS = 30_000
const STOP_LIMIT_MS = 8000
const ANSWER_LIMIT_MS = 2000
const CONTROL_LIMIT_MS = 10_000
const OUTPUT_KEPT = 2000

export class TrafficServerProcess {
  readonly #child: ChildProcess
  readonly #folder: string
  readonly #ended: Promise<void>
  /** The end of what it has written, for a message. */
  #output = ''

  private constructor(folder: string, onEnd: (output: string) => void) {
    this.#folder = folder
    this.#child = spawn(PROGRAM, [`--run-root=${folder}`], { stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output = (this.#output + text).slice(-OUTPUT_KEPT)
      })
    }
    this.#ended = new Promise((resolve) => {
      this.#child.once('error', (error) => {
        this.#output += error.message
        resolve()
      })
      this.#child.once('close', () => resolve())
    })
    void this.#ended.then(() => onEnd(this.#output))
  }

  /** Fulfilled when it answers. */
  static async start(
    folder: string,
    address: { readonly host: string; readonly port: number },
    onEnd: (output: string) => void,
  ): Promise<TrafficServerProcess> {
    await endLeftovers(folder)
    let hasEnded = false
    const traffic = new TrafficServerProcess(folder, (output) => {
      hasEnded = true
      onEnd(output)
    })
    for (let waited = 0; waited < START_LIMIT_MS; waited += 100) {
      if (hasEnded) throw new Error(`Traffic Server did not start: ${traffic.#output.trim()}`)
      if (await answers(address)) return traffic
      await pause(100)
    }
    await traffic.stop()
    throw new Error(`Traffic Server does not listen: ${traffic.#output.trim()}`)
  }

  /** Reads changed files again; it happens a moment after this is fulfilled. */
  async reload(): Promise<void> {
    await this.#control('config', 'reload')
  }

  async metric(name: string): Promise<number> {
    const text = await this.#control('metric', 'get', name)
    return Number(text.trim().split(/\s+/).at(-1)) || 0
  }

  async #control(...args: string[]): Promise<string> {
    const options = { timeout: CONTROL_LIMIT_MS }
    const all = [`--run-root=${this.#folder}`, ...args]
    return (await promisify(execFile)(CONTROL, all, options)).stdout
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGTERM')
    const limit = pause(STOP_LIMIT_MS).then(() => this.#child.kill('SIGKILL'))
    await Promise.race([this.#ended, limit])
    await this.#ended
  }
}

/** One of a process of ours that was killed: it would keep the ports, and nobody would count its log. */
async function endLeftovers(folder: string): Promise<void> {
  const isOurs = (pid: number) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`--run-root=${folder}`)
    } catch {
      return false
    }
  }
  for (const name of ['manager.lock', 'server.lock']) {
    const text = await readFile(join(folder, 'run', name), 'utf8').catch(() => '')
    const pid = Number(text.trim())
    if (!(pid > 1) || !isOurs(pid)) continue
    process.kill(pid, 'SIGKILL')
    while (isOurs(pid)) await pause(20)
  }
}

/** Whether it answers: its manager accepts connections before it. On a TLS port the answer is an alert. */
function answers({ host, port }: { host: string; port: number }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host, port })
    const done = (result: boolean) => {
      socket.destroy()
      resolve(result)
    }
    socket.setTimeout(ANSWER_LIMIT_MS, () => done(false))
    socket.once('connect', () => socket.write('GET / HTTP/1.0\r\n\r\n'))
    socket.once('data', () => done(true)).once('error', () => done(false))
    socket.once('close', () => done(false))
  })
}
