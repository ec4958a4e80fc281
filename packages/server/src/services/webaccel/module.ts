import type { Wake } from '../../kernel/job.ts'
import type { Profile } from '../../kernel/profile.ts'
import { type Random, randomHex, randomSecret } from '../../kernel/random.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import { WEBACCEL } from '../families.ts'
import { byKey, type Module } from '../module.ts'
import { autoCertificateContract } from './auto-certificate-contract.ts'
import { autoCertificateJob } from './auto-certificate-job.ts'
import { autoCertificateHandlers } from './auto-certificate-routes.ts'
import { webaccelContract } from './contract.ts'
import { demoSites } from './demo.ts'
import { webaccelHandlers } from './routes.ts'
import { siteIssuer } from './site-issuer.ts'
import { Vault } from './vault.ts'
import { sitesSection, siteUsageSection } from './world.ts'

export function webaccelModule(options: {
  readonly box: SecretBox
  readonly random: Random
  readonly profile: Profile
  readonly isStrict: boolean
  readonly wake: Wake
}): Module {
  const { box, random, profile, isStrict, wake } = options
  const parts = {
    vault: new Vault(box),
    isStrict,
    deliveryDomain: profile.words.deliveryDomain,
    habits: profile.webaccel,
    makeToken: () => randomSecret(random),
    makeLabel: () => randomHex(random, 12),
  }
  const issuer = siteIssuer(random)
  return {
    demoPast: demoSites(issuer, parts.vault),
    jobs: [autoCertificateJob(issuer, parts.vault)],
    sections: [sitesSection(parts), siteUsageSection],
    operations: [
      byKey(WEBACCEL, webaccelContract, webaccelHandlers(parts)),
      byKey(WEBACCEL, autoCertificateContract, autoCertificateHandlers(wake)),
    ],
  }
}
