/** Plugs in the web accelerator, behind a door of its own: Basic and Digest, and so many calls an hour. */
import type { Config } from '../config.ts'
import { WEBACCEL } from '../contracts.ts'
import { DigestDoor } from '../http/auth/digest.ts'
import { useNonce } from '../http/auth/digest-uses.ts'
import { type Door, type KeyDoorOptions, keyDoor } from '../http/door.ts'
import { RateLimit } from '../http/rate-limit.ts'
import type { Wake } from '../kernel/job.ts'
import { type Random, randomHex, randomSecret } from '../kernel/random.ts'
import type { SecretBox } from '../kernel/secret-box.ts'
import type { Words } from '../kernel/words.ts'
import type { KeyRing } from '../services/account/public.ts'
import type { Context } from '../services/context.ts'
import { SettingStore } from '../services/settings/public.ts'
import { autoCertificateContract } from '../services/webaccel/auto-certificate-contract.ts'
import { webaccelContract } from '../services/webaccel/contract.ts'
import {
  autoCertificateHandlers,
  autoCertificateJob,
  Vault,
  webaccelHandlers,
} from '../services/webaccel/public.ts'
import { sitesSection, siteUsageSection } from '../services/webaccel/world.ts'
import type { Plug } from './plug.ts'
import { siteIssuer } from './site-issuer.ts'

export function plugWebaccel(options: {
  readonly config: Config
  readonly box: SecretBox
  readonly random: Random
  readonly ring: KeyRing
  readonly words: Words
  readonly wake: Wake
  /** Signs nonces, so that any process can judge one that another gave out. */
  readonly nonceKey: Uint8Array
}): Plug {
  const { config, box, random, ring, words, wake, nonceKey } = options
  const parts = {
    vault: new Vault(box),
    isStrict: config.policy === 'strict',
    deliveryDomain: words.deliveryDomain,
    makeToken: () => randomSecret(random),
    makeLabel: () => randomHex(random, 12),
  }
  return {
    jobs: [autoCertificateJob(siteIssuer(random), parts.vault)],
    sections: [sitesSection(parts), siteUsageSection],
    mount({ edge, keyOptions }) {
      const door = webaccelDoor(keyOptions, ring, random, nonceKey)
      edge.mount({
        family: WEBACCEL,
        contract: webaccelContract,
        handlers: webaccelHandlers(parts),
        door,
      })
      edge.mount({
        family: WEBACCEL,
        contract: autoCertificateContract,
        handlers: autoCertificateHandlers(wake),
        door,
      })
    },
  }
}

function webaccelDoor(
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
