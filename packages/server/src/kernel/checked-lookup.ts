/**
 * Names that users give lead only where they may (docs/adr/0025-outbound-requests.md). The check is in the lookup of the
 * connection itself, so that a name that answers differently the second time gains nothing.
 */
import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'

/** Every address of the name must be allowed: which one is connected to is not ours to choose. */
export function checkedLookup(
  isForbidden: (address: string) => boolean,
  refusal: (hostname: string) => Error,
): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '', 0)
      const [first] = addresses
      if (first === undefined || addresses.some(({ address }) => isForbidden(address))) {
        return callback(refusal(hostname), '', 0)
      }
      if (options.all) return callback(null, addresses)
      return callback(null, first.address, first.family)
    })
  }
}
