/** Packets as radclient reads them: an attribute in each line of text, an empty one between packets. */
import { formatIpv4 } from '../../kernel/ipv4.ts'
import type { Packet } from '../../services/element-requests/public.ts'

/** The highest rate that every element reads as a positive number: no limit, in practice. */
export const BITS_PER_SECOND_MAX = 2 ** 31 - 1

/** `relayTo`: the element, where a relay takes the packets. */
export function packetsText(packets: readonly Packet[], relayTo?: string): string {
  const relay = relayTo === undefined ? [] : [`NAS-Identifier = ${quoted(relayTo)}`]
  return packets.map((packet) => `${[...attributes(packet), ...relay].join('\n')}\n`).join('\n')
}

/** Of a longer text radclient prints no end of line, so that its output cannot be read. */
const QUOTED_LENGTH_MAX = 900

function attributes(packet: Packet): string[] {
  const sessionId = quoted(packet.acctSessionId)
  const keys = [
    // The two others identify the session, too.
    ...(sessionId.length > QUOTED_LENGTH_MAX ? [] : [`Acct-Session-Id = ${sessionId}`]),
    `3GPP-IMSI = ${quoted(packet.imsi)}`,
    `Framed-IP-Address = ${formatIpv4(packet.ip)}`,
  ]
  if (packet.kind === 'disconnect') return ['Packet-Type = Disconnect-Request', ...keys]
  const rate = Math.min(packet.bitsPerSecond ?? BITS_PER_SECOND_MAX, BITS_PER_SECOND_MAX)
  return [
    'Packet-Type = CoA-Request',
    ...keys,
    `WISPr-Bandwidth-Max-Up = ${rate}`,
    `WISPr-Bandwidth-Max-Down = ${rate}`,
  ]
}

/**
 * An element chose the text. All that is not a letter, a digit or a plain mark is written in octal, so that
 * nothing ends the string or its line, and no `%{…}` is expanded.
 */
function quoted(text: string): string {
  const escaped = [...Buffer.from(text)].map((byte) => {
    const char = String.fromCharCode(byte)
    return /^[\w.:@+-]$/.test(char) ? char : `\\${byte.toString(8).padStart(3, '0')}`
  })
  return `"${escaped.join('')}"`
}
