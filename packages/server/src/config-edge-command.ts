/** The settings of `kumoi edge`, which are flags only; what it shares with the server has the same name and meaning. */
import { parseArgs } from 'node:util'
import type { EdgeConfig } from './config-edge.ts'
import type { LogLevel } from './kernel/log.ts'
import { ConfigError, oneOf, port, type Setting, text } from './setting-kinds.ts'
import { SETTINGS } from './settings.ts'

export interface EdgeCommand {
  readonly engine: 'embedded' | 'trafficserver'
  readonly server: string
  readonly tokenFile: string
  readonly caFile: string | undefined
  /** Undefined: that of the machine. */
  readonly name: string | undefined
  readonly dataFolder: string
  readonly statusPort: number | undefined
  readonly publicTlsPort: number | undefined
  readonly edge: EdgeConfig
  readonly trustProxy: readonly string[]
  readonly privateTargets: 'allow' | 'deny'
  readonly logLevel: LogLevel
}

const { 'private-targets': privateTargets, 'trust-proxy': trustProxy } = SETTINGS

const EDGE_SETTINGS = {
  server: {
    argument: 'URL',
    help: 'the address of the operator API of the server, such as https://cloud.example.jp:8443',
    fallback: '',
    parse(value: string) {
      const url = URL.parse(value)
      if (url?.protocol !== 'https:' || url.pathname !== '/' || url.search !== '') {
        throw new ConfigError('must be an address such as https://cloud.example.jp:8443')
      }
      return url.origin
    },
  },
  'token-file': text('FILE', 'holds the edge token of the server (edge.token of its data folder)'),
  'ca-file': text('FILE', 'the CA of the server’s certificate, PEM [default: the usual ones]'),
  engine: oneOf(['embedded', 'trafficserver'], 'what delivers'),
  name: text('NAME', 'what the operator knows it by [default: the name of the machine]'),
  data: text('DIR', 'what it keeps: settings with their secrets, usage, logs', './edge-data'),
  'status-port': port('answers with its state, as JSON, on 127.0.0.1 only; 0 picks one', 'off'),
  'edge-port': SETTINGS['edge-port'],
  'edge-tls-port': SETTINGS['edge-tls-port'],
  'edge-public-tls-port': port(
    'the port in redirects to https [default: that of --edge-tls-port]',
    'off',
  ),
  'edge-host': SETTINGS['edge-host'],
  'edge-cache-mb': SETTINGS['edge-cache-mb'],
  'edge-cache-dir': SETTINGS['edge-cache-dir'],
  'edge-cache-disk-mb': SETTINGS['edge-cache-disk-mb'],
  'edge-ca-file': SETTINGS['edge-ca-file'],
  'trust-proxy': trustProxy,
  'private-targets': {
    ...privateTargets,
    help: 'whether origins may be in our own network [default: deny]',
  },
  'log-level': SETTINGS['log-level'],
} satisfies Record<string, Setting<unknown>>

type Name = keyof typeof EDGE_SETTINGS
type Value<N extends Name> = ReturnType<(typeof EDGE_SETTINGS)[N]['parse']>

export function readEdgeCommand(args: readonly string[]): EdgeCommand | 'help' {
  const given = flagsOf(args)
  if (given === 'help') return 'help'
  const all = <N extends Name>(name: N): Value<N>[] => {
    const { fallback, parse }: Setting<unknown> = EDGE_SETTINGS[name]
    const texts = given.get(name) ?? (name === 'trust-proxy' ? [] : [fallback])
    // The table ties each name to the type of its values; the compiler cannot follow it here.
    return texts.map((value) => parsed(name, value, parse) as Value<N>)
  }
  const one = <N extends Name>(name: N): Value<N> => all(name).at(-1) as Value<N>
  for (const name of ['server', 'token-file'] as const) {
    if (!given.has(name)) throw new ConfigError(`kumoi edge needs --${name}. See --help.`)
  }
  return {
    ...{ engine: one('engine'), server: one('server'), tokenFile: one('token-file') },
    ...{ caFile: one('ca-file') || undefined, name: one('name') || undefined },
    ...{ dataFolder: one('data'), statusPort: one('status-port') },
    publicTlsPort: one('edge-public-tls-port'),
    edge: edgeOf(one),
    trustProxy: all('trust-proxy'),
    privateTargets: one('private-targets') ?? 'deny',
    logLevel: one('log-level'),
  }
}

function edgeOf(one: <N extends Name>(name: N) => Value<N>): EdgeConfig {
  const ports = { port: one('edge-port'), tlsPort: one('edge-tls-port') }
  if (ports.port === undefined && ports.tlsPort === undefined) {
    throw new ConfigError('kumoi edge needs --edge-port or --edge-tls-port.')
  }
  const [folder, mib] = [one('edge-cache-dir'), one('edge-cache-disk-mb')]
  if (mib === undefined && folder !== '') {
    throw new ConfigError('--edge-cache-dir needs --edge-cache-disk-mb.')
  }
  return {
    ...{ ...ports, host: one('edge-host'), cacheMib: one('edge-cache-mb') },
    caFile: one('edge-ca-file') || undefined,
    disk: mib === undefined ? undefined : { folder, mib },
  }
}

function flagsOf(args: readonly string[]): Map<string, string[]> | 'help' {
  const options = Object.fromEntries(
    Object.keys(EDGE_SETTINGS).map((name) => [name, { type: 'string', multiple: true } as const]),
  )
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { ...options, help: { type: 'boolean', short: 'h' } },
    })
    if (values.help === true) return 'help'
    const given = Object.entries(values).filter(([, texts]) => Array.isArray(texts))
    return new Map(given.map(([name, texts]) => [name, [texts].flat().map(String)]))
  } catch (error) {
    const message = error instanceof Error ? error.message.split('. ')[0] : String(error)
    throw new ConfigError(`${message}. See kumoi edge --help.`)
  }
}

function parsed(name: Name, value: string, parse: (value: string) => unknown): unknown {
  try {
    return parse(value)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw new ConfigError(`--${name} ${error.message}; it is ${JSON.stringify(value)}.`)
  }
}

export function edgeHelp(): string {
  const rows = Object.entries(EDGE_SETTINGS).map(([name, { argument, help, fallback }]) => {
    const left = `--${name} ${argument}`
    const lead = left.length > 30 ? `  ${left}\n${' '.repeat(33)}` : `  ${left.padEnd(30)} `
    return `${lead}${help}${fallback === '' ? '' : ` [default ${fallback}]`}`
  })
  return [
    'Usage: kumoi edge --server URL --token-file FILE --edge-port PORT [settings]',
    '',
    'Delivers the sites of a server from this machine, and goes on while the server is away (docs/webaccel.md).',
    '',
    ...rows,
    '',
  ].join('\n')
}
