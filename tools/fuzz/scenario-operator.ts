/** The part of the scenario with the operator API. */
import { type Pool, type Step, step } from './step.ts'

const key = (pool: Pool) => ({ params: { code: 'fuzzed', token: pool.get('key') } })
const serial = (pool: Pool) => ({ params: { serial: pool.get('serial') } })
const fault = (pool: Pool) => ({ params: { id: pool.get('fault') } })
const snapshot = { params: { name: 'saved' } }

const announced = {
  zone: 'is1a',
  start_at: '2026-05-01 01:00:00',
  end_at: '2026-05-01 05:00:00',
  title: 'a',
  affects: [{ account: 'acme', resource_class: 'server', resource_id: '1' }],
}

export const operatorSteps: readonly Step[] = [
  step('healthLive'),
  step('healthReady'),
  step('metricsRead'),
  step('caRead'),
  step('worldRead'),
  step('worldApply', {
    query: { mode: 'add' },
    text: 'version: 1\naccounts:\n  - { code: fuzzed, name: Fuzzed }\n',
  }),
  step('accountList'),
  step('accountCreate', { body: { code: 'second', name: 'Second' } }),
  step(
    'keyCreate',
    { params: { code: 'fuzzed' }, body: { permission: 'view' } },
    { key: 'key.token' },
  ),
  step('keyList', { params: { code: 'fuzzed' } }),
  step('quotaList', { params: { code: 'fuzzed' } }),
  step('quotaUpdate', { params: { code: 'fuzzed' }, body: { sims: 5, file_bytes: null } }),
  step('keyUpdate', (pool) => ({
    ...key(pool),
    body: { permission: 'view', note: 'a', expires_at: null, allowed_addresses: ['192.0.2.0/24'] },
  })),
  step('keyRotate', key),
  step('keyRevoke', key),
  step('serverRead'),
  step('encryptionRead'),
  step('encryptionCheck'),
  step('encryptionRotate'),
  step('mailRead'),
  step('mailCheck'),
  step('mailProbe', { body: { to: 'owner@example.jp', language: 'en' } }),
  step('clockRead'),
  step('clockTimers'),
  step('clockSet', { body: { mode: 'frozen' } }),
  // The operation is one that is not called again before the fault is deleted.
  step(
    'faultAdd',
    { body: { operation: 'regionList', effect: { status: 503 } } },
    { fault: 'fault.id' },
  ),
  step('faultList'),
  step('faultRead', fault),
  step('faultDelete', fault),
  step('faultClear'),
  step('requestList', {}, { serial: 'requests.0.serial' }),
  step('requestRead', serial),
  step('requestArchive'),
  step('eventStream'),
  step('auditList', { query: { account: 'fuzzed' } }),
  step('auditExport', { query: { after: 0 } }),
  step('auditVerify'),
  step('announcementList'),
  step('announcementCreate', { body: announced }, { maintenance: 'maintenance.maintenance_id' }),
  step('announcementUpdate', (pool) => ({
    params: { maintenance_id: pool.get('maintenance') },
    body: announced,
  })),
  step('announcementDelete', (pool) => ({ params: { maintenance_id: pool.get('maintenance') } })),
  step('snapshotSave', { body: { name: 'saved' } }),
  step('snapshotList'),
  step('snapshotExport', snapshot, { snapshotText: '' }),
  step('snapshotImport', (pool) => ({ ...snapshot, text: pool.get('snapshotText') })),
  step('snapshotLoad', snapshot),
  step('snapshotDelete', snapshot),
]
