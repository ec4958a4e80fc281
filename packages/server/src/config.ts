/** The settings as the server uses them: flags first, then `KUMOI_*` variables, then the config file, then defaults. */

import { type AcmeConfig, acmeOf } from './config-acme.ts'
import { type EdgeConfig, edgeOf } from './config-edge.ts'
import { type MailConfig, mailOf } from './config-mail.ts'
import { type SmsConfig, smsOf } from './config-sms.ts'
import {
  type AllGiven,
  fromEnvironment,
  fromFile,
  fromFlags,
  type Name,
  names,
  setting,
  type Value,
} from './config-sources.ts'
import { type TokenConfig, tokenOf } from './config-tokens.ts'
import type { ClockSetting } from './kernel/controlled-clock.ts'
import type { LogLevel } from './kernel/log.ts'
import { ConfigError, type HostPort } from './setting-kinds.ts'

export interface Config {
  readonly host: string
  readonly port: number
  readonly prefix: string
  readonly publicUrl: string | undefined
  readonly httpPort: number | undefined
  /** Where devices connect by MQTT: by TLS, and plain on this machine. */
  readonly mqttPort: number | undefined
  readonly mqttPlainPort: number | undefined
  /** The edge of the web accelerator; undefined where none runs in this process. */
  readonly edge: EdgeConfig | undefined
  readonly trustProxy: readonly string[]
  readonly tls: { readonly certFile: string; readonly keyFile: string } | undefined
  /** Where certificates are ordered; undefined orders none. */
  readonly acme: AcmeConfig | undefined
  /** Undefined keeps nothing on disk. */
  readonly dataFolder: string | undefined
  /** Undefined keeps the data in the embedded store. */
  readonly database: DatabaseConfig | undefined
  /** Processes that share the port. */
  readonly workers: number
  /** Whether OpenTelemetry's own variables say where to. */
  readonly isTraced: boolean
  /** Where contents of files are kept; undefined keeps them in the data folder. */
  readonly s3: S3Config | undefined
  readonly keyFile: string | undefined
  /** Paths; or, for a cloud inside a test, the world itself. */
  readonly worlds: readonly (string | object)[]
  /** Undefined leaves it as it was when the server ended. */
  readonly clock: ClockSetting | undefined
  readonly sms: SmsConfig
  readonly seed: string | undefined
  /** How long a new gateway is being made. */
  readonly provisioningSeconds: number
  /** Whether addresses that users give may lead to this machine or into its network. */
  readonly privateTargets: 'allow' | 'deny'
  /** Undefined sends no mail. */
  readonly mail: MailConfig | undefined
  readonly mode: 'dev' | 'operate'
  /** `strict` refuses more than the interface shows. */
  readonly policy: 'interface' | 'strict'
  /** The words and habits that clients expect: `interface`, a name of ours, or a file. */
  readonly profile: string
  /** Every answer is held against its contract. */
  readonly checkAnswers: boolean
  /** Of the most recent requests and changes, in memory. */
  readonly requestsKept: number
  /** Whether a request may ask for a fault of its own. */
  readonly faultHeader: boolean
  readonly operatorToken: string | undefined
  /** The token itself, or the file that holds it. */
  readonly networkToken: TokenConfig | undefined
  readonly edgeToken: TokenConfig | undefined
  /** A relay of Disconnect and CoA. */
  readonly radiusCoa: HostPort | undefined
  readonly operatorPort: number | undefined
  readonly logLevel: LogLevel
}

export interface DatabaseConfig {
  readonly url: string
  readonly size: number
  readonly waitMs: number
  readonly statementMs: number
  readonly lockMs: number
  readonly idleInTransactionMs: number
  readonly hasPooler: boolean
}

export interface S3Config {
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  readonly accessKey: string
  readonly secretKey: string
}

