/** The `carriers` and `sim_cards` of a world file: what the operator holds. */
import type { SecretBox } from '../../kernel/secret-box.ts'
import { type Static, Type } from '../../kernel/type.ts'
import type { Tx } from '../../storage/database.ts'
import { type Change, countChanges, WorldProblem, type WorldSection } from '../world-section.ts'
import {
  type Card,
  type CardRange,
  imsiOf,
  MSISDN_PATTERN,
  rangeCount,
  rangeEnd,
} from './card-rules.ts'
import { CardStore } from './card-store.ts'
import { CARRIERS } from './carrier-rules.ts'
import { CarrierStore } from './carrier-store.ts'
import { ICCID_PATTERN } from './rules.ts'

const closed = { additionalProperties: false }

const CarrierEntries = Type.Array(
  Type.Object(
    {
      name: Type.String({ minLength: 1, maxLength: 64, pattern: '^[^\\u0000-\\u001f]*$' }),
      country_code: Type.Optional(Type.String({ pattern: '^[A-Z]{2}$' })),
    },
    closed,
  ),
  { minItems: CARRIERS, maxItems: CARRIERS },
)

export const carriersSection: WorldSection = {
  key: 'carriers',
  schema: CarrierEntries,
  async apply(value, tx) {
    // The schema above has been checked by whoever calls apply.
    const wanted = (value as Static<typeof CarrierEntries>).map(
      ({ name, country_code = 'JP' }) => ({
        name,
        countryCode: country_code,
      }),
    )
    if (new Set(wanted.map(({ name }) => name)).size < CARRIERS) {
      throw new WorldProblem([], 'names a carrier twice.', 'に同じ名前が 2 回あります。')
    }
    const store = new CarrierStore(tx)
    const stored = await store.list()
    if (JSON.stringify(stored) === JSON.stringify(wanted)) {
      return countChanges(wanted.map(() => 'unchanged'))
    }
    await store.replace(wanted)
    return countChanges(wanted.map(() => (stored.length === 0 ? 'created' : 'updated')))
  },
  async export(tx) {
    const carriers = await new CarrierStore(tx).list()
    if (carriers.length === 0) return undefined
    return carriers.map(({ name, countryCode }) => ({ name, country_code: countryCode }))
  },
}

const Iccid = Type.String({ pattern: ICCID_PATTERN })

const PassCode = Type.Union([
  Type.String({ minLength: 1, maxLength: 256 }),
  // As an export gives it: worth something only under the same key-encryption key.
  Type.Object({ sealed: Type.String({ maxLength: 4096 }) }, closed),
])

const CardEntry = Type.Object(
  {
    iccid: Type.Optional(Iccid),
    imsi: Type.Optional(Type.Array(Type.String({ pattern: '^[0-9]{6,15}$' }), { minItems: 1 })),
    msisdn: Type.Optional(Type.String({ pattern: MSISDN_PATTERN })),
    iccid_from: Type.Optional(Iccid),
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000_000 })),
    passcode: PassCode,
  },
  closed,
)
type CardEntry = Static<typeof CardEntry>

const CardEntries = Type.Array(CardEntry)

export function simCardsSection(box: SecretBox): WorldSection {
  return {
    key: 'sim_cards',
    schema: CardEntries,
    async apply(value, tx) {
      const store = new CardStore(tx, box)
      const changes: Change[] = []
      // The schema above has been checked by whoever calls apply.
      for (const [index, entry] of (value as CardEntry[]).entries()) {
        changes.push(
          entry.iccid === undefined
            ? await applyRange(store, entry, index)
            : await applyCard(store, entry, entry.iccid, index),
        )
      }
      return countChanges(changes)
    },
    export: (tx) => exportCards(tx, box),
  }
}

async function applyCard(
  store: CardStore,
  entry: CardEntry,
  iccid: string,
  index: number,
): Promise<Change> {
  if (entry.iccid_from !== undefined || entry.count !== undefined) {
    const en = 'names a card and a range; only one of them may be.'
    throw new WorldProblem([index], en, 'はカードと範囲のどちらか一方だけを指定します。')
  }
  const stored = await store.findSingle(iccid)
  const card: Card = {
    iccid,
    passCode: passCodeOf(store, entry, iccid, index),
    imsis: entry.imsi ?? stored?.imsis ?? [imsiOf(iccid)],
    msisdn: entry.msisdn ?? stored?.msisdn,
  }
  if (JSON.stringify(stored) === JSON.stringify(card)) return 'unchanged'
  const holder = card.msisdn === undefined ? undefined : await store.findByMsisdn(card.msisdn)
  if (holder !== undefined && holder !== iccid) {
    const en = `is the number of card ${holder}.`
    throw new WorldProblem([index, 'msisdn'], en, `はカード ${holder} の番号です。`)
  }
  await store.put(card)
  return stored === undefined ? 'created' : 'updated'
}

async function applyRange(store: CardStore, entry: CardEntry, index: number): Promise<Change> {
  const { iccid_from: iccidFrom, count } = entry
  if (iccidFrom === undefined || count === undefined) {
    const en = 'needs iccid, or iccid_from and count.'
    throw new WorldProblem([index], en, 'には iccid か、iccid_from と count が必要です。')
  }
  if (entry.msisdn !== undefined) {
    const en = 'is for a single card, not for a range.'
    throw new WorldProblem([index, 'msisdn'], en, 'は範囲には指定できません。')
  }
  const passCode = passCodeOf(store, entry, iccidFrom, index)
  const range: CardRange = { iccidFrom, iccidTo: rangeEnd(iccidFrom, count), passCode }
  if (!new RegExp(ICCID_PATTERN).test(range.iccidTo)) {
    const en = `leads past the last ICCID: ${range.iccidTo}.`
    throw new WorldProblem([index, 'count'], en, `の末尾 ${range.iccidTo} は ICCID の範囲外です。`)
  }
  const overlap = await store.findOverlap(range)
  if (overlap !== undefined) {
    const en = `has cards of the range from ${overlap.iccidFrom}.`
    const ja = `は ${overlap.iccidFrom} からの範囲と重なっています。`
    throw new WorldProblem([index, 'iccid_from'], en, ja)
  }
  const stored = await store.findRange(iccidFrom)
  if (JSON.stringify(stored) === JSON.stringify(range)) return 'unchanged'
  await store.putRange(range)
  return stored === undefined ? 'created' : 'updated'
}

function passCodeOf(
  store: CardStore,
  { passcode }: CardEntry,
  iccid: string,
  index: number,
): string {
  if (typeof passcode === 'string') return passcode
  const opened = store.open(passcode.sealed, iccid)
  if (opened === undefined) {
    const en = 'was sealed under another key-encryption key, or for another card.'
    throw new WorldProblem([index, 'passcode'], en, 'は別の暗号鍵で封印されています。')
  }
  return opened
}

async function exportCards(tx: Tx, box: SecretBox): Promise<CardEntry[] | undefined> {
  const store = new CardStore(tx, box)
  const cards = (await store.listSealed()).map(({ iccid, passCode, imsis, msisdn }) => ({
    iccid,
    passcode: { sealed: passCode },
    imsi: [...imsis],
    ...(msisdn !== undefined && { msisdn }),
  }))
  const ranges = (await store.listSealedRanges()).map((range) => ({
    iccid_from: range.iccidFrom,
    count: rangeCount(range),
    passcode: { sealed: range.passCode },
  }))
  const entries = [...cards, ...ranges]
  return entries.length === 0 ? undefined : entries
}
