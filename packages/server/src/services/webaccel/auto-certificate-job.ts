/** Issues certificates for the sites that asked for it, and renews them before they end. */

import { X509Certificate } from 'node:crypto'
import { idFromNumber } from '../../kernel/ids.ts'
import type { Job } from '../../kernel/job.ts'
import { DAY_MS } from '../../kernel/units.ts'
import type { Database, Tx } from '../../storage/database.ts'
import { AutoCertificateStore, findAuthority, putAuthority } from './auto-certificate-store.ts'
import { CertificateStore } from './certificate-store.ts'
import type { SiteId } from './site-rules.ts'
import type { Vault } from './vault.ts'

export const AUTO_CERTIFICATES = 'webaccel-certificates'
export const RENEW_BEFORE_DAYS = 30

/** PEM. */
export interface Issued {
  readonly chain: string
  readonly key: string
}

/** Who makes certificates; http/ knows how. */
export interface Issuer {
  makeAuthority(now: Date): Issued
  issue(authority: Issued, domain: string, now: Date): Issued
}

export function autoCertificateJob(issuer: Issuer, vault: Vault): Job<Database> {
  return {
    name: AUTO_CERTIFICATES,
    nextDue: (database) => database.read((tx) => new AutoCertificateStore(tx).nextDue()),
    async run(database, now) {
      let issued = 0
      // A transaction a site: making keys takes a while, and nobody should wait for all of them.
      while (await database.write((tx) => issueOne(tx, issuer, vault, now))) issued += 1
      return `${issued} certificates issued`
    },
  }
}

async function issueOne(tx: Tx, issuer: Issuer, vault: Vault, now: Date): Promise<boolean> {
  const wanted = new AutoCertificateStore(tx)
  const due = await wanted.findDue(now)
  if (due === undefined) return false
  const { chain, key } = issuer.issue(await authorityOf(tx, issuer, vault, now), due.domain, now)
  const store = new CertificateStore(tx)
  const previous = await store.find(due.id, 'current')
  if (previous !== undefined) await store.put('old', previous)
  const id = idFromNumber(await tx.next('resource'))
  const sealedKey = vault.sealFor(due.id)(key)
  const times = { createdAt: now, updatedAt: now }
  await store.put('current', { id, siteId: due.id, chain, sealedKey, ...times })
  const endsAt = new X509Certificate(chain).validToDate.getTime()
  await wanted.issued(due.id, id, new Date(endsAt - RENEW_BEFORE_DAYS * DAY_MS))
  return true
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

/** Stands where the id of a site stands in what is sealed for one. */
const AUTHORITY = 'authority' as SiteId
