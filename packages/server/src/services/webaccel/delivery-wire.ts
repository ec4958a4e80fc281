import { japanTime } from '../../kernel/datetime.ts'
import type { ProbedEdge } from './edge-rules.ts'
import type { EdgeObject } from './edge-types.ts'
import type { HourOfSite } from './usage-rules.ts'

export function hourToWire({ hour, ...counted }: HourOfSite) {
  return {
    Hour: japanTime(hour),
    AccessCount: counted.accessCount,
    HitCount: counted.hitCount,
    BytesSent: counted.bytesSent,
    CacheMissBytesSent: counted.cacheMissBytesSent,
  }
}

export function probedToWire({ edge, answer }: ProbedEdge) {
  return {
    ...{ ID: edge.id, Name: edge.name, Engine: edge.engine },
    Action: answer?.action ?? null,
    Status: answer?.status ?? null,
    Steps: (answer?.steps ?? []).map(({ name, result }) => ({ Name: name, Result: result })),
    Objects: (answer?.objects ?? []).map(objectToWire),
  }
}

function objectToWire(object: EdgeObject) {
  return {
    Status: object.status,
    Variant: { ...object.variant },
    StoredAt: japanTime(new Date(object.storedAt)),
    FreshUntil: japanTime(new Date(object.freshUntil)),
    Bytes: object.bytes,
    Tier: object.tier,
  }
}
