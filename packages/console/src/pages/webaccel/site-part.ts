import type { Site } from '@kumoi/client'
import type { Key } from '../../key.ts'

/** What a part of a site's page is given. */
export interface SitePartProps {
  readonly site: Site
  readonly access: Key
  readonly reload: () => void
}
