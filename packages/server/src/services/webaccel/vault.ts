/** Seals the secrets of a site for the database, and opens them for those who need them. */

import type { SealedColumn } from '../../kernel/sealed-column.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import type { LogUpload, SiteId, SiteSettings } from './site-rules.ts'

const owner = (siteId: string) => `site ${siteId}`

/** Stands for the site where the key of the authority is sealed. */
export const AUTHORITY = 'authority'

export const SEALED: readonly SealedColumn[] = [
  {
    ...{ table: 'site', column: 'settings', key: ['id'], owner },
    inDocument(text, each) {
      const settings: SiteSettings = JSON.parse(text)
      const { origin, onetimeSecrets } = settings
      return JSON.stringify({
        ...settings,
        origin: origin.type === 'storage' ? { ...origin, secret: each(origin.secret) } : origin,
        onetimeSecrets: onetimeSecrets.map(each),
      })
    },
  },
  {
    ...{ table: 'site', column: 'log_upload', key: ['id'], owner },
    inDocument(text, each) {
      const upload: LogUpload = JSON.parse(text)
      return JSON.stringify({ ...upload, secret: each(upload.secret) })
    },
  },
  { table: 'site_certificate', column: 'sealed_key', key: ['site_id', 'generation'], owner },
  { table: 'site_authority', column: 'sealed_key', key: ['id'], owner: () => owner(AUTHORITY) },
]

export class Vault {
  readonly #box: SecretBox

  constructor(box: SecretBox) {
    this.#box = box
  }

  sealFor(siteId: SiteId | typeof AUTHORITY): (secret: string) => string {
    return (secret) => this.#box.seal(secret, owner(siteId))
  }

  open(siteId: SiteId | typeof AUTHORITY, sealed: string): string {
    return this.#box.open(sealed, owner(siteId))
  }
}
