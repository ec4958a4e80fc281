/** Projects come and go here and nowhere else, whoever asks for it. */
import { Conflict, NotFound } from '../../kernel/errors.ts'
import type { AccountId, ItemId } from '../../kernel/ids.ts'
import { idFromNumber } from '../../kernel/ids.ts'
import type { Wake } from '../../kernel/job.ts'
import type { Tx } from '../../storage/database.ts'
import type { Context } from '../context.ts'
import { Meter } from '../metering/public.ts'
import { IOT_PROJECT } from '../pricing/public.ts'
import { listAdapterIds } from './adapter-store.ts'
import { FileStore } from './file-store.ts'
import type { Project } from './project-rules.ts'
import { ProjectStore } from './project-store.ts'
import { ProjectSimStore } from './sim-store.ts'

/** What a new project is, besides what every item has. */
export interface ProjectDraft {
  readonly id: ItemId
  readonly name: string
}

export async function createProject(
  tx: Tx,
  accountId: AccountId,
  { id, name }: ProjectDraft,
  now: Date,
  wake?: Wake,
): Promise<Project> {
  const mgwId = idFromNumber<'gateway'>(await tx.next('resource'))
  const project = { id, accountId, mgwId }
  await new ProjectStore(tx, accountId).insert(project)
  const use = { accountId, resourceId: id, name, product: IOT_PROJECT }
  await new Meter(tx, wake).begin(use, now)
  return project
}

/** Refused while a SIM or an adapter is connected. Its files go with it. */
export async function deleteProject(
  tx: Tx,
  accountId: AccountId,
  id: ItemId,
  now: Date,
): Promise<void> {
  const adapters = await listAdapterIds(tx, [id])
  if (adapters.length > 0 || (await new ProjectSimStore(tx, id).hasAny())) {
    throw new Conflict(
      `Project ${id} has a SIM or a service adapter; disconnect and delete them first.`,
      `プロジェクト ${id} に SIM またはサービスアダプタがあります。先に解除・削除してください。`,
    )
  }
  await new FileStore(tx, id).deleteAll()
  await new ProjectStore(tx, accountId).delete(id)
  await new Meter(tx).end(id, now)
}

/** Another kind of item is no project, so there is none with its id. */
export async function getProject(id: string, { tx, caller }: Context): Promise<Project> {
  const project = await new ProjectStore(tx, caller.accountId).find(id)
  if (project === undefined) {
    throw new NotFound(`There is no project ${id}.`, `プロジェクト ${id} は存在しません。`)
  }
  return project
}
