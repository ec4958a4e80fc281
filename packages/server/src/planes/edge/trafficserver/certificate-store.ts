/** Puts certificates into the files of Traffic Server and sees to it that it serves them. */
import { X509Certificate } from 'node:crypto'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { pause } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'
import type { EdgeSite } from '../../../services/webaccel/public.ts'
import { certificateFiles } from './certificates.ts'

/** A reload takes up to six seconds. */
const ATTEMPTS = 3
const CHECKS = 40
const CHECK_MS = 200

export interface CertificateOptions {
  readonly configFolder: string
  readonly folder: string
  readonly address: { readonly host: string; readonly port: number } | undefined
  readonly log: Log
}

export class CertificateStore {
  readonly #options: CertificateOptions
  /** Ids of certificates by site, as they are in the files. */
  #written = ''
  #last: Promise<void> = Promise.resolve()

  constructor(options: CertificateOptions) {
    this.#options = options
  }

  /**
   * `reload` has the files read again; it gives back nothing while Traffic Server does not run, and so has none of them.
   * Fulfilled when the certificates are served.
   */
  write(sites: readonly EdgeSite[], reload: () => Promise<void> | undefined): Promise<void> {
    this.#last = this.#last
      .then(() => this.#write(sites, reload))
      .catch((error: unknown) => {
        this.#options.log.error({ err: error }, 'certificates of sites are not in force')
      })
    return this.#last
  }

  async #write(sites: readonly EdgeSite[], reload: () => Promise<void> | undefined): Promise<void> {
    const ids = JSON.stringify(
      sites.map(({ id, hosts, certificate }) => [id, hosts, certificate?.id]),
    )
    if (ids === this.#written) return
    const { configFolder, folder, log } = this.#options
    const { config, files, refusedSiteIds } = certificateFiles(sites)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    for (const [name, text] of Object.entries(files)) {
      await writeFile(join(folder, name), text, { mode: 0o600 })
    }
    for (const name of await readdir(folder)) {
      if (!(name in files)) await rm(join(folder, name), { force: true })
    }
    for (const siteId of refusedSiteIds) {
      log.error(
        { err: new Error(siteId), siteId },
        'a certificate cannot be used by Traffic Server',
      )
    }
    const writeConfig = () => writeFile(join(configFolder, 'ssl_multicert.config'), config)
    const served = sites.filter(({ id }) => !refusedSiteIds.includes(id))
    await this.#apply(served, reload, writeConfig)
    this.#written = ids
  }

  /** A reload that closely follows another one is lost at times, so it is repeated until it is seen. */
  async #apply(
    sites: readonly EdgeSite[],
    reload: () => Promise<void> | undefined,
    touch: () => Promise<void>,
  ): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      await touch()
      const reloading = reload()
      if (reloading === undefined) return
      await reloading
      for (let check = 0; check < CHECKS; check += 1) {
        await pause(CHECK_MS)
        if (await this.#areServed(sites)) return
      }
    }
    throw new Error('Traffic Server does not serve the new certificates.')
  }

  async #areServed(sites: readonly EdgeSite[]): Promise<boolean> {
    const { address } = this.#options
    if (address === undefined) return true
    for (const { hosts, certificate } of sites) {
      if (certificate === null) continue
      const wanted = new X509Certificate(certificate.chain)
      const host = hosts.find((name) => wanted.checkHost(name) !== undefined)
      if (host === undefined) continue
      if ((await servedFingerprint(address, host)) !== wanted.fingerprint256) return false
    }
    return true
  }
}

function servedFingerprint(
  address: { readonly host: string; readonly port: number },
  servername: string,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    // Which one it is, is all that is asked; nothing is sent.
    const socket = connect({ ...address, servername, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerX509Certificate()?.fingerprint256)
      socket.destroy()
    })
    socket.once('error', () => resolve(undefined))
  })
}
