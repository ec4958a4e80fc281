/** Lines of the access log of Traffic Server, as config-files.ts has it written. */
import type { AccessEntry } from '../options.ts'

export interface AccessRecord {
  /** Undefined where no site has the host. */
  readonly siteId: string | undefined
  readonly isHit: boolean
  readonly entry: AccessEntry
}

/** Codes of responses whose body came from the cache. */
const HITS: Readonly<Record<string, string>> = {
  TCP_HIT: 'hit',
  TCP_MEM_HIT: 'hit',
  TCP_CF_HIT: 'hit',
  TCP_IMS_HIT: 'hit',
  TCP_REFRESH_HIT: 'revalidated',
  TCP_REF_FAIL_HIT: 'stale',
}

/** Undefined for what is no such line: one that was cut off when the process was killed. */
export function parseLine(line: string): AccessRecord | undefined {
  const fields = fieldsOf(line)
  if (fields === undefined) return undefined
  const textOf = (name: string) => {
    const value = fields[name]
    return typeof value === 'string' && value !== '-' && value !== '' ? value : undefined
  }
  const numberOf = (name: string) => Math.max(0, Number(textOf(name) ?? 0)) || 0
  const isOwn = textOf('cache') === 'none'
  const cached = isOwn ? undefined : HITS[textOf('code') ?? '']
  return {
    siteId: textOf('site'),
    isHit: cached !== undefined,
    entry: {
      address: textOf('address') ?? '',
      time: new Date(numberOf('time') * 1000),
      method: textOf('method') ?? '',
      target: textOf('target') ?? '/',
      httpVersion: (textOf('version') ?? '').replace(/^HTTP\//, ''),
      status: numberOf('status'),
      bytes: numberOf('bytes'),
      referer: textOf('referer'),
      userAgent: textOf('agent'),
      cacheStatus: isOwn ? 'none' : (cached ?? 'miss'),
      host: textOf('host') ?? '',
      durationMs: numberOf('ms'),
    },
  }
}

function fieldsOf(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}
