/** How the wire spells what a site has besides its settings. */
import { BadRequest } from '../../kernel/errors.ts'
import type { WebaccelHabits } from '../../kernel/profile.ts'
import type { Static } from '../../kernel/type.ts'
import { checkEndpoint } from './domain-rules.ts'
import type { LogUploadDraft } from './draft-contract.ts'
import type { LogUpload, Site } from './site-rules.ts'
import type { Seal } from './site-wire.ts'

export function guardTokensToWire({ guardToken, nextGuardToken }: Site) {
  return { OriginGuardToken: guardToken, NextOriginGuardToken: nextGuardToken }
}

/** Shown for a secret that is not. */
const MASK = '*'.repeat(8)

/** The secret that is stored stays when none is sent, or what was shown for it. */
export function logUploadFromWire(
  wanted: Static<typeof LogUploadDraft>,
  stored: LogUpload | undefined,
  seal: Seal,
): LogUpload {
  const { SecretAccessKey: sent } = wanted
  const secret = sent && sent !== MASK ? seal(sent) : stored?.secret
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

/** The secret is written, never returned, unless the profile says so; an unset one has an empty Bucket. */
export function logUploadToWire(
  upload: LogUpload | undefined,
  { showsUploadSecret }: WebaccelHabits,
  sent?: string | null,
) {
  return {
    SiteLogUploadConfig: {
      Bucket: upload?.bucket ?? '',
      Endpoint: upload?.endpoint ?? '',
      Region: upload?.region ?? '',
      AccessKeyID: upload?.accessKeyId ?? '',
      ...(showsUploadSecret && { SecretAccessKey: sent || (upload === undefined ? '' : MASK) }),
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
