/** Puts the web accelerator together: its handlers, its world sections and its own door. */
import type { Config } from '../config.ts'
import { DigestDoor } from '../http/auth/digest.ts'
import { useNonce } from '../http/auth/digest-uses.ts'
import { type Door, type KeyDoorOptions, keyDoor } from '../http/door.ts'
import { RateLimit } from '../http/rate-limit.ts'
import { type Random, randomHex, randomSecret } from '../kernel/random.ts'
import type { SecretBox } from '../kernel/secret-box.ts'
import { INTERFACE_WORDS } from '../kernel/words.ts'
import type { KeyRing } from '../services/account/public.ts'
import type { Context } from '../services/context.ts'
import { SettingStore } from '../services/settings/public.ts'
import { Vault, webaccelHandlers } from '../services/webaccel/public.ts'
import { sitesSection, siteUsageSection } from '../services/webaccel/world.ts'

export function plugWebaccel(config: Config, box: SecretBox, random: Random) {
  const parts = {
    vault: new Vault(box),
    isStrict: config.policy === 'strict',
    deliveryDomain: INTERFACE_WORDS.deliveryDomain,
    makeToken: () => randomSecret(random),
    makeLabel: () => randomHex(random, 12),
  }
  return { handlers: webaccelHandlers(parts), sections: [sitesSection(parts), siteUsageSection] }
}

/** Basic and Digest, and so many calls an hour. */
export function webaccelDoor(
  options: KeyDoorOptions,
  ring: KeyRing,
  random: Random,
  nonceKey: Uint8Array,
): Door<Context> {
  const { database, clock } = options
  const now = () => clock.now()
  const rate = new RateLimit({
    database,
    random,
    now,
    callsPerHour: () => database.read((tx) => new SettingStore(tx).get('webaccel_calls_per_hour')),
  })
  const digest = new DigestDoor({
    key: nonceKey,
    random,
    now,
    find: (token) => ring.findForDigest(database, token),
    use: (nonce, count, expiresAt) => useNonce(database, nonce, count, expiresAt, now()),
  })
  return keyDoor({ ...options, digest, countCall: (caller) => rate.count(caller) })
}
