/** Snapshots, which are saved while the load goes on: one that is listed can be exported. */
import { type Kind, readOf, type Thing } from './ledger.ts'

const VALUE = 'saved'
const nameIn = ({ mark }: Thing) => ({ params: { name: mark } })

export const snapshots: Kind = {
  name: 'snapshot',
  create: (call, { mark }) => call('snapshotSave', { body: { name: mark } }),
  update: (call, { mark }) => call('snapshotSave', { body: { name: mark } }),
  delete: (call, thing) => call('snapshotDelete', nameIn(thing)),
  idOf: () => 'known by its name',
  async find(call, thing) {
    const listed = readOf(await call('snapshotList')).snapshots
    if (!listed.some(({ name }: { name: string }) => name === thing.mark)) return undefined
    const { status, text, problem } = await call('snapshotExport', nameIn(thing))
    if (status !== 200 || problem !== undefined) {
      throw new Error(`it is listed, and its export is ${status} ${problem ?? text}`)
    }
    return { id: thing.mark, value: VALUE }
  },
}

export const SNAPSHOT_VALUE = VALUE
