/** The `sms` of a world file: items of class `esme`, in the interface's own form. */
import { labelFields, NAME_LENGTH_MAX, NO_NUL } from '../../kernel/fields.ts'
import { ID_PATTERN, idFromNumber, LAST_GIVEN_ID, parseId } from '../../kernel/ids.ts'
import { parseSearch, SEARCH_LIMITS } from '../../kernel/search-query.ts'
import { type Static, Type } from '../../kernel/type.ts'
import type { Tx } from '../../storage/database.ts'
import { raw } from '../../storage/sql.ts'
import { type Account, AccountStore } from '../account/public.ts'
import { type Item, ItemStore } from '../items/public.ts'
import {
  type Change,
  claimId,
  countChanges,
  type WorldMode,
  WorldProblem,
  type WorldSection,
} from '../world-section.ts'
import { SMS_CLASS } from './kind.ts'

const closed = { additionalProperties: false }

const Entry = Type.Object(
  {
    account: Type.String(),
    CommonServiceItem: Type.Object(
      {
        ID: Type.Optional(Type.String({ pattern: ID_PATTERN })),
        Name: Type.String({ maxLength: NAME_LENGTH_MAX, pattern: NO_NUL }),
        Description: labelFields.Description,
        Tags: labelFields.Tags,
        Icon: Type.Optional(Type.Object({ ID: Type.String({ pattern: NO_NUL }) }, closed)),
      },
      closed,
    ),
  },
  closed,
)
type Entry = Static<typeof Entry>

const Section = Type.Array(Entry)

export const smsSection: WorldSection = {
  key: 'sms',
  schema: Section,
  async apply(value, tx, now, mode) {
    const changes: Change[] = []
    // The schema above has been checked by whoever calls apply.
    for (const [index, entry] of (value as Static<typeof Section>).entries()) {
      changes.push(await applyEntry(entry, index, tx, now, mode))
    }
    return countChanges(changes)
  },
  async export(tx) {
    const entries: Entry[] = []
    for (const account of await new AccountStore(tx).list()) {
      const items = await listItems(tx, account)
      entries.push(...items.map((item) => exportItem(account, item)))
    }
    return entries.length === 0 ? undefined : entries
  },
}

async function applyEntry(
  { account: code, CommonServiceItem: wanted }: Entry,
  index: number,
  tx: Tx,
  now: Date,
  mode: WorldMode,
): Promise<Change> {
  const account = await new AccountStore(tx).find(code)
  if (account === undefined) {
    throw new WorldProblem(
      [index, 'account'],
      `${code} does not exist.`,
      `${code} は存在しません。`,
    )
  }
  // Without an ID the name tells whether the item is there already.
  const key = wanted.ID === undefined ? { Name: [wanted.Name] } : { ID: [wanted.ID] }
  const [found] = await listItems(tx, account, key)
  const declared = {
    name: wanted.Name,
    description: wanted.Description ?? undefined,
    tags: wanted.Tags ?? [],
    iconId: wanted.Icon?.ID,
  }
  const store = new ItemStore(tx, account.id)
  if (found !== undefined) {
    const { name, description, tags, iconId } = found
    const same = JSON.stringify({ name, description, tags, iconId }) === JSON.stringify(declared)
    if (same || mode === 'add') return 'unchanged'
    await store.update({ ...found, ...declared, modifiedAt: now })
    return 'updated'
  }
  await store.insert({
    ...declared,
    id: wanted.ID === undefined ? await newId(tx) : await takeId(wanted.ID, index, tx),
    accountId: account.id,
    class: SMS_CLASS,
    externalKey: undefined,
    availability: 'available',
    createdAt: now,
    modifiedAt: now,
  })
  return 'created'
}

async function newId(tx: Tx): Promise<Item['id']> {
  return idFromNumber<'item'>(await tx.next('resource'))
}

async function takeId(text: string, index: number, tx: Tx): Promise<Item['id']> {
  const path = [index, 'CommonServiceItem', 'ID']
  const id = parseId<'item'>(text)
  if (id === undefined || Number(id) > LAST_GIVEN_ID) {
    const en = `may be at most ${LAST_GIVEN_ID}.`
    throw new WorldProblem(path, en, `は ${LAST_GIVEN_ID} 以下です。`)
  }
  await claimId(tx, id, path)
  return id
}

const FIELDS = {
  'Provider.Class': { column: raw('class'), type: 'text', exact: true },
  ID: { column: raw('id'), type: 'text' },
  Name: { column: raw('name'), type: 'text' },
} as const

async function listItems(tx: Tx, account: Account, key: object = {}): Promise<Item[]> {
  const query = parseSearch({ Filter: { 'Provider.Class': SMS_CLASS, ...key } })
  const all: Item[] = []
  for (;;) {
    const page = { ...query, from: all.length }
    const { items } = await new ItemStore(tx, account.id).list(page, FIELDS)
    all.push(...items)
    if (items.length < SEARCH_LIMITS.count) return all
  }
}

function exportItem(account: Account, item: Item): Entry {
  const { id, name, description, tags, iconId } = item
  return {
    account: account.code,
    CommonServiceItem: {
      ID: id,
      Name: name,
      ...(description === undefined ? {} : { Description: description }),
      Tags: [...tags],
      ...(iconId === undefined ? {} : { Icon: { ID: iconId } }),
    },
  }
}
