/** Who the client is: the peer, or whom trusted proxies name. */

/** The last one that no trusted proxy has: those before it are what the client itself may have written. */
export function clientAddress(
  peer: string,
  forwardedFor: string | undefined,
  isTrusted: (address: string) => boolean,
): string {
  if (forwardedFor === undefined || !isTrusted(peer)) return peer
  const named = forwardedFor.split(',').map((address) => address.trim())
  return named.findLast((address) => !isTrusted(address)) ?? named[0] ?? peer
}
