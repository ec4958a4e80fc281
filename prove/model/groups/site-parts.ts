/** What a site has besides its settings: an access list and certificates. */
import { type Command, type Context, type Expected, type Maker, maker } from '../command.ts'
import type { Site } from '../state.ts'
import { CERTIFICATES } from './certificates.ts'
import { onSite } from './sites.ts'

function setAcl(context: Context): Command {
  const acl = context.choices.pick(['deny 192.0.2.0/24\nallow all', 'deny all', '', 'perhaps'])
  return onSite(context, {
    ...{ name: 'aclSet', method: 'PUT', path: '/acl', level: 'arrange', body: { ACL: acl } },
    on(site) {
      if (acl === 'perhaps') return { status: 400 }
      site.acl = acl
      return { status: 200, shows: { ACL: acl } }
    },
  })
}

const readAcl = (context: Context) =>
  onSite(context, {
    ...{ name: 'aclRead', method: 'GET', path: '/acl', level: 'view' },
    on: ({ acl }) => ({ status: 200, shows: { ACL: acl } }),
  })

const removeAcl = (context: Context) =>
  onSite(context, {
    ...{ name: 'aclDelete', method: 'DELETE', path: '/acl', level: 'arrange' },
    on(site) {
      site.acl = ''
      return { status: 200 }
    },
  })

const BY_NUMBER = [...CERTIFICATES.keys()]

/** The key is sometimes that of another certificate. */
function createCertificate(context: Context): Command {
  const { choices } = context
  const number = choices.pick(BY_NUMBER)
  const ofKey = choices.oneIn(5) ? choices.pick(BY_NUMBER) : number
  return onSite(context, {
    ...{ name: 'certificateCreate', method: 'POST', path: '/certificate', level: 'create' },
    body: {
      Certificate: {
        CertificateChain: CERTIFICATES[number]?.chain,
        Key: CERTIFICATES[ofKey]?.key,
      },
    },
    on(site) {
      if (ofKey !== number) return { status: 400 }
      // Without one in use, what was before stays.
      if (site.certificate !== undefined) site.oldCertificate = site.certificate
      site.certificate = number
      return shown(site)
    },
  })
}

/** Without a key: that of the certificate in use stays, so that no other certificate fits. */
function updateCertificate(context: Context): Command {
  const number = context.choices.pick(BY_NUMBER)
  return onSite(context, {
    ...{ name: 'certificateUpdate', method: 'PUT', path: '/certificate', level: 'create' },
    body: { Certificate: { CertificateChain: CERTIFICATES[number]?.chain } },
    on: (site) => (site.certificate === number ? shown(site) : { status: 400 }),
  })
}

const removeCertificate = (context: Context) =>
  onSite(context, {
    ...{ name: 'certificateDelete', method: 'DELETE', path: '/certificate', level: 'create' },
    on(site) {
      if (site.certificate === undefined) return { status: 404 }
      site.certificate = undefined
      return shown(site)
    },
  })

const readCertificates = (context: Context) =>
  onSite(context, {
    ...{ name: 'certificateRead', method: 'GET', path: '/certificate', level: 'view' },
    on: shown,
  })

/** A site without any shows an empty list in place of the object. */
function shown({ certificate, oldCertificate }: Site): Expected {
  const one = (number: number) => ({ CertificateChain: CERTIFICATES[number]?.chain })
  if (certificate === undefined && oldCertificate === undefined) {
    return { status: 200, shows: { Certificate: [] } }
  }
  const Old = oldCertificate === undefined ? [] : [one(oldCertificate)]
  const Current = certificate === undefined ? undefined : one(certificate)
  return { status: 200, shows: { Certificate: { Current, Old } } }
}

export const sitePartMakers: readonly Maker[] = [
  ...[maker(2, setAcl), maker(2, readAcl), maker(1, removeAcl), maker(3, createCertificate)],
  ...[maker(2, updateCertificate), maker(1, removeCertificate), maker(2, readCertificates)],
]
