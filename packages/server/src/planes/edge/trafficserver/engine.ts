/**
 * An edge whose requests are served by Traffic Server: this process gives it the sites, has purges take effect, and
 * counts what its log says.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { after, every, pause } from '../../../kernel/clock.ts'
import type { EdgeProbe, EdgeSite, EdgeStatus } from '../../../services/webaccel/public.ts'
import type { Edge, EdgeOptions } from '../options.ts'
import type { UsageOutbox } from '../remote/usage-outbox.ts'
import { parseRange } from './address-range.ts'
import { CertificateStore } from './certificate-store.ts'
import { configFiles, type Folders, ROOTS_FILE, runroot } from './config-files.ts'
import { LogUsage } from './log-usage.ts'
import { askProbe } from './probe.ts'
import { TrafficServerProcess } from './process.ts'
import { SiteFiles } from './site-files.ts'
import { SiteSync } from './site-sync.ts'

const RESTART_PAUSE_MS = 1000
const USAGE_MS = 1000
const FIGURES_MS = 10_000
/** Within this time a request is in the log. */
const LOG_WRITTEN_MS = 2500

export interface TrafficServerOptions
  extends Omit<
    EdgeOptions,
    'cache' | 'isForbiddenAddress' | 'isTrustedProxy' | 'localCertificate' | 'settingsLimitMs'
  > {
  /** Of its configuration, its cache and its logs. */
  readonly folder: string
  readonly memoryBytes: number
  readonly diskBytes: number
  readonly allowsPrivateOrigins: boolean
  /** Addresses and networks whose X-Forwarded-For counts. */
  readonly trustedProxies: readonly string[]
  readonly outbox: UsageOutbox
}

export async function startTrafficServer(options: TrafficServerOptions): Promise<Edge> {
  const engine = new Engine(options, await pickPorts(options.listen))
  await engine.start()
  return engine
}

interface Ports {
  readonly port?: number
  readonly tlsPort?: number
}

class Engine implements Edge {
  readonly address: Ports
  readonly #options: TrafficServerOptions
  readonly #folders: Folders
  readonly #startedAt: Date
  readonly #usage: LogUsage
  #sync: SiteSync | undefined
  #process: TrafficServerProcess | undefined
  #isStopping = false
  #cache = { bytes: 0, objects: 0 }
  #alarms: { cancel(): void }[] = []

  constructor(options: TrafficServerOptions, ports: Ports) {
    this.#options = options
    this.address = ports
    this.#folders = foldersOf(options.folder)
    this.#startedAt = options.clock.now()
    const { outbox, accessLog } = options
    const siteOf = (siteId: string) => this.site(siteId)
    this.#usage = new LogUsage({ folder: this.#folders.log, outbox, accessLog, siteOf })
  }

  get settingsAt(): Date | undefined {
    return this.#sync?.settingsAt
  }

  site(id: string): EdgeSite | undefined {
    return this.#sync?.siteOf(id)
  }

  status(): EdgeStatus {
    const { id, name, softwareVersion } = this.#options
    const { hits, misses } = this.#usage
    return {
      ...{ id, name, softwareVersion, hits, misses },
      engine: 'trafficserver',
      startedAt: this.#startedAt.toISOString(),
      cacheBytes: this.#cache.bytes,
      cacheObjects: this.#cache.objects,
    }
  }

