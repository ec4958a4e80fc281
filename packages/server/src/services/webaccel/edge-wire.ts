import type { KnownEdge } from './edge-rules.ts'

/** How long an edge that is up to date may not have been seen. */
const RECENT_MS = 3000

export function edgeToWire(edge: KnownEdge, isLive: boolean, version: number, now: Date) {
  const { status, seenAt, appliedVersion } = edge
  const ageMs = Math.max(0, now.getTime() - seenAt.getTime())
  const isCurrent = appliedVersion === version && ageMs < RECENT_MS
  return {
    id: status.id,
    name: status.name,
    engine: status.engine,
    software_version: status.softwareVersion,
    is_remote: edge.isRemote,
    is_live: isLive,
    started_at: status.startedAt,
    last_seen: seenAt.toISOString(),
    version: appliedVersion < 0 ? null : appliedVersion,
    settings_age_seconds: appliedVersion < 0 ? null : isCurrent ? 0 : Math.round(ageMs / 1000),
    cache_bytes: status.cacheBytes,
    cache_objects: status.cacheObjects,
    hits: status.hits,
    misses: status.misses,
  }
}
