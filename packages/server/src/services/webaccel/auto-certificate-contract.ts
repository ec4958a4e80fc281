/** Certificates that come and are renewed by themselves; existing clients ask for them. */
import { defineContract } from '../../kernel/contract.ts'
import { Type } from '../../kernel/type.ts'
import { SitePath } from './contract.ts'

const noSite = {
  not_found: 'there is no such site',
  forbidden: 'the site belongs to another member',
} as const

export const autoCertificateContract = defineContract({
  autoCertificateEnable: {
    method: 'POST',
    path: '/site/{site_id}/auto-cert-update',
    summary: 'Have the certificate of a site issued, and renewed before it ends',
    access: 'create',
    external: 'cdn',
    params: SitePath,
    body: Type.Object({ Type: Type.Enum(['letsencrypt']) }),
    reply: Type.Object({}),
    refuses: { ...noSite, bad_request: 'Type is not known' },
  },
  autoCertificateDisable: {
    method: 'DELETE',
    path: '/site/{site_id}/auto-cert-update',
    summary: 'Renew the certificate of a site no more; the one it has stays',
    access: 'create',
    external: 'cdn',
    params: SitePath,
    reply: Type.Object({}),
    refuses: noSite,
  },
})
