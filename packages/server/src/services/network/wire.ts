import { utcMicros } from '../../kernel/datetime.ts'
import type { ElementCounts, PublicElement } from './rules.ts'

export function elementToWire(element: PublicElement, counts: ElementCounts, sessions: number) {
  const { name, address, carriers, coaPort } = element
  const { lastSeenAt, accepted, refused, accountingPackets } = counts
  return {
    ...{ name, address, carriers, coa_port: coaPort },
    last_seen: lastSeenAt === undefined ? null : utcMicros(lastSeenAt),
    ...{ accepted, refused, accounting_packets: accountingPackets, sessions },
  }
}
