/** Until when and from where a key works. Its secret was right, so the answer may say what is wrong. */
import type { CallerLimits } from '../../kernel/caller.ts'
import { utcMillis } from '../../kernel/datetime.ts'
import { Forbidden, Unauthorized } from '../../kernel/errors.ts'
import type { AuthFailure, From } from './throttle.ts'

export function checkLimits(
  { expiresAt, allowedAddresses }: CallerLimits,
  from: From,
  now: Date,
  count: (reason: AuthFailure) => void,
): void {
  if (expiresAt !== undefined && expiresAt <= now) {
    count('expired')
    const at = utcMillis(expiresAt)
    throw new Unauthorized(`The key expired at ${at}.`, `キーの有効期限が切れています (${at})。`)
  }
  if (allowedAddresses === undefined || allowedAddresses.has(from.clientAddress)) return
  count('address')
  throw new Forbidden(
    `The key may not be used from ${from.clientAddress}.`,
    `このキーは ${from.clientAddress} からは使えません。`,
  )
}
