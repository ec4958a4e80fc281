/** Where everything of a running server is: for the banner, and for `kumoi env` in the data folder. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { DEMO_KEY } from '../services/operator/public.ts'
import { writeDurably } from './data-folder.ts'
import { originOf, type Running } from './server.ts'

export interface Addresses {
  readonly origin: string
  readonly api: string
  readonly operator: string
  /** The same as `api` by plain HTTP, where that is served. */
  readonly plain: string | undefined
  /** Where devices connect by MQTT, by TLS and without. */
  readonly mqtt: readonly string[]
  /** Where the web accelerator delivers, by HTTP and by HTTPS. */
  readonly edge: readonly string[]
  readonly caFile: string | undefined
  /** Only of the demo world, whose key is no secret. */
  readonly key: { readonly token: string; readonly secret: string } | undefined
}

export async function addressesOf(config: Config, running: Running): Promise<Addresses> {
  const origin = originOf(config.host, running.port)
  const isDemo = await running.knowsKey(DEMO_KEY.token, DEMO_KEY.secret)
  return {
    origin,
    api: `${origin}${config.prefix}`,
    plain:
      running.httpPort === undefined
        ? undefined
        : `http://127.0.0.1:${running.httpPort}${config.prefix}`,
    mqtt: [
      ...(running.mqtt.port === undefined
        ? []
        : [`mqtts://${new URL(origin).hostname}:${running.mqtt.port}`]),
      ...(running.mqtt.plainPort === undefined
        ? []
        : [`mqtt://127.0.0.1:${running.mqtt.plainPort}`]),
    ],
    edge: edgeAddresses(config, running),
    operator: `${originOf(config.host, running.operatorPort ?? running.port)}/_kumoi/v1`,
    caFile: running.caFile,
    key: isDemo ? DEMO_KEY : undefined,
  }
}

function edgeAddresses({ edge }: Config, running: Running): string[] {
  const { port, tlsPort } = running.edge
  const origin = (at: number) => originOf(edge?.host ?? '', at)
  return [
    ...(port === undefined ? [] : [origin(port).replace('https:', 'http:')]),
    ...(tlsPort === undefined ? [] : [origin(tlsPort)]),
  ]
}

/** Answers with what takes the file away again when the server stops. */
export function publishAddresses(folder: string | undefined, addresses: Addresses): () => void {
  if (folder === undefined) return () => undefined
  const file = join(folder, 'server.json')
  const { api, operator, plain = null, caFile = null, key = null } = addresses
  writeDurably(file, `${JSON.stringify({ pid: process.pid, api, operator, plain, caFile, key })}\n`)
  return () => rmSync(file, { force: true })
}
