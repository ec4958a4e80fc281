/** Makes a site, for the API and for a world file alike. */
import { BadRequest } from '../../kernel/errors.ts'
import type { AccountId } from '../../kernel/ids.ts'
import type { Static } from '../../kernel/type.ts'
import { toAsciiDomain } from './domain-rules.ts'
import type { SiteDraft } from './draft-contract.ts'
import { checkSettings, type Site, type SiteId } from './site-rules.ts'
import { type Seal, settingsFromDraft } from './site-wire.ts'

export function makeSite(
  draft: Static<typeof SiteDraft>,
  given: { id: SiteId; accountId: AccountId; subdomain: string; seal: Seal; now: Date },
): Site {
  if (draft.DomainType === 'own_domain' && !draft.Domain) {
    throw new BadRequest('Site.Domain is missing.', 'Site.Domain がありません。')
  }
  // A site without a domain of its own is delivered under its subdomain (docs/webaccel.md).
  const domain = draft.DomainType === 'own_domain' && draft.Domain ? draft.Domain : given.subdomain
  return {
    id: given.id,
    accountId: given.accountId,
    asciiDomain: toAsciiDomain(domain, 'Site.Domain'),
    subdomain: given.subdomain,
    settings: checkSettings(settingsFromDraft(draft, domain, given.seal)),
    status: 'disabled',
    guardToken: '',
    nextGuardToken: '',
    acl: '',
    logUpload: undefined,
    createdAt: given.now,
  }
}
