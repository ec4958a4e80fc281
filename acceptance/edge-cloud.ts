/** An origin on this machine, and a server with an edge that delivers it. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { connect, type PeerCertificate } from 'node:tls'
import type { Answer, ServerProcess } from './server.ts'

export const EDGE_FLAGS = ['--edge-port', '0', '--edge-tls-port', '0']
export const WEBACCEL = '/cloud/zone/is1a/api/webaccel/1.0'

export interface TestOrigin {
  readonly port: number
  /** What it answers with from now on. */
  content: string
  /** How often it was asked. */
  readonly requests: number
}

export async function startOrigin(t: { after(work: () => void): void }): Promise<TestOrigin> {
  const origin = { port: 0, content: 'first', requests: 0 }
  const server = createServer((_incoming, response) => {
    origin.requests += 1
    response.setHeader('cache-control', 'max-age=600')
    response.end(origin.content)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  origin.port = (server.address() as AddressInfo).port
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return origin
}

/** The ports that the banner shows. */
export function edgePorts({ banner }: ServerProcess): { port: number; tlsPort: number } {
  const found = [...banner.matchAll(/Edge +https?:\/\/[^:]+:(\d+)/g)]
  const [port, tlsPort] = found.map(([, digits]) => Number(digits))
  if (port === undefined || tlsPort === undefined) throw new Error(`No edge in:\n${banner}`)
  return { port, tlsPort }
}

/** Answers with the id of an enabled site. */
export async function newSite(
  server: ServerProcess,
  Domain: string,
  { port }: TestOrigin,
): Promise<string> {
  const Site = {
    ...{ Name: Domain, DomainType: 'own_domain', Domain, OriginType: '0', OriginProtocol: 'http' },
    ...{ Origin: `127.0.0.1:${port}`, DefaultCacheTTL: 60 },
  }
  const made = await server.ask('POST', `${WEBACCEL}/site`, { body: { Site } })
  const id = made.body.Site.ID
  const body = { Site: { Status: 'enabled' } }
  await server.ask('PUT', `${WEBACCEL}/site/${id}/status`, { body })
  return id
}

/** One request to an edge, on a connection of its own unless an agent is given. */
export function fetchFrom(
  port: number,
  host: string,
  path: string,
  agent: Agent | false = false,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { port, path, agent, headers: { host } }
    const outgoing = request({ host: '127.0.0.1', ...options }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (chunk) => {
        body += chunk
      })
      response.once('error', reject).once('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body })
      })
    })
    outgoing.once('error', reject)
    outgoing.end()
  })
}

/** A certificate that nobody has to trust, by OpenSSL. */
export function newCertificate(folder: string, host: string): { chain: string; key: string } {
  const [cert, key] = [join(folder, 'site.pem'), join(folder, 'site.key')]
  const name = ['-subj', '/CN=own', '-addext', `subjectAltName=DNS:${host}`]
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  execFileSync('openssl', ['req', '-x509', ...kind, ...name, '-keyout', key, '-out', cert], {
    stdio: 'pipe',
  })
  return { chain: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') }
}

/** The certificate that is shown for a name. */
export async function certificateFor(port: number, servername: string): Promise<PeerCertificate> {
  const socket = connect({ host: '127.0.0.1', port, servername, rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const certificate = socket.getPeerCertificate()
  socket.destroy()
  return certificate
}
