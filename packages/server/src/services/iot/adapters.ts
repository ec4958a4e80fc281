/** Service adapters come and go here and nowhere else, whoever asks for it. */
import { NotFound } from '../../kernel/errors.ts'
import type { Wake } from '../../kernel/job.ts'
import { type Random, randomHex, randomSecret } from '../../kernel/random.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import type { Tx } from '../../storage/database.ts'
import { Meter } from '../metering/public.ts'
import { IOT_ADAPTER } from '../pricing/public.ts'
import { type Adapter, type AdapterDraft, checkDraft } from './adapter-rules.ts'
import { AdapterStore } from './adapter-store.ts'
import { deleteDeliveriesOf } from './delivery-store.ts'
import type { Project } from './project-rules.ts'
import type { Signals } from './signals.ts'
import { hashOf } from './tokens.ts'

const ID_DIGITS = 32

export interface AdapterTools {
  readonly box: SecretBox
  readonly random: Random
  readonly signals: Signals
  /** Left out by a world, which wakes all jobs. */
  readonly wake?: Wake
}

export async function createAdapter(
  tx: Tx,
  project: Project,
  draft: AdapterDraft,
  { box, random, wake }: AdapterTools,
  now: Date,
): Promise<Adapter> {
  checkDraft(draft)
  const adapter: Adapter = {
    ...draft,
    id: randomHex(random, ID_DIGITS),
    token: randomSecret(random),
    accountId: project.accountId,
    projectId: project.id,
    disabledAt: undefined,
    createdAt: now,
  }
  await new AdapterStore(tx, box).insert(adapter, hashOf(adapter.token))
  const { id: resourceId, accountId, name } = adapter
  await new Meter(tx, wake).begin({ accountId, resourceId, name, product: IOT_ADAPTER }, now)
  return adapter
}

/** Its readers are sent away, and what it was still to receive is dropped. */
export async function deleteAdapter(
  tx: Tx,
  project: Project,
  id: string,
  { box, signals }: AdapterTools,
  now: Date,
): Promise<void> {
  if (!(await new AdapterStore(tx, box).delete(project.id, id))) {
    throw new NotFound(
      `Project ${project.id} has no service adapter ${id}.`,
      `プロジェクト ${project.id} にサービスアダプタ ${id} はありません。`,
    )
  }
  await deleteDeliveriesOf(tx, id)
  await new Meter(tx).end(id, now)
  tx.afterCommit(() => signals.emit(project.id))
}
