/**
 * Replaces the served certificate while the server runs: the operator's when its files have changed, that of the local
 * CA before it ends. Files are compared by polling, since symbolic links that are swapped, as Kubernetes and certbot
 * do, and folders on other machines cause no events. What fails is logged, and the old one stays.
 */
import { statSync } from 'node:fs'
import { type Alarm, type Clock, every } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import { ServedCertificate, type Tls } from '../kernel/served-certificate.ts'
import { HOUR_MS } from '../kernel/units.ts'
import {
  issueTls,
  type LocalTls,
  type LocalTlsOptions,
  loadOrMakeTls,
  renewTls,
} from './local-ca.ts'
import { readTls, reason, type TlsFiles } from './pem-files.ts'

/** A change is noticed after one of these, and read after another. */
const POLL_MS = 2000

export interface Renewal {
  start(): void
  /** Now, whatever has changed: at SIGHUP. */
  reload(): void
  stop(): void
}

export interface OpenCertificate {
  readonly served: ServedCertificate
  readonly renewal: Renewal
  /** Of the local CA, where there is one. */
  readonly ca?: string
  readonly caFile?: string | undefined
  readonly issueLocal?: (names: readonly string[], now: Date) => Tls
}

interface Parts {
  readonly served: ServedCertificate
  /** The machine's, by which clients judge certificates. */
  readonly machine: Pick<Clock, 'now'>
  readonly log: Log
}

export function openFiles(files: TlsFiles, parts: Omit<Parts, 'served'>): OpenCertificate {
  const served = new ServedCertificate(readTls(files, parts.machine.now()))
  return { served, renewal: new FileRenewal(files, { ...parts, served }) }
}

export function openLocal(
  options: Omit<LocalTlsOptions, 'now'>,
  parts: Omit<Parts, 'served'>,
): OpenCertificate {
  const local = loadOrMakeTls({ ...options, now: parts.machine.now() })
  const served = new ServedCertificate(local)
  return {
    ...{ served, ca: local.ca, caFile: local.caFile },
    renewal: new LocalRenewal(local, options, { ...parts, served }),
    issueLocal: (names, now) => issueTls(local, { ...options, names, now }),
  }
}

/** Both files are one: they are read when neither has changed for the time between two polls. */
export class FileRenewal implements Renewal {
  readonly #parts: Parts
  readonly #files: TlsFiles
  #read: string
  #seen: string
  #alarm: Alarm | undefined

  constructor(files: TlsFiles, parts: Parts) {
    this.#parts = parts
    this.#files = files
    this.#read = versionOf(files)
    this.#seen = this.#read
  }

  start(): void {
    this.#alarm = every(POLL_MS, () => this.poll())
  }

  poll(): void {
    const version = versionOf(this.#files)
    const isSettled = version === this.#seen
    this.#seen = version
    if (isSettled && version !== this.#read) this.reload()
  }

  reload(): void {
    const { served, machine, log } = this.#parts
    this.#read = versionOf(this.#files)
    replace(log, () => {
      // To read a pipe would wait for who writes it, and nobody is served meanwhile.
      for (const file of [this.#files.certFile, this.#files.keyFile]) checkFile(file)
      served.replace(readTls(this.#files, machine.now()))
    })
  }

  stop(): void {
    this.#alarm?.cancel()
  }
}

function checkFile(file: string): void {
  if (!canBeRead(file)) throw new Error(`${file} is not a file.`)
}

/** What cannot be looked at is said when it is read. */
function canBeRead(file: string): boolean {
  try {
    return statSync(file).isFile()
  } catch {
    return true
  }
}

/** Changes with what either file holds, also behind a symbolic link. An error counts as a version: reading the file says it. */
function versionOf({ certFile, keyFile }: TlsFiles): string {
  const versions = [certFile, keyFile].map((file) => {
    try {
      const { dev, ino, mtimeNs, size } = statSync(file, { bigint: true })
      return `${dev} ${ino} ${mtimeNs} ${size}`
    } catch (error) {
      return reason(error)
    }
  })
  return versions.join(', ')
}

/** With less than 30 days left there is a new one of the same CA. */
export class LocalRenewal implements Renewal {
  readonly #parts: Parts
  readonly #options: Omit<LocalTlsOptions, 'now'>
  #local: LocalTls
  #alarm: Alarm | undefined

  constructor(local: LocalTls, options: Omit<LocalTlsOptions, 'now'>, parts: Parts) {
    this.#local = local
    this.#options = options
    this.#parts = parts
  }

  start(): void {
    this.#alarm = every(HOUR_MS, () => this.reload())
  }

  reload(): void {
    const { served, machine, log } = this.#parts
    replace(log, () => {
      // One that was ordered since (services/certificates) stays.
      const isServed = served.tls.cert === this.#local.cert
      this.#local = renewTls(this.#local, { ...this.#options, now: machine.now() })
      if (isServed) served.replace(this.#local)
    })
  }

  stop(): void {
    this.#alarm?.cancel()
  }
}

function replace(log: Log, attempt: () => void): void {
  try {
    attempt()
  } catch (err) {
    log.error({ err }, 'the certificate was not replaced; the old one is still served')
  }
}
