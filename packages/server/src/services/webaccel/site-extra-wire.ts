/** How the wire spells what a site has besides its settings. */
import { BadRequest } from '../../kernel/errors.ts'
import type { Static } from '../../kernel/type.ts'
import { checkEndpoint } from './domain-rules.ts'
import type { LogUploadDraft } from './draft-contract.ts'
import type { LogUpload, Site } from './site-rules.ts'
import type { Seal } from './site-wire.ts'

export function guardTokensToWire({ guardToken, nextGuardToken }: Site) {
  return { OriginGuardToken: guardToken, NextOriginGuardToken: nextGuardToken }
}

/** The secret that is stored stays when none is sent. */
export function logUploadFromWire(
  wanted: Static<typeof LogUploadDraft>,
  stored: LogUpload | undefined,
  seal: Seal,
): LogUpload {
  const secret = wanted.SecretAccessKey ? seal(wanted.SecretAccessKey) : stored?.secret
  if (secret === undefined) throw secretMissing()
  return {
    bucket: wanted.Bucket,
    endpoint: checkEndpoint(wanted.Endpoint, 'SiteLogUploadConfig.Endpoint'),
    region: wanted.Region,
    accessKeyId: wanted.AccessKeyID,
    secret,
    status: wanted.Status ?? stored?.status ?? 'enabled',
  }
}

/** The secret is written, never returned; an unset one has an empty Bucket. */
export function logUploadToWire(upload: LogUpload | undefined) {
  return {
    SiteLogUploadConfig: {
      Bucket: upload?.bucket ?? '',
      Endpoint: upload?.endpoint ?? '',
      Region: upload?.region ?? '',
      AccessKeyID: upload?.accessKeyId ?? '',
      Status: upload?.status ?? 'disabled',
    },
  }
}

function secretMissing(): BadRequest {
  return new BadRequest(
    'SiteLogUploadConfig.SecretAccessKey is missing; none is stored yet.',
    'SiteLogUploadConfig.SecretAccessKey がありません。',
  )
}
