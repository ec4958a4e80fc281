import type { Handlers } from '../../kernel/contract.ts'
import type { Wake } from '../../kernel/job.ts'
import type { Context } from '../context.ts'
import type { autoCertificateContract } from './auto-certificate-contract.ts'
import { AUTO_CERTIFICATES } from './auto-certificate-job.ts'
import { AutoCertificateStore } from './auto-certificate-store.ts'
import { SiteStore } from './site-store.ts'

export function autoCertificateHandlers(
  wake: Wake,
): Handlers<typeof autoCertificateContract, Context> {
  return {
    async autoCertificateEnable({ params, body }, { tx, caller, now }) {
      const site = await new SiteStore(tx, caller.accountId).get(params.site_id)
      await new AutoCertificateStore(tx).put(site.id, body.Type, now)
      tx.afterCommit(() => wake(AUTO_CERTIFICATES))
      return {}
    },

    async autoCertificateDisable({ params }, { tx, caller }) {
      const site = await new SiteStore(tx, caller.accountId).get(params.site_id)
      await new AutoCertificateStore(tx).delete(site.id)
      return {}
    },
  }
}
