import type { Handlers } from '../../kernel/contract.ts'
import { BadRequest, Conflict } from '../../kernel/errors.ts'
import { formatPath } from '../../kernel/schema.ts'
import type { Static } from '../../kernel/type.ts'
import type { Tx } from '../../storage/database.ts'
import { AccountStore } from '../account/public.ts'
import type { OperatorContext } from '../context.ts'
import { WorldProblem } from '../world-section.ts'
import { readAnnouncement } from './announcement.ts'
import type { announcementContract, MaintenanceEntry } from './announcement-contract.ts'
import type { Maintenance } from './rules.ts'
import { MaintenanceStore } from './store.ts'
import { announcementToWire } from './wire.ts'

export const announcementHandlers: Handlers<typeof announcementContract, OperatorContext> = {
  announcementList: (_input, { database }) =>
    database.read(async (tx) => {
      const accounts = await new AccountStore(tx).list()
      const all = await new MaintenanceStore(tx).list()
      return { maintenances: all.map((one) => announcementToWire(one, accounts)) }
    }),

  announcementCreate: ({ body }, { database }) =>
    database.write(async (tx) => {
      const id = body.maintenance_id ?? `m-${await tx.next('resource')}`
      const one = await read({ ...body, maintenance_id: id }, tx)
      if (!(await new MaintenanceStore(tx).insert(one))) {
        throw new Conflict(
          `There is a maintenance ${id} already.`,
          `メンテナンス ${id} はすでにあります。`,
        )
      }
      return answer(one, tx)
    }),

  announcementUpdate: ({ params, body }, { database }) =>
    database.write(async (tx) => {
      const store = new MaintenanceStore(tx)
      const { id } = await store.get(params.maintenance_id)
      const one = await read({ ...body, maintenance_id: id }, tx)
      await store.update(one)
      return answer(one, tx)
    }),

  announcementDelete: ({ params }, { database }) =>
    database.write(async (tx) => {
      const store = new MaintenanceStore(tx)
      await store.delete((await store.get(params.maintenance_id)).id)
      return {}
    }),
}

async function read(entry: Static<typeof MaintenanceEntry>, tx: Tx): Promise<Maintenance> {
  try {
    return await readAnnouncement(entry, tx)
  } catch (error) {
    if (!(error instanceof WorldProblem)) throw error
    const at = formatPath(error.path)
    throw new BadRequest(`${at} ${error.text.en}`, `${at} ${error.text.ja}`)
  }
}

async function answer(one: Maintenance, tx: Tx) {
  return { maintenance: announcementToWire(one, await new AccountStore(tx).list()) }
}
