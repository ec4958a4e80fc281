/** Starts the real server as a process of its own, as a user would, and speaks HTTPS to it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, type RequestOptions, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const packed = process.env.TEST_PACKAGE
/** The sources, unless the test command has packed them. */
export const MAIN =
  packed === undefined
    ? fileURLToPath(new URL('../packages/server/src/main.mjs', import.meta.url))
    : join(packed, 'dist/server.cjs')
export const KUMOI =
  packed === undefined
    ? fileURLToPath(new URL('../packages/cli/src/kumoi.mjs', import.meta.url))
    : join(packed, 'dist/kumoi.cjs')

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs it to its end: for what does not start. */
export function run(args: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const child = launch(args, environment)
  return outputOf(child)
}

export function launch(
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
  folder = process.cwd(),
  program = MAIN,
): ChildProcess {
  return spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

function outputOf(child: ChildProcess): Promise<Ended> {
  let stdout = ''
  let stderr = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr?.setEncoding('utf8').on('data', (chunk) => {
    stderr += chunk
  })
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ code, stdout, stderr }))
  })
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly body: any
}

export interface ServerProcess {
  readonly banner: string
  readonly origin: string
  readonly ca: string
  readonly process: ChildProcess
  ask(
    method: string,
    path: string,
    options?: { body?: unknown; key?: string; agent?: Agent },
  ): Promise<Answer>
  operator(method: string, path: string, token: string, body?: unknown): Promise<Answer>
  stop(signal?: NodeJS.Signals): Promise<Ended>
}

/** Fulfilled when the banner has said that it is ready. */
export function bannerOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    let complaint = ''
    child.stdout?.on('data', (chunk) => {
      text += chunk
      // A terminal ends lines by two characters.
      if (/\nReady\.\r?\n/.test(text)) resolve(text)
    })
    child.stderr?.on('data', (chunk) => {
      complaint += chunk
    })
    child.once('close', () => reject(new Error(`The server did not start: ${complaint}`)))
  })
}

export async function start(
  data: string,
  args: readonly string[] = [],
  environment: NodeJS.ProcessEnv = {},
  program = MAIN,
): Promise<ServerProcess> {
  const port = args.includes('--port') ? [] : ['--port', '0']
  const flags = [...port, '--data', data, '--log-level', 'error', ...args]
  const child = launch(flags, environment, process.cwd(), program)
  const ended = outputOf(child)
  const banner = await bannerOf(child)
  const origin = /API +(https:\/\/\S+)\/cloud/.exec(banner)?.[1]
  if (origin === undefined) throw new Error(`No address in the banner:\n${banner}`)
  const ca = readFileSync(join(data, 'tls', 'ca.pem'), 'utf8')
  const kept = new Agent({ keepAlive: true, maxSockets: 64, ca })
  return {
    banner,
    origin,
    ca,
    process: child,
    ask: (method, path, { body, key = 'demo-token:demo-secret', agent = kept } = {}) =>
      send(`${origin}${path}`, { method, agent, auth: key }, body),
    operator: (method, path, token, body) =>
      send(
        `${origin}/_kumoi/v1${path}`,
        { method, agent: kept, headers: { authorization: `Bearer ${token}` } },
        body,
      ),
    stop(signal = 'SIGTERM') {
      kept.destroy()
      child.kill(signal)
      return ended
    },
  }
}

function send(url: string, options: RequestOptions, body: unknown): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, options, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
      })
      response.once('error', reject).once('end', () => {
        const isJson = String(response.headers['content-type']).startsWith('application/json')
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: isJson && text !== '' ? JSON.parse(text) : text,
        })
      })
    })
    outgoing.once('error', reject)
    outgoing.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

export function temporaryFolder(t: { after(work: () => void): void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'kumoi-acceptance-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export const CLOUD = '/cloud/zone/is1a/api/cloud/1.1'
