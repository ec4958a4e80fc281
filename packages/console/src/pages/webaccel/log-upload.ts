/** Where the logs of a site go, as a form has it, and the rules over it. */
import type { Input, Reply } from '@kumoi/client'
import { siteText } from './texts.ts'

export type Stored = Reply<'logUploadRead'>['SiteLogUploadConfig']
type Wanted = Input<'logUploadSet'>['body']['SiteLogUploadConfig']

export interface LogForm {
  readonly bucket: string
  readonly endpoint: string
  readonly region: string
  readonly accessKeyId: string
  readonly secret: string
  readonly status: 'enabled' | 'disabled'
}

/** The interface answers with empty texts where nothing is set. */
export const isSet = ({ Bucket }: Stored) => Bucket !== ''

export function logFormOf(stored: Stored): LogForm {
  return {
    bucket: stored.Bucket,
    endpoint: stored.Endpoint,
    region: stored.Region,
    accessKeyId: stored.AccessKeyID,
    secret: '',
    status: isSet(stored) && stored.Status === 'disabled' ? 'disabled' : 'enabled',
  }
}

export function logProblem(form: LogForm, stored: Stored): string | undefined {
  const { bucket, endpoint, region, accessKeyId, secret } = form
  const isWhole = [bucket, endpoint, region, accessKeyId].every((text) => text.trim() !== '')
  if (!isWhole) return siteText('logNeeds')
  if (!endpoint.trim().startsWith('https://')) return siteText('logEndpointWrong')
  // The first time there is none that could stay.
  return secret === '' && !isSet(stored) ? siteText('logSecretNeeded') : undefined
}

export function logChangeOf(form: LogForm): Wanted {
  return {
    Bucket: form.bucket.trim(),
    Endpoint: form.endpoint.trim(),
    Region: form.region.trim(),
    AccessKeyID: form.accessKeyId.trim(),
    Status: form.status,
    ...(form.secret !== '' && { SecretAccessKey: form.secret }),
  }
}
