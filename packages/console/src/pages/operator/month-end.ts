/** The first instant of the month after, in Japan, whose months the interface closes. */
const JAPAN_MS = 9 * 3_600_000

export function monthEndOf(now: string): string {
  const there = new Date(Date.parse(now) + JAPAN_MS)
  const next = Date.UTC(there.getUTCFullYear(), there.getUTCMonth() + 1, 1)
  return new Date(next - JAPAN_MS).toISOString()
}
