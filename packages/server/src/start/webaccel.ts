/** Plugs in the web accelerator, with an access of its own: Basic and Digest, and a limit of calls an hour. */
import type { Config } from '../config.ts'
import { WEBACCEL } from '../contracts.ts'
import { type Access, type ApiKeyOptions, apiKeyAccess } from '../http/auth/access.ts'
import { DigestAuthenticator } from '../http/auth/digest.ts'
import { rateLimit } from '../http/rate-limit.ts'
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
  CallRateStore,
  useNonce,
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
    mount({ api, keyOptions }) {
      const access = webaccelAccess(keyOptions, ring, random, nonceKey)
      api.mount({
        family: WEBACCEL,
        contract: webaccelContract,
        handlers: webaccelHandlers(parts),
        access,
      })
      api.mount({
        family: WEBACCEL,
        contract: autoCertificateContract,
        handlers: autoCertificateHandlers(wake),
        access,
      })
    },
  }
}

function webaccelAccess(
  options: ApiKeyOptions,
  ring: KeyRing,
  random: Random,
  nonceKey: Uint8Array,
): Access<Context> {
  const { database, clock } = options
  const now = () => clock.now()
  const calls = new CallRateStore(database, random)
  const countCall = rateLimit({
    now,
    callsPerHour: () => database.read((tx) => new SettingStore(tx).get('webaccel_calls_per_hour')),
    take: (accountId, limit, at) => calls.take(accountId, limit, at),
  })
  const digest = new DigestAuthenticator({
    key: nonceKey,
    random,
    now,
    find: (token) => ring.findForDigest(database, token),
    use: (nonce, count, expiresAt) => useNonce(database, nonce, count, expiresAt, now()),
  })
  return apiKeyAccess({ ...options, digest, countCall })
}
