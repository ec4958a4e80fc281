/** The configuration of a FreeRADIUS that asks the server, for the network elements that it has. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { mustCall } from '../calls.ts'
import { type Connection, connect } from '../connection.ts'
import { addConnectionOptions } from '../connection-options.ts'
import { EXIT, Failure } from '../failure.ts'
import { type RadiusClient, radiusConfig } from '../radius-config.ts'
import { DATA_FOLDER } from '../settings.ts'

/** Where Debian's service may read it, for what is printed. */
const USUAL_FOLDER = '/etc/freeradius/kumoi'

interface Options {
  readonly out?: string
  readonly server?: string
  readonly tokenFile?: string
  readonly force?: true
  readonly listen: string
  readonly authPort: number
  readonly acctPort: number
  readonly coaRelay?: string
  readonly coaPort: number
  readonly data?: string
}

export function addRadius(program: Command): void {
  const command = program
    .command('radius')
    .description('FreeRADIUS, which asks the server for packet gateways (docs/networks.md).')
    .command('config')
    .description('Writes a configuration for the network elements of the server: freeradius -d DIR')
    .option('--out <DIR>', 'the folder to write; without it all is printed, secrets among it')
    .option('--force', 'also over files that are there')
    .option('--server <URL>', 'how FreeRADIUS reaches the server [default: as this command does]')
    .option('--token-file <FILE>', 'the network token [default: network.token of the data folder]')
    .option('--listen <ADDRESS>', 'where FreeRADIUS listens', address, '*')
    .option('--auth-port <PORT>', 'for Access-Request', port, 1812)
    .option('--acct-port <PORT>', 'for Accounting-Request', port, 1813)
    .option(
      '--coa-relay <ADDRESS>',
      'relay Disconnect and CoA of a server that sends from there',
      address,
    )
    .option('--coa-port <PORT>', 'where they are taken', port, 3799)
  addConnectionOptions(command).action(async (options: Options) => {
    const files = await configOf(options, connect(options))
    if (options.out === undefined) process.stdout.write(printed(files))
    else writeAll(resolve(options.out), files, options.force === true)
  })
}

async function configOf(options: Options, { client, settings }: Connection) {
  const { listen, authPort, acctPort, coaRelay, coaPort } = options
  const server = serverUrl(options.server ?? new URL(settings.operatorUrl).origin)
  const isHttps = server.protocol === 'https:'
  const { clients }: { clients: RadiusClient[] } = Object(
    await mustCall(client, 'radiusClientList'),
  )
  if (clients.length === 0) {
    throw new Failure(
      'The server has no network elements.',
      EXIT.failed,
      'Declare them in the world file: docs/networks.md.',
    )
  }
  return radiusConfig({
    folder: options.out === undefined ? USUAL_FOLDER : resolve(options.out),
    url: `${server.origin}/_kumoi/v1/radius`,
    token: networkToken(options),
    ca: isHttps && settings.caFile !== undefined ? readText(settings.caFile) : undefined,
    ...{ listen, authPort, acctPort, clients },
    relay: coaRelay === undefined ? undefined : { from: coaRelay, port: coaPort },
  })
}

/** In FreeRADIUS's strings, and in an HTTP header. */
const TOKEN = /^[\w.~+/=-]{1,128}$/

function networkToken({ tokenFile, data }: Options): string {
  const folder = data ?? process.env.KUMOI_DATA ?? DATA_FOLDER
  const file = tokenFile ?? process.env.KUMOI_NETWORK_TOKEN_FILE ?? join(folder, 'network.token')
  const token = readText(file).trim()
  if (TOKEN.test(token)) return token
  throw new Failure(`The file ${file} does not have a network token.`, EXIT.usage)
}

function serverUrl(text: string): URL {
  const url = URL.parse(text)
  // FreeRADIUS expands what follows a percent sign or a dollar sign.
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && !/[%$'"\\]/.test(url.origin)
  if (isPlain) return url
  throw new Failure(`--server ${text} is not of the form https://kumoi.example:8443.`, EXIT.usage)
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new Failure(`The file ${file} cannot be read.`, EXIT.usage, undefined, cause)
  }
}

function printed(files: Readonly<Record<string, string>>): string {
  return Object.entries(files)
    .map(([name, text]) => `##### ${name}\n${text}`)
    .join('\n')
}

/** For their owner alone: they hold the secrets of the network. */
function writeAll(
  folder: string,
  files: Readonly<Record<string, string>>,
  isForced: boolean,
): void {
  const there = Object.keys(files).find((name) => existsSync(join(folder, name)))
  if (there !== undefined && !isForced) {
    const message = `${join(folder, there)} is there already.`
    throw new Failure(message, EXIT.conflict, 'Give another folder, or --force to write over it.')
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, name)
    writeFileSync(file, text, { mode: 0o600 })
    // The mode of a file that was there stays otherwise.
    chmodSync(file, 0o600)
  }
}

function port(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535) return Number(text)
  throw new InvalidArgumentError('It must be from 1 to 65535.')
}

function address(text: string): string {
  if (text === '*' || isIP(text) !== 0) return text
  throw new InvalidArgumentError('It must be an IP address.')
}
