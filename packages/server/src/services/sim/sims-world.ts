/** The `sims` of a world file: SIMs that an account has from the start, as its items. */
import { labelFields } from '../../kernel/fields.ts'
import { idFromNumber } from '../../kernel/ids.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import { type Static, Type } from '../../kernel/type.ts'
import type { Tx } from '../../storage/database.ts'
import { AccountStore } from '../account/public.ts'
import { type Item, ItemStore, labelsForWorld, listItemsOfClass } from '../items/public.ts'
import { Meter } from '../metering/public.ts'
import { SIM_BASE } from '../pricing/public.ts'
import { type Change, countChanges, WorldProblem, type WorldSection } from '../world-section.ts'
import { freeingTry } from './card-rules.ts'
import { CardStore } from './card-store.ts'
import { activate, ICCID_PATTERN, register, SIM_CLASS } from './rules.ts'
import { findSim, listSims, SimStore } from './store.ts'

const closed = { additionalProperties: false }

const SimEntry = Type.Object(
  {
    account: Type.String(),
    CommonServiceItem: Type.Object(
      {
        ...labelFields,
        Status: Type.Object({ ICCID: Type.String({ pattern: ICCID_PATTERN }) }, closed),
      },
      closed,
    ),
    activated: Type.Optional(Type.Boolean()),
  },
  closed,
)
type SimEntry = Static<typeof SimEntry>

const SimEntries = Type.Array(SimEntry)

export function simsSection(box: SecretBox): WorldSection {
  return {
    key: 'sims',
    schema: SimEntries,
    async apply(value, tx, now) {
      const changes: Change[] = []
      // The schema above has been checked by whoever calls apply.
      for (const [index, entry] of (value as SimEntry[]).entries()) {
        changes.push(await applySim(entry, index, tx, box, now))
      }
      return countChanges(changes)
    },
    export: exportSims,
  }
}

/** One that is registered stays as it is: what the API has changed since is not overwritten. */
async function applySim(
  entry: SimEntry,
  index: number,
  tx: Tx,
  box: SecretBox,
  now: Date,
): Promise<Change> {
  const { CommonServiceItem: wanted, account: code, activated = false } = entry
  const iccid = wanted.Status.ICCID
  const account = await new AccountStore(tx).find(code)
  if (account === undefined) {
    throw new WorldProblem([index, 'account'], `${code} does not exist.`, `${code} はありません。`)
  }
  const found = await findSim(tx, { iccid })
  if (found?.accountId === account.id) return 'unchanged'
  const path = [index, 'CommonServiceItem', 'Status', 'ICCID']
  if (found !== undefined) {
    throw new WorldProblem(path, 'is registered by another account.', 'は他で登録済みです。')
  }
  const known = await new CardStore(tx, box).find(iccid, freeingTry(account.id, now))
  if (known === undefined) {
    throw new WorldProblem(path, 'is no SIM card of this world.', 'の SIM カードがありません。')
  }
  const item: Item = {
    id: idFromNumber<'item'>(await tx.next('resource')),
    accountId: account.id,
    class: SIM_CLASS,
    name: wanted.Name ?? '',
    description: wanted.Description ?? undefined,
    tags: wanted.Tags ?? [],
    iconId: undefined,
    externalKey: iccid,
    availability: 'available',
    createdAt: now,
    modifiedAt: now,
  }
  const sim = register({ id: item.id, accountId: account.id, iccid, imsis: known.card.imsis }, now)
  await new ItemStore(tx, account.id).insert(item)
  await new SimStore(tx, account.id).insert(activated ? activate(sim, now) : sim)
  if (activated) {
    const { id: resourceId, name } = item
    await new Meter(tx).begin({ accountId: account.id, resourceId, name, product: SIM_BASE }, now)
  }
  return 'created'
}

async function exportSims(tx: Tx): Promise<SimEntry[] | undefined> {
  const codes = new Map((await new AccountStore(tx).list()).map(({ id, code }) => [id, code]))
  const items = new Map((await listItemsOfClass(tx, SIM_CLASS)).map((item) => [item.id, item]))
  const entries = (await listSims(tx)).flatMap(({ id, accountId, iccid, activated }) => {
    const item = items.get(id)
    if (item === undefined) return []
    const CommonServiceItem = { ...labelsForWorld(item), Status: { ICCID: iccid } }
    return { account: codes.get(accountId) ?? '', CommonServiceItem, activated }
  })
  return entries.length === 0 ? undefined : entries
}
