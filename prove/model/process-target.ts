/** A server as a process of its own, over sockets, on files: what can be killed. */
import { once } from 'node:events'
import { Agent, request as httpRequest } from 'node:http'
import { join } from 'node:path'
import {
  type ServerProcess,
  serverFolder,
  startProcess,
} from '../../packages/server/src/testing/server-process.ts'
import { WORLD } from './cloud-target.ts'
import type { Request } from './command.ts'
import type { Answer } from './compare.ts'
import type { Target } from './target.ts'

const START = 'frozen@2026-04-01T00:00:00+09:00'

export async function openProcessTarget(seed: number): Promise<Target> {
  const ends: (() => void)[] = []
  const after = { after: (end: () => void) => void ends.unshift(end) }
  const folder = serverFolder(after, WORLD)
  let starts = 0
  let agent: Agent
  const start = () => {
    starts += 1
    agent = new Agent({ keepAlive: true })
    return startProcess(after, folder, [
      ...['--data', join(folder, 'data'), '--log-level', 'error', '--check-answers'],
      ...['--fault-header', '--clock', START, '--seed', `${seed} ${starts}`],
    ])
  }
  let server: ServerProcess = await start()
  const stop = async (signal: NodeJS.Signals) => {
    const { child } = server
    const ended = once(child, 'close')
    child.kill(signal)
    await ended
    agent.destroy()
  }
  const again = async (signal: NodeJS.Signals) => {
    await stop(signal)
    server = await start()
  }
  return {
    send: (request) => send(server.origin, agent, request),
    restart: () => again('SIGTERM'),
    kill: () => again('SIGKILL'),
    async close() {
      await stop('SIGKILL')
      for (const end of ends) end()
    },
  }
}

function send(origin: string, agent: Agent, request: Request): Promise<Answer | undefined> {
  const { method, path, headers, body } = request
  return new Promise((resolve) => {
    const none = () => resolve(undefined)
    const outgoing = httpRequest(`${origin}${path}`, { method, headers, agent }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
      })
      response.once('error', none).once('end', () => {
        const isJson = response.headers['content-type']?.startsWith('application/json')
        resolve({ status: response.statusCode ?? 0, body: isJson ? JSON.parse(text) : text })
      })
    })
    outgoing.once('error', none)
    outgoing.end(body)
  })
}
