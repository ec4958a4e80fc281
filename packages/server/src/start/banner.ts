/** What a newcomer reads first: where everything is, and one line to try it with. */
import type { Config } from '../config.ts'
import type { Addresses } from './addresses.ts'
import type { Running } from './server.ts'
import { version } from './sources.ts'

/** `isTerminal`: a person reads it, and not the log of whatever started the server. */
export function banner(
  config: Config,
  running: Running,
  addresses: Addresses,
  isTerminal: boolean,
): string {
  const { api, caFile, operator, origin } = addresses
  const key = addresses.key && `${addresses.key.token}:${addresses.key.secret}`
  const rows = [
    ['API', api],
    ['Console', `${origin}/${isTerminal ? linkFragment(config, running, key) : ''}`],
    ['API key', key ?? 'as in your world, or made by the operator API'],
    ['CA file', caText(config, caFile, operator)],
    ['Operator', operator],
    ['  token', operatorTokenText(config, running)],
    ...(addresses.plain === undefined ? [] : [['Plain HTTP', addresses.plain]]),
    ...addresses.mqtt.map((address) => ['MQTT', address]),
    ...addresses.edge.map((address) => ['Edge', address]),
    ...(config.dataFolder === undefined
      ? []
      : [['Variables', environmentCommand(config.dataFolder)]]),
  ]
  const path = '/zone/is1a/api/cloud/1.1/auth-status'
  return [
    `Kumoi ${version()}`,
    '',
    ...rows.map(([name = '', value = '']) => `  ${name.padEnd(12)}${value}`),
    '',
    `Try: curl ${trustOption(config, caFile)}-u ${key ?? 'TOKEN:SECRET'} ${api}${path}`,
    '',
    'Ready.',
    '',
  ].join('\n')
}

/** One that clients trust without us; by ACME it may be there in a moment only. */
function hasPublicCertificate({ tls, acme }: Config): boolean {
  return tls !== undefined || (acme !== undefined && acme.domains.length > 0)
}

/** What curl needs: a CA that is only in memory cannot be named, so its check is left out. */
function trustOption(config: Config, caFile: string | undefined): string {
  if (hasPublicCertificate(config)) return ''
  return caFile === undefined ? '--insecure ' : `--cacert ${caFile} `
}

function caText(config: Config, caFile: string | undefined, operator: string): string {
  if (hasPublicCertificate(config)) return 'none: the certificate is yours'
  return caFile ?? `in memory; save it from ${operator}/ca.pem`
}

/** Shown only when it is nowhere else to be found. */
function operatorTokenText(config: Config, running: Running): string {
  if (config.operatorToken !== undefined) return 'the one you gave'
  if (config.dataFolder === undefined) return running.operatorToken
  return `in ${config.dataFolder}/operator.token`
}

/**
 * Signs the operator in, and the demo account where there is one. Only where no other machine can connect and the
 * token is not one that somebody gave and keeps elsewhere. What follows the `#` is not sent.
 */
function linkFragment(config: Config, running: Running, demoKey: string | undefined): string {
  const isHere = ['127.0.0.1', '::1', 'localhost'].includes(config.host)
  const isOurs = config.mode === 'dev' && config.operatorToken === undefined
  if (!isHere || !isOurs || config.operatorPort !== undefined) return ''
  const key = demoKey === undefined ? '' : `&key=${demoKey}`
  return `#operator=${encodeURIComponent(running.operatorToken)}${key}`
}

function environmentCommand(dataFolder: string): string {
  return dataFolder === './data' ? 'npx kumoi env' : `npx kumoi env --data ${dataFolder}`
}
