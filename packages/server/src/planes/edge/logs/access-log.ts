/** Records the requests of sites with log upload, and uploads what was recorded to the bucket of each. */
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Alarm, Clock } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'
import { signS3 } from '../../../kernel/s3-client.ts'
import type { EdgeBucket, EdgeSite } from '../../../services/webaccel/public.ts'
import type { AccessEntry, AccessLog } from '../options.ts'
import { logLine } from './line.ts'
import { Spool, type SpoolFile } from './spool.ts'

const PASS_MS = 30_000
/** What cannot be uploaded is kept so long, and so much of it; the oldest goes first. */
const KEPT_MS = 7 * 24 * 3_600_000
const KEPT_BYTES = 2 ** 30

export interface AccessLogOptions {
  readonly folder: string
  /** In the names of objects, since edges may share a bucket. */
  readonly edgeId: string
  /** The machine's: a service refuses what is signed at another time than its own. */
  readonly clock: Clock
  readonly log: Log
  readonly siteOf: (siteId: string) => EdgeSite | undefined
  /** Sends by the rule for addresses that users gave. */
  readonly put: (
    url: string,
    body: Buffer,
    headers: Readonly<Record<string, string>>,
  ) => Promise<{ readonly outcome: string; readonly reason: string | undefined }>
}

export class UploadedAccessLog implements AccessLog {
  readonly #options: AccessLogOptions
  readonly #spool: Spool
  #alarm: Alarm | undefined
  #pass: Promise<void> = Promise.resolve()
  #hasFailed = false

  constructor(options: AccessLogOptions) {
    this.#options = options
    this.#spool = new Spool(options.folder, () => options.clock.now())
    this.#schedule()
  }

  /** A disk that is full costs lines of the log, and no response. */
  write(site: EdgeSite, entry: AccessEntry): void {
    if (site.logUpload === null) return
    try {
      this.#spool.append(site.id, logLine(entry))
      this.#hasFailed = false
    } catch (error) {
      if (this.#hasFailed) return
      this.#hasFailed = true
      this.#options.log.error({ err: error }, 'Requests cannot be recorded for log upload.')
    }
  }

  /** Uploads what is closed; one pass at a time. */
  upload(): Promise<void> {
    this.#pass = this.#pass
      .then(() => this.#uploadAll())
      .catch((error: unknown) => {
        this.#options.log.error({ err: error }, 'Access logs cannot be read for upload.')
      })
    return this.#pass
  }

  async stop(): Promise<void> {
    this.#alarm?.cancel()
    this.#spool.closeAll()
    await this.upload()
  }

  #schedule(): void {
    const { clock } = this.#options
    const when = new Date(clock.now().getTime() + PASS_MS)
    this.#alarm = clock.at(when, 'edge log upload', async () => {
      this.#schedule()
      await this.upload()
    })
  }

  async #uploadAll(): Promise<void> {
    const files = await this.#spool.closed()
    const failed = new Set<string>()
    const left: SpoolFile[] = []
    for (const file of files) {
      const bucket = this.#options.siteOf(file.siteId)?.logUpload ?? undefined
      // One that does not answer would be waited for with each file.
      const isSent =
        bucket !== undefined && !failed.has(file.siteId) && (await this.#send(file, bucket))
      if (isSent) await this.#spool.remove(file)
      else {
        failed.add(file.siteId)
        left.push(file)
      }
    }
    await this.#forget(left)
  }

  async #send(file: SpoolFile, { accessKeyId, secretAccessKey, ...bucket }: EdgeBucket) {
    const { clock, put, log } = this.#options
    const key = this.#keyOf(file)
    const body = await promisify(gzip)(await readFile(file.path))
    const { url, headers } = await signS3(
      {
        ...{ ...bucket, endpoint: bucket.endpoint.replace(/\/$/, '') },
        ...{ accessKey: accessKeyId, secretKey: secretAccessKey, now: () => clock.now() },
      },
      { method: 'PUT', key, body, headers: { 'content-type': 'application/gzip' } },
    )
    const { outcome, reason } = await put(url.href, body, Object.fromEntries(headers))
    if (outcome === 'sent') return true
    log.error({ err: reason, site: file.siteId }, 'An access log was not uploaded; it is kept.')
    return false
  }

  /** `docs.example.jp/2026/11/18/20261118T102030Z-EDGE-PID-NUMBER.log.gz` */
  #keyOf({ siteId, name, openedAt }: SpoolFile): string {
    const [host = siteId] = this.#options.siteOf(siteId)?.hosts ?? []
    const time = openedAt.toISOString()
    const day = time.slice(0, 10).replaceAll('-', '/')
    const stamp = time.replaceAll(/[-:]|\.\d+/g, '')
    const [, , ...rest] = name.split('-')
    return `${host}/${day}/${stamp}-${this.#options.edgeId}-${rest.join('-')}.gz`
  }

  async #forget(left: readonly SpoolFile[]): Promise<void> {
    const { clock, log } = this.#options
    const oldest = clock.now().getTime() - KEPT_MS
    let bytes = left.reduce((sum, file) => sum + file.bytes, 0)
    for (const file of left) {
      if (file.openedAt.getTime() >= oldest && bytes <= KEPT_BYTES) return
      bytes -= file.bytes
      await this.#spool.remove(file)
      log.error({ err: file.name, site: file.siteId }, 'An access log was removed without upload.')
    }
  }
}
