/** `kumoi edge` as a process of its own, and requests to an edge. */
import type { ChildProcess } from 'node:child_process'
import { type ClientRequestArgs, request } from 'node:http'
import { join } from 'node:path'
import { bannerOf, launch, type ServerProcess } from './server.ts'

export interface EdgeProcess {
  readonly banner: string
  readonly port: number
  readonly tlsPort: number | undefined
  readonly statusPort: number
  readonly process: ChildProcess
  /** Fulfilled when it has ended. */
  stop(signal?: NodeJS.Signals): Promise<void>
}

export interface EdgeStart {
  /** Of the server, for its token and its CA. */
  readonly serverData: string
  readonly server: Pick<ServerProcess, 'origin'>
  readonly data: string
  readonly args?: readonly string[]
}

export async function startEdgeProcess(start: EdgeStart): Promise<EdgeProcess> {
  const { serverData, server, data, args = [] } = start
  const own = [
    ...['edge', '--server', server.origin, '--token-file', join(serverData, 'edge.token')],
    ...['--ca-file', join(serverData, 'tls', 'ca.pem'), '--data', data, '--edge-port', '0'],
    ...['--status-port', '0', '--private-targets', 'allow', '--log-level', 'silent', ...args],
  ]
  // Not by the command line, which would leave it behind when it is killed.
  const child = launch(own)
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const banner = await bannerOf(child)
  const portOf = (pattern: RegExp) => Number(pattern.exec(banner)?.[1])
  return {
    banner,
    port: portOf(/Edge +http:\/\/\S+:(\d+)/),
    tlsPort: portOf(/Edge +https:\/\/\S+:(\d+)/) || undefined,
    statusPort: portOf(/Status +http:\/\/\S+:(\d+)/),
    process: child,
    stop(signal = 'SIGTERM') {
      child.kill(signal)
      return ended
    },
  }
}

export interface EdgeAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

export function askEdge(port: number, options: ClientRequestArgs): Promise<EdgeAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, agent: false, ...options }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
      })
      answer.once('error', reject)
      const { statusCode: status = 0, headers } = answer
      answer.once('end', () => resolve({ status, headers, text }))
    })
    outgoing.once('error', reject).end()
  })
}
