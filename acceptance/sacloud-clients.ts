/** A server with the profile of existing clients, and requests as they put them on the wire. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { AcceptanceEngine } from './engines.ts'
import { sendRaw } from './raw-http.ts'
import { start, temporaryFolder } from './server.ts'

export const ICCID = '8981040000000000001'

export async function open(t: TestContext, engine: AcceptanceEngine) {
  const data = temporaryFolder(t)
  const clock = 'frozen@2026-04-01T00:00:00+09:00'
  const flags = ['--profile', 'sacloud', '--http-port', '0', '--clock', clock]
  const server = await start(data, [...(await engine.flags()), ...flags])
  t.after(() => server.stop())
  const port = Number(/Plain HTTP +http:\/\/127\.0\.0\.1:(\d+)/.exec(server.banner)?.[1])
  const token = readFileSync(join(data, 'operator.token'), 'utf8').trim()
  const authorization = `Basic ${Buffer.from('demo-token:demo-secret').toString('base64')}`
  /** What every Go client sends along. */
  const headers = { authorization, 'X-Sakura-Bigint-As-Int': '1' }
  const base = '/cloud/zone/is1a/api'
  const call = (method: string, path: string, body?: unknown, more = {}) =>
    sendRaw(port, {
      line: `${method} ${base}${path}`,
      headers: { ...headers, ...more },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  return {
    port,
    authorization,
    call,
    iaas: (method: string, path: string, body?: unknown, more = {}) =>
      call(method, `/cloud/1.1${path}`, body, more),
    web: (method: string, path: string, body?: unknown) =>
      call(method, `/webaccel/1.0${path}`, body),
    operator: (method: string, path: string, body?: unknown) =>
      server.operator(method, path, token, body),
    advance: (by: string) => server.operator('POST', '/clock/advance', token, { by }),
  }
}

export type Clients = Awaited<ReturnType<typeof open>>
