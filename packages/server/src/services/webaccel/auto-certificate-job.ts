/** Issues certificates for the sites that asked for it, and renews them before they end. */
import { X509Certificate } from 'node:crypto'
import { idFromNumber } from '../../kernel/ids.ts'
import type { Job } from '../../kernel/job.ts'
import { DAY_MS } from '../../kernel/units.ts'
import type { Database, Tx } from '../../storage/database.ts'
import { type Issued, renewAt, retryAt } from '../certificates/public.ts'
import {
  AutoCertificateStore,
  type DueCertificate,
  findAuthority,
  putAuthority,
} from './auto-certificate-store.ts'
import { CertificateStore } from './certificate-store.ts'
import { AUTHORITY, type Vault } from './vault.ts'

export const AUTO_CERTIFICATES = 'webaccel-certificates'

/** Who makes certificates; site-issuer.ts knows how. */
export interface Issuer {
  makeAuthority(now: Date): Issued
  issue(authority: Issued, domain: string, now: Date): Issued
}

/** Who is asked for them. */
export interface SiteOrders {
  order(domains: readonly string[], signal: AbortSignal | undefined, now: Date): Promise<Issued>
}

/** By the authority of this cloud. */
export function ownOrders(database: Database, issuer: Issuer, vault: Vault): SiteOrders {
  return {
    async order([domain = ''], _signal, now) {
      const authority = await database.write((tx) => authorityOf(tx, issuer, vault, now))
      return issuer.issue(authority, domain, now)
    },
  }
}

export function autoCertificateJob(orders: SiteOrders, vault: Vault): Job<Database> {
  return {
    name: AUTO_CERTIFICATES,
    nextDue: (database) => database.read((tx) => new AutoCertificateStore(tx).nextDue()),
    async run(database, now, signal) {
      const failed: string[] = []
      let issued = 0
      for (;;) {
        const due = await database.read((tx) => new AutoCertificateStore(tx).findDue(now))
        if (due === undefined) break
        // One that fails, such as for a name that leads elsewhere, does not stop the run.
        const error = await issueOne(database, due, orders, vault, now, signal)
        if (error === undefined) issued += 1
        else failed.push(`${due.domain}: ${error}`)
      }
      const summary = `${issued} certificates issued`
      if (failed.length > 0)
        throw new Error(`${summary}, ${failed.length} not: ${failed.join('; ')}`)
      return summary
    },
  }
}

/** Answers with what has gone wrong. */
async function issueOne(
  database: Database,
  due: DueCertificate,
  orders: SiteOrders,
  vault: Vault,
  now: Date,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const { id: siteId, domain } = due
  const failures = due.failures + 1
  try {
    const issued = await orders.order([domain], signal, now)
    await database.write((tx) => store(tx, due, issued, vault, now))
    return undefined
  } catch (error) {
    if (signal?.aborted) throw error
    const dueAt = retryAt(failures, now)
    await database.write((tx) => new AutoCertificateStore(tx).failed(siteId, failures, dueAt))
    return error instanceof Error ? error.message : String(error)
  }
}

async function store(
  tx: Tx,
  { id: siteId, domain }: DueCertificate,
  { chain, key }: Issued,
  vault: Vault,
  now: Date,
): Promise<void> {
  const wanted = new AutoCertificateStore(tx)
  // The site may have gone meanwhile, or have another domain.
  const stillDue = await wanted.findOf(siteId)
  if (stillDue?.domain !== domain) return
  const certificates = new CertificateStore(tx)
  const previous = await certificates.find(siteId, 'current')
  if (previous !== undefined) await certificates.put('old', previous)
  const id = idFromNumber(await tx.next('resource'))
  const times = { createdAt: now, updatedAt: now }
  const sealedKey = vault.sealFor(siteId)(key)
  await certificates.put('current', { id, siteId, chain, sealedKey, ...times })
  await wanted.issued(siteId, id, renewAt(chain, now))
}

/** What it signs must not outlive it, so one that ends soon is replaced. */
async function authorityOf(tx: Tx, issuer: Issuer, vault: Vault, now: Date): Promise<Issued> {
  const kept = await findAuthority(tx)
  const endsAt = kept && new X509Certificate(kept.chain).validToDate.getTime()
  if (kept !== undefined && endsAt !== undefined && endsAt > now.getTime() + 365 * DAY_MS) {
    return { chain: kept.chain, key: vault.open(AUTHORITY, kept.sealedKey) }
  }
  const made = issuer.makeAuthority(now)
  await putAuthority(tx, { chain: made.chain, sealedKey: vault.sealFor(AUTHORITY)(made.key) })
  return made
}
