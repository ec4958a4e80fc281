import type { Clock } from '../../kernel/clock.ts'
import type { Wake } from '../../kernel/job.ts'
import type { Profile } from '../../kernel/profile.ts'
import { type Random, randomHex, randomSecret } from '../../kernel/random.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import type { Database } from '../../storage/database.ts'
import type { CertificateOrders } from '../certificates/public.ts'
import { OPERATOR, WEBACCEL } from '../families.ts'
import { byKey, byOperator, byToken, type Module } from '../module.ts'
import { agedHours } from './aged-hours.ts'
import { agedUsage } from './aged-usage.ts'
import { autoCertificateContract } from './auto-certificate-contract.ts'
import { autoCertificateJob, ownOrders } from './auto-certificate-job.ts'
import { autoCertificateHandlers } from './auto-certificate-routes.ts'
import { webaccelContract } from './contract.ts'
import { DatabaseEdges } from './database-edges.ts'
import { deliveryContract } from './delivery-contract.ts'
import { deliveryHandlers } from './delivery-routes.ts'
import { demoSites } from './demo.ts'
import { edgeContract, edgeFeedContract } from './edge-contract.ts'
import { edgeEventsJob } from './edge-events-job.ts'
import { EdgeRequests } from './edge-requests.ts'
import { edgeFeedHandlers, edgeHandlers, identifyEdge } from './edge-routes.ts'
import { webaccelHandlers } from './routes.ts'
import { siteIssuer } from './site-issuer.ts'
import { SEALED, Vault } from './vault.ts'
import { sitesSection, siteUsageSection } from './world.ts'

export function webaccelModule(options: {
  readonly box: SecretBox
  readonly random: Random
  readonly profile: Profile
  readonly isStrict: boolean
  readonly wake: Wake
  readonly database: Database
  /** The machine's, by which edges run. */
  readonly machine: Pick<Clock, 'now'>
  readonly edgeToken: string
  /** Issue certificates for sites; an authority of this cloud does where there are none. */
  readonly orders: Pick<CertificateOrders, 'order' | 'findAnswer'> | undefined
}): Module & { readonly edges: DatabaseEdges } {
  const { box, random, profile, isStrict, wake, database, machine, orders } = options
  const vault = new Vault(box)
  const edges = new DatabaseEdges({ database, vault, clock: machine, wake })
  const machineNow = () => machine.now()
  const parts = {
    vault,
    isStrict,
    edges: new EdgeRequests(database, machine, () => edges.notify()),
    machineNow,
    deliveryDomain: profile.words.deliveryDomain,
    habits: profile.webaccel,
    makeToken: () => randomSecret(random),
    makeLabel: () => randomHex(random, 12),
  }
  const issuer = siteIssuer(random)
  return {
    ...{ edges, sealed: SEALED },
    demoPast: demoSites(issuer, parts.vault),
    aged: [agedUsage, agedHours],
    jobs: [
      autoCertificateJob(orders ?? ownOrders(database, issuer, vault), vault),
      edgeEventsJob(machine),
    ],
    sections: [sitesSection(parts), siteUsageSection],
    operations: [
      byKey(WEBACCEL, webaccelContract, webaccelHandlers(parts)),
      byKey(WEBACCEL, autoCertificateContract, autoCertificateHandlers(wake)),
      byKey(WEBACCEL, deliveryContract, deliveryHandlers(parts)),
      byOperator(edgeContract, edgeHandlers(machineNow)),
      byToken(
        OPERATOR,
        edgeFeedContract,
        edgeFeedHandlers(edges, orders && ((token) => orders.findAnswer(token))),
        identifyEdge(options.edgeToken),
      ),
    ],
  }
}