  async start(): Promise<void> {
    await this.#writeConfig()
    const { listen, publicTlsPort, trustedProxies, server, clock, log } = this.#options
    const tlsPort = publicTlsPort ?? this.address.tlsPort
    const trusted = trustedProxies.map(parseRange)
    const files = await SiteFiles.create(this.#folders.data, { tlsPort, trusted })
    const certificates = new CertificateStore({
      configFolder: this.#folders.config,
      folder: this.#folders.certificates,
      address:
        this.address.tlsPort === undefined
          ? undefined
          : localAddress(listen.host, this.address.tlsPort),
      log,
    })
    const reload = () => this.#process?.reload()
    const status = () => this.status()
    const asked = { ...this.#own(), secret: files.probeSecret, clock }
    const probe = (given: EdgeProbe, site: EdgeSite | undefined) => askProbe(given, site, asked)
    this.#sync = new SiteSync({ server, files, certificates, reload, probe, status, clock, log })
    await this.#sync.pass()
    await this.#run()
    this.#sync.start()
    this.#alarms = [
      every(USAGE_MS, () => void this.#count()),
      every(FIGURES_MS, () => void this.#readFigures()),
    ]
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    for (const alarm of this.#alarms) alarm.cancel()
    await this.#sync?.stop()
    // It ends without writing what it has logged since.
    await pause(LOG_WRITTEN_MS)
    await this.#process?.stop()
    await this.#count()
  }

  async #run(): Promise<void> {
    this.#process = await TrafficServerProcess.start(this.#options.folder, this.#own(), (output) =>
      this.#onEnd(output),
    )
  }

  /** Where we ask it. */
  #own() {
    const { port = this.address.tlsPort ?? 0 } = this.address
    const address = localAddress(this.#options.listen.host, port)
    return { ...address, isTls: this.address.port === undefined }
  }

  #onEnd(output: string): void {
    if (this.#isStopping) return
    const { log } = this.#options
    log.error({ err: new Error(output.trim()) }, 'Traffic Server has ended and is started again')
    this.#process = undefined
    after(RESTART_PAUSE_MS, () => {
      if (this.#isStopping) return
      this.#run().catch((error: unknown) => this.#onEnd(String(error)))
    })
  }

  async #count(): Promise<void> {
    try {
      await this.#usage.read()
    } catch (error) {
      this.#options.log.error({ err: error }, 'the log of Traffic Server was not counted')
    }
  }

  /** Figures for people: one that cannot be read stays as it was. */
  async #readFigures(): Promise<void> {
    const process = this.#process
    if (process === undefined) return
    const [bytes, objects] = await Promise.all([
      process.metric('proxy.process.cache.bytes_used'),
      process.metric('proxy.process.cache.direntries.used'),
    ]).catch(() => [this.#cache.bytes, this.#cache.objects])
    this.#cache = { bytes: bytes ?? 0, objects: objects ?? 0 }
  }

  async #writeConfig(): Promise<void> {
    const { folder, listen, memoryBytes, diskBytes, allowsPrivateOrigins } = this.#options
    for (const path of Object.values(this.#folders)) {
      await mkdir(path, { recursive: true, mode: 0o700 })
    }
    const sizes = { memoryBytes, diskBytes, allowsPrivateOrigins }
    const ports = { port: this.address.port, tlsPort: this.address.tlsPort }
    const files = configFiles({ folders: this.#folders, host: listen.host, ...ports, ...sizes })
    const roots = [...rootCertificates, ...this.#options.originRoots].join('\n')
    const all = { ...files, [ROOTS_FILE]: `${roots}\n` }
    for (const [name, text] of Object.entries(all)) {
      await writeFile(join(this.#folders.config, name), text, { mode: 0o600 })
    }
    await writeFile(join(folder, 'runroot.yaml'), runroot(this.#folders), { mode: 0o600 })
  }
}

function foldersOf(root: string): Folders {
  const below = (name: string) => join(root, name)
  return {
    ...{ root, config: below('config'), run: below('run'), log: below('log') },
    ...{ cache: below('cache'), certificates: below('certificates'), data: below('data') },
  }
}

/** Where we reach what listens there. */
function localAddress(host: string, port: number): { host: string; port: number } {
  const isAny = host === '0.0.0.0' || host === '::'
  return { host: isAny ? '127.0.0.1' : host, port }
}

/** Traffic Server picks no port by itself. */
async function pickPorts({ host, port, tlsPort }: EdgeOptions['listen']): Promise<Ports> {
  const picked = async (wanted: number) => (wanted === 0 ? await freePort(host) : wanted)
  return {
    ...(port !== undefined && { port: await picked(port) }),
    ...(tlsPort !== undefined && { tlsPort: await picked(tlsPort) }),
  }
}

function freePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, host, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0))
    })
  })
}
