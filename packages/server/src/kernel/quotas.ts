/** What an account may have of each thing. A name that is missing has no limit. */
export const QUOTA_NAMES = [
  'sims',
  'gateways',
  'projects',
  'sites',
  'messages_per_day',
  'requests_per_second',
  'file_bytes',
] as const

export type QuotaName = (typeof QUOTA_NAMES)[number]

export type Quotas = Readonly<Partial<Record<QuotaName, number>>>
