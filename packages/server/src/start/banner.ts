/** What a newcomer reads first: where everything is, and one line to try it with. */
import { readFileSync } from 'node:fs'
import type { Running } from '../compose.ts'
import type { Config } from '../config.ts'
import { DEMO_KEY } from './demo-world.ts'

export async function banner(config: Config, running: Running): Promise<string> {
  const origin = `https://${hostForUrl(config.host)}:${running.port}`
  const operatorOrigin =
    running.operatorPort === undefined
      ? origin
      : `https://${hostForUrl(config.host)}:${running.operatorPort}`
  const isDemo = await running.knowsKey(DEMO_KEY.token, DEMO_KEY.secret)
  const key = isDemo
    ? `${DEMO_KEY.token}:${DEMO_KEY.secret}`
    : 'as in your world, or made by the operator API'
  const trust = running.caFile === undefined ? '' : `--cacert ${running.caFile} `
  const rows = [
    ['API', `${origin}${config.prefix}`],
    ['Console', `${origin}/`],
    ['API key', key],
    ['CA file', caText(config, running, origin)],
    ['Operator', `${operatorOrigin}/_kumoi/v1`],
    ['  token', operatorTokenText(config, running)],
    ...(running.httpPort === undefined
      ? []
      : [['Plain HTTP', `http://127.0.0.1:${running.httpPort}${config.prefix}`]]),
    ['Variables', 'npx kumoi env'],
  ]
  const example = `curl ${trust}-u ${isDemo ? key : 'TOKEN:SECRET'} ${origin}${config.prefix}/zone/is1a/api/cloud/1.1/auth-status`
  return [
    `Kumoi ${version()}`,
    '',
    ...rows.map(([name = '', value = '']) => `  ${name.padEnd(12)}${value}`),
    '',
    `Try: ${example}`,
    '',
    'Ready.',
    '',
  ].join('\n')
}

function caText(config: Config, running: Running, origin: string): string {
  if (config.tls !== undefined) return 'none: the certificate is yours'
  return running.caFile ?? `in memory; save it from ${origin}/_kumoi/v1/ca.pem`
}

/** Shown only when it is nowhere else to be found. */
function operatorTokenText(config: Config, running: Running): string {
  if (config.operatorToken !== undefined) return 'the one you gave'
  return config.dataFolder === undefined
    ? running.operatorToken
    : `in ${config.dataFolder}/operator.token`
}

function hostForUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

export function version(): string {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  )
  return String(Object(manifest).version)
}
