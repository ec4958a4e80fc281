/** Pebble, an ACME server for tests, of Debian: it asks at a port of this machine, whatever a name resolves to. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { installPackages } from './debian.ts'
import { freePort, freeUdpPort } from './ports.ts'
import { giveCertificate } from './tls-files.ts'
import { waitFor } from './wait.ts'

const isThere = () => spawnSync('pebble', ['-h']).error === undefined
if (!isThere()) installPackages('pebble')
export const hasPebble = isThere()
if (!hasPebble) console.log('pebble is missing: ACME is not tried with it.')

/** So that a certificate is renewed while a test runs: at two thirds of it. */
const LIFE_SECONDS = 9

export interface Pebble {
  readonly flags: readonly string[]
  /** A name that leads to an address where nobody listens. */
  lead(name: string, address: string): Promise<void>
  stop(): Promise<void>
}

/** It asks at `httpPort`. */
export async function startPebble(folder: string, httpPort: number): Promise<Pebble> {
  const { certFile, keyFile } = giveCertificate(folder)
  const [port, management] = [await freePort(), await freePort()]
  const [names, dns] = [await freePort(), await freeUdpPort()]
  const listening = (number: number) => `127.0.0.1:${number}`
  const pebble = {
    ...{ listenAddress: listening(port), managementListenAddress: listening(management) },
    ...{ certificate: certFile, privateKey: keyFile, httpPort, tlsPort: 1 },
    certificateValidityPeriod: LIFE_SECONDS,
  }
  const config = join(folder, 'pebble.json')
  writeFileSync(config, JSON.stringify({ pebble }))
  const none = ['-http01', '', '-https01', '', '-tlsalpn01', '', '-defaultIPv6', '']
  const resolver = [...none, '-dns01', listening(dns), '-management', listening(names)]
  const environment = { ...process.env, PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '0' }
  const children = [
    spawn('pebble-challtestsrv', resolver, { stdio: 'ignore' }),
    spawn('pebble', ['-config', config, '-dnsserver', listening(dns)], {
      ...{ stdio: 'ignore', env: environment },
    }),
  ]
  const lead = async (host: string, address: string) => {
    const body = JSON.stringify({ host, addresses: [address] })
    await fetch(`http://${listening(names)}/add-a`, { method: 'POST', body })
  }
  await waitFor('the resolver', () => answers(lead('ready.example.jp', '127.0.0.1')))
  const url = `https://localhost:${port}/dir`
  await waitFor('pebble', () => answers(openSocket(port)))
  return {
    flags: ['--acme-directory', url, '--acme-ca-file', certFile],
    lead,
    stop: async () => void (await Promise.all(children.map(end))),
  }
}

async function answers(attempt: Promise<unknown>): Promise<boolean> {
  return attempt.then(
    () => true,
    () => false,
  )
}

async function openSocket(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect').finally(() => socket.destroy())
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill()
  await ended
}
