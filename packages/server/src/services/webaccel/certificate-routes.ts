import type { X509Certificate } from 'node:crypto'
import type { Handlers } from '../../kernel/contract.ts'
import { BadRequest, NotFound } from '../../kernel/errors.ts'
import { idFromNumber } from '../../kernel/ids.ts'
import type { Context } from '../context.ts'
import { checkKey, checkStrictly, parseChain } from './certificate-rules.ts'
import { CertificateStore } from './certificate-store.ts'
import { certificatesToWire } from './certificate-wire.ts'
import type { webaccelContract } from './contract.ts'
import type { WebaccelParts } from './parts.ts'
import type { Site, SiteId } from './site-rules.ts'
import { SiteStore } from './site-store.ts'

type Own = 'certificateRead' | 'certificateCreate' | 'certificateUpdate' | 'certificateDelete'

export function certificateHandlers({
  vault,
  isStrict,
}: WebaccelParts): Pick<Handlers<typeof webaccelContract, Context>, Own> {
  return {
    async certificateRead({ params, query }, context) {
      const site = await siteOf(params, context)
      return show(context, site.id, query.type)
    },

    async certificateCreate({ params, body }, context) {
      const { tx, now } = context
      const site = await siteOf(params, context)
      const { CertificateChain, Key } = body.Certificate
      const leaf = leafOf(CertificateChain, site, now, isStrict)
      if (!Key) throw keyMissing()
      checkKey(Key, leaf)
      const store = new CertificateStore(tx)
      const previous = await store.find(site.id, 'current')
      if (previous !== undefined) await store.put('old', previous)
      await store.put('current', {
        id: idFromNumber(await tx.next('resource')),
        siteId: site.id,
        chain: CertificateChain,
        sealedKey: vault.sealFor(site.id)(Key),
        createdAt: now,
        updatedAt: now,
      })
      return show(context, site.id)
    },

    async certificateUpdate({ params, body }, context) {
      const site = await siteOf(params, context)
      const store = new CertificateStore(context.tx)
      const current = await store.find(site.id, 'current')
      if (current === undefined) {
        throw new BadRequest(
          'The site has no certificate to replace.',
          '置き換える証明書がありません。',
        )
      }
      const { CertificateChain } = body.Certificate
      const key = body.Certificate.Key || vault.open(site.id, current.sealedKey)
      checkKey(key, leafOf(CertificateChain, site, context.now, isStrict))
      const sealedKey = vault.sealFor(site.id)(key)
      await store.put('current', {
        ...current,
        chain: CertificateChain,
        sealedKey,
        updatedAt: context.now,
      })
      return show(context, site.id)
    },

    async certificateDelete({ params }, context) {
      const site = await siteOf(params, context)
      if (!(await new CertificateStore(context.tx).delete(site.id, 'current'))) {
        throw new NotFound('The site has no current certificate.', '現在の証明書がありません。')
      }
      return show(context, site.id)
    },
  }
}

function leafOf(pem: string, site: Site, now: Date, isStrict: boolean): X509Certificate {
  const chain = parseChain(pem)
  if (isStrict) checkStrictly(chain, site.asciiDomain, now)
  // parseChain answers with one at least.
  return chain[0] as X509Certificate
}

function siteOf({ site_id }: { readonly site_id: string }, { tx, caller }: Context): Promise<Site> {
  return new SiteStore(tx, caller.accountId).get(site_id)
}

async function show({ tx, asNumbers }: Context, siteId: SiteId, type?: 'current' | 'old') {
  const store = new CertificateStore(tx)
  const current = await store.find(siteId, 'current')
  const old = await store.find(siteId, 'old')
  return { Certificate: certificatesToWire(current, old, type, asNumbers) }
}

function keyMissing(): BadRequest {
  return new BadRequest('Certificate.Key is missing.', 'Certificate.Key がありません。')
}
