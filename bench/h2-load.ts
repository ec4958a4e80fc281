/**
 * Load by HTTP/2 with TLS, in a process of its own: some connections with many streams each, of which the next begins
 * when one is answered. Started by processes.ts as load.ts is, and prints the same.
 */
import { type ClientHttp2Session, connect } from 'node:http2'
import { CONNECTED, type LoadResult } from './load.ts'

export interface Http2Load {
  readonly port: number
  readonly authority: string
  readonly path: string
  readonly connections: number
  readonly streams: number
  readonly seconds: number
}

async function run(load: Http2Load): Promise<LoadResult> {
  const sessions = await Promise.all(Array.from({ length: load.connections }, () => open(load)))
  process.stdout.write(CONNECTED)
  const times: number[] = []
  let failures = 0
  const began = performance.now()
  const end = began + load.seconds * 1000
  const one = async (session: ClientHttp2Session) => {
    while (performance.now() < end) {
      const sentAt = performance.now()
      const status = await ask(session, load)
      if (status !== 200) failures += 1
      times.push(performance.now() - sentAt)
    }
  }
  await Promise.all(
    sessions.flatMap((session) => Array.from({ length: load.streams }, () => one(session))),
  )
  const seconds = (performance.now() - began) / 1000
  times.sort((a, b) => a - b)
  const at = (share: number) => Math.round((times[Math.floor(times.length * share)] ?? 0) * 10) / 10
  const perSecond = Math.round(times.length / seconds)
  return {
    ...{ requests: times.length, failures, seconds, perSecond },
    p50: at(0.5),
    p99: at(0.99),
  }
}

function open({ port, authority }: Http2Load): Promise<ClientHttp2Session> {
  // The certificate is the local CA's, or one made for the run: what is measured is not whether it is trusted.
  const options = { servername: authority, rejectUnauthorized: false }
  const session = connect(`https://127.0.0.1:${port}`, options)
  return new Promise((resolve, reject) => {
    session.once('connect', () => resolve(session))
    session.once('error', reject)
  })
}

function ask(session: ClientHttp2Session, { authority, path }: Http2Load): Promise<number> {
  return new Promise((resolve) => {
    let status = 0
    const stream = session.request({ ':path': path, ':authority': authority })
    stream.on('response', (headers) => {
      status = headers[':status'] ?? 0
    })
    stream.resume()
    stream.on('close', () => resolve(status))
    stream.on('error', () => undefined)
  })
}

const result = await run(JSON.parse(process.argv[2] ?? '{}'))
process.stdout.write(`${JSON.stringify(result)}\n`)
process.exit(0)
