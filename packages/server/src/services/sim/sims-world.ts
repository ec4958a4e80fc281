/** The `sims` of a world file: SIMs that an account has from the start, as its items. */
import { labelFields } from '../../kernel/fields.ts'
import { idFromNumber } from '../../kernel/ids.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import { type Static, Type } from '../../kernel/type.ts'
import type { Tx } from '../../storage/database.ts'
import { AccountStore } from '../account/public.ts'
import { type Item, ItemStore } from '../items/public.ts'
import { Meter } from '../metering/public.ts'
import { SIM_BASE } from '../pricing/public.ts'
import { type Change, countChanges, WorldProblem, type WorldSection } from '../world-section.ts'
import { freeingTry } from './card-rules.ts'
import { CardStore } from './card-store.ts'
import { activate, ICCID_PATTERN, register } from './rules.ts'
import { findSim, SimStore } from './store.ts'

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
    // Resources are the accounts' own: a world begins them and does not describe them later.
    export: async () => undefined,
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
    class: 'sim',
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
