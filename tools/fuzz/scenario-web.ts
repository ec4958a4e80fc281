/** The part of the scenario with the web accelerator, billing and maintenances. */
import { makeCertificate } from '../../packages/server/src/testing/certificates.ts'
import { EDGE_TOKEN } from '../../packages/server/src/testing/cloud.ts'
import { EDGE_STATUS } from '../../packages/server/src/testing/edges.ts'
import { DRAFT } from '../../packages/server/src/testing/webaccel.ts'
import { type Pool, type Step, step } from './step.ts'

const site = (pool: Pool) => ({ params: { site_id: pool.get('site') } })
const withBody = (body: object) => (pool: Pool) => ({ ...site(pool), body })

const pem = makeCertificate({ names: ['www.example.jp'] })
const Certificate = { CertificateChain: pem.certificate, Key: pem.key }

const bill = (pool: Pool) => ({
  // The one of the world that the servers start with.
  params: { member_code: pool.get('member'), bill_id: '1' },
})
const ofAccount = (pool: Pool, more: object = {}) => ({
  params: { account_id: pool.get('account'), ...more },
})

/** Of an edge on a machine of its own. It is gone at the end: a purge would wait for it. */
const edgeId = { params: { edge_id: 'edge-1' } }
const edge = {
  ...edgeId,
  headers: { authorization: `Bearer ${EDGE_TOKEN}` },
}
const delivered = {
  ...{ hour: '2026-04-01T00:00:00Z', accessCount: 1, hitCount: 1 },
  ...{ bytesSent: 1, cacheMissBytesSent: 0 },
}
const probed = { action: 'miss', status: null, steps: [], objects: [] }

export const webSteps: readonly Step[] = [
  step('siteCreate', { body: { Site: DRAFT } }, { site: 'Site.ID' }),
  step('siteList', { query: { From: 0, Count: 5 } }),
  step('siteRead', site),
  step('siteUpdate', withBody({ Site: { Name: 'b', DefaultCacheTTL: 60, CORSRules: [] } })),
  step('siteStatusSet', withBody({ Site: { Status: 'enabled' } })),
  step('certificateCreate', withBody({ Certificate })),
  step('certificateUpdate', withBody({ Certificate })),
  step('certificateRead', (pool) => ({ ...site(pool), query: { type: 'current' } })),
  step('certificateDelete', site),
  step('aclSet', withBody({ ACL: 'deny 192.0.2.5/25\nallow all' })),
  step('aclRead', site),
  step('aclDelete', site),
  step('guardTokenCreate', site),
  step('nextGuardTokenCreate', site),
  step('nextGuardTokenDelete', site),
  step('guardTokenDelete', site),
  step(
    'logUploadSet',
    withBody({
      SiteLogUploadConfig: {
        Bucket: 'b',
        Endpoint: 'https://s3.example.jp',
        Region: 'r',
        AccessKeyID: 'k',
        SecretAccessKey: 's',
        Status: 'enabled',
      },
    }),
  ),
  step('logUploadRead', site),
  step('logUploadDelete', site),
  step('cacheDelete', { body: { URL: ['https://www.example.jp/a'] } }),
  step('cacheDeleteAll', { body: { Site: { Domain: 'www.example.jp' } } }),
  step('monthlyUsageRead', { query: { target: '202604' } }),
  step('siteTrafficRead', (pool) => ({ ...site(pool), query: { Hours: 2 } })),
  step(
    'siteProbe',
    withBody({ Probe: { URL: 'https://www.example.jp/', Headers: [{ Name: 'a', Value: 'b' }] } }),
  ),
  step('edgeChanges', { ...edge, body: { status: EDGE_STATUS, since: null } }),
  step('edgeReport', (pool) => ({
    ...edge,
    body: { sequence: 1, usage: [{ ...delivered, siteId: pool.get('site') }] },
  })),
  step('edgeAnswer', { ...edge, body: { probeVersion: 1, answer: probed } }),
  step('edgeChallenge', { ...edge, body: { challenge: 'evaGxfADs6pSRb2LAv9IZf17' } }),
  step('edgeList'),
  step('edgeDelete', edgeId),
  step('edgeLeave', edge),
  step('autoCertificateEnable', withBody({ Type: 'letsencrypt' })),
  step('autoCertificateDisable', site),
  step('siteDelete', site),
  step('operatorBillList', { query: { Count: 5 } }),
  step('couponList', (pool) => ofAccount(pool)),
  step('billList', (pool) => ofAccount(pool)),
  step('billListOfYear', (pool) => ofAccount(pool, { year: '2026' })),
  step('billListOfMonth', (pool) => ofAccount(pool, { year: '2026', month: '3' })),
  step('billRead', bill),
  step('billDetailList', bill),
  step('billDetailCsv', bill),
  step('billPay', bill),
  step('billUnpay', bill),
  step('maintenanceList', { query: { Filter: { search_type: 'related', page_count: 5 } } }),
]
