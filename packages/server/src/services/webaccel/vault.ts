/** Seals the secrets of a site for the database, and opens them for those who need them. */
import type { SecretBox } from '../../kernel/secret-box.ts'
import type { SiteId } from './site-rules.ts'

export class Vault {
  readonly #box: SecretBox

  constructor(box: SecretBox) {
    this.#box = box
  }

  sealFor(siteId: SiteId): (secret: string) => string {
    return (secret) => this.#box.seal(secret, `site ${siteId}`)
  }

  open(siteId: SiteId, sealed: string): string {
    return this.#box.open(sealed, `site ${siteId}`)
  }
}