export function readConfig(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Config | 'help' {
  const { given: flags, configFile, help } = fromFlags(args)
  if (help) return 'help'
  const variables = fromEnvironment(environment)
  const file = configFile ?? environment.KUMOI_CONFIG
  const sources = [flags, variables, file === undefined ? new Map() : fromFile(file)]
  const config = build(sources, wantsTraces(environment.OTEL_EXPORTER_OTLP_ENDPOINT))
  checkTogether(config, sources)
  return config
}

/** The library would send to an address of its own instead of one that it cannot read. */
function wantsTraces(endpoint: string | undefined): boolean {
  if (!endpoint) return false
  if (/^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')) return true
  throw new ConfigError(
    'OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https address such as http://127.0.0.1:4318.',
  )
}

function build(sources: readonly AllGiven[], isTraced: boolean): Config {
  const all = <N extends Name>(name: N): Value<N>[] => {
    const given = sources.find((source) => source.has(name))?.get(name)
    const fallback = setting(name).fallback
    const texts = given?.texts ?? (setting(name).repeatable && fallback === '' ? [] : [fallback])
    if (texts.length > 1 && !setting(name).repeatable) {
      throw new ConfigError(`${given?.from} was given ${texts.length} times.`)
    }
    // The table ties each name to the type of its values; the compiler cannot follow it here.
    return texts.map((text) => parseOne(name, given?.from ?? name, text) as Value<N>)
  }
  const one = <N extends Name>(name: N): Value<N> => all(name)[0] as Value<N>
  const given = (name: 'key-file' | 'seed' | 'operator-token') => one(name) || undefined
  const certFile = one('tls-cert')
  const keyFile = one('tls-key')
  if ((certFile === '') !== (keyFile === '')) {
    throw new ConfigError('--tls-cert and --tls-key belong together.')
  }
  return {
    host: one('host'),
    port: one('port') ?? 0,
    prefix: one('prefix'),
    publicUrl: one('public-url'),
    httpPort: one('http-port'),
    mqttPort: one('mqtt-port'),
    mqttPlainPort: one('mqtt-plain-port'),
    edge: edgeOf(one),
    trustProxy: all('trust-proxy'),
    tls: certFile === '' ? undefined : { certFile, keyFile },
    acme: acmeOf(one, all('acme-domain')),
    dataFolder: one('memory') ? undefined : one('data'),
    database: databaseOf(one),
    workers: one('workers'),
    isTraced,
    s3: s3Of(one),
    keyFile: given('key-file'),
    worlds: all('world'),
    clock: one('clock'),
    sms: smsOf(one),
    seed: given('seed'),
    provisioningSeconds: one('provisioning-seconds'),
    privateTargets: one('private-targets') ?? defaultTargets(one('mode'), one('policy')),
    mail: mailOf(one),
    mode: one('mode'),
    policy: one('policy'),
    profile: one('profile'),
    checkAnswers: one('check-answers'),
    requestsKept: one('requests-kept'),
    faultHeader: one('fault-header'),
    operatorToken: given('operator-token'),
    networkToken: tokenOf('network-token', one),
    edgeToken: tokenOf('edge-token', one),
    radiusCoa: one('radius-coa'),
    operatorPort: one('operator-port'),
    logLevel: one('log-level'),
  }
}

function databaseOf(one: <N extends Name>(name: N) => Value<N>): DatabaseConfig | undefined {
  const url = one('database')
  return url === undefined
    ? undefined
    : {
        url,
        size: one('database-pool'),
        waitMs: one('database-pool-wait') * 1000,
        statementMs: one('database-statement-timeout') * 1000,
        lockMs: one('database-lock-timeout') * 1000,
        idleInTransactionMs: one('database-idle-timeout') * 1000,
        hasPooler: one('database-pooler'),
      }
}

function s3Of(one: <N extends Name>(name: N) => Value<N>): S3Config | undefined {
  const s3 = {
    endpoint: one('s3-endpoint'),
    bucket: one('s3-bucket'),
    region: one('s3-region'),
    accessKey: one('s3-access-key'),
    secretKey: one('s3-secret-key'),
  }
  const { region: _region, ...needed } = s3
  const missing = Object.values(needed).filter((value) => value === '').length
  if (missing === 4) return undefined
  if (missing === 0) return s3
  throw new ConfigError(
    '--s3-endpoint, --s3-bucket, --s3-access-key and --s3-secret-key belong together.',
  )
}

/** Only where nothing outside is at stake may a user's address lead into our own network. */
function defaultTargets(mode: Config['mode'], policy: Config['policy']): 'allow' | 'deny' {
  return mode === 'dev' && policy === 'interface' ? 'allow' : 'deny'
}

function parseOne(name: Name, from: string, text: string): unknown {
  try {
    return setting(name).parse(text)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const given = setting(name).secret ? '' : `; it is ${JSON.stringify(text)}`
    throw new ConfigError(`${from} ${error.message}${given}.`)
  }
}

/** What one setting means for another. */
function checkTogether(config: Config, sources: readonly AllGiven[]): void {
  const isGiven = (name: Name) => sources.some((source) => source.has(name))
  if (config.dataFolder === undefined && isGiven('data')) {
    throw new ConfigError('--memory and --data contradict each other.')
  }
  if (config.dataFolder === undefined && config.database !== undefined) {
    throw new ConfigError('--memory and --database contradict each other.')
  }
  checkWorkers(config)
  if (config.acme !== undefined && isVirtual(config.clock)) {
    throw new ConfigError('--acme-directory needs a real clock.')
  }
  if (config.mode !== 'operate') return
  const missing = [
    config.tls === undefined &&
      !config.acme?.domains.length &&
      '--tls-cert and --tls-key (or --acme-domain)',
    config.database === undefined && !isGiven('data') && '--data or --database',
    config.database !== undefined && config.keyFile === undefined && '--key-file',
    config.operatorToken === undefined && '--operator-token',
    config.operatorPort === undefined && '--operator-port',
  ].filter((name) => name !== false)
  if (missing.length > 0) throw new ConfigError(`--mode operate needs ${missing.join(', ')}.`)
  if (isVirtual(config.clock) || config.seed !== undefined) {
    throw new ConfigError('--mode operate has a real clock and real random numbers.')
  }
  if (config.faultHeader) throw new ConfigError('--mode operate has no injected faults.')
}

/** Several processes have in common what is in the database server, and nothing else. */
function checkWorkers({ workers, database, seed, clock }: Config): void {
  if (workers === 1) return
  if (database === undefined) {
    throw new ConfigError(
      '--workers needs --database: the embedded store is written by one process.',
    )
  }
  if (seed !== undefined || isVirtual(clock)) {
    throw new ConfigError('--seed and --clock are for one process; they contradict more --workers.')
  }
}

function isVirtual(clock: Config['clock']): boolean {
  return clock !== undefined && clock.mode !== 'real'
}

export function helpText(): string {
  const lines = names().map((name) => {
    const { argument, help, fallback, repeatable } = setting(name)
    const left = `--${name}${argument === undefined ? '' : ` ${argument}`}`
    const notes = [repeatable && 'repeatable', fallback && `default ${fallback}`].filter(Boolean)
    const lead = left.length > 30 ? `  ${left}\n${' '.repeat(33)}` : `  ${left.padEnd(30)} `
    return `${lead}${help}${notes.length === 0 ? '' : ` [${notes.join(', ')}]`}`
  })
  return [
    'Usage: npm start -- [settings]',
    '',
    'Each setting is also a variable (--http-port is KUMOI_HTTP_PORT) and a key of the config file.',
    '',
    ...lines,
    `  ${'--config FILE'.padEnd(30)} settings from a YAML or JSON file`,
    `  ${'--help'.padEnd(30)} this text`,
    '',
  ].join('\n')
}
