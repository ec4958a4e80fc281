/** The `prices` of a world file: added to the built-in list, or in the place of what has the same id. */
import { NO_NUL } from '../../kernel/fields.ts'
import { type Static, Type } from '../../kernel/type.ts'
import { ZONES } from '../../kernel/zone.ts'
import type { Tx } from '../../storage/database.ts'
import { type Account, AccountStore } from '../account/public.ts'
import { type Change, countChanges, WorldProblem, type WorldSection } from '../world-section.ts'
import { CATALOGUE } from './catalogue-rules.ts'
import type { Product } from './rules.ts'
import { PriceStore } from './store.ts'
import { productToWire } from './wire.ts'

const closed = { additionalProperties: false }
const Text = Type.String({ minLength: 1, maxLength: 255, pattern: NO_NUL })
const Yen = Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000 }))

const PriceEntry = Type.Object(
  {
    ServiceClassID: Type.Integer({ minimum: 1, maximum: 999_999_999 }),
    ServiceClassName: Type.Optional(Text),
    ServiceClassPath: Type.Optional(Text),
    DisplayName: Type.Optional(Text),
    IsPublic: Type.Optional(Type.Boolean()),
    Price: Type.Object(
      {
        Base: Yen,
        Hourly: Yen,
        Daily: Yen,
        Monthly: Yen,
        Zone: Type.Optional(Type.Enum(['', ...ZONES])),
      },
      closed,
    ),
    /** The codes of those whom it is for; left out, it is for everybody. */
    accounts: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
  },
  closed,
)
type PriceEntry = Static<typeof PriceEntry>

export const pricesSection: WorldSection = {
  key: 'prices',
  schema: Type.Array(PriceEntry),
  async apply(value, tx) {
    const changes: Change[] = []
    // The schema above has been checked by whoever calls apply.
    for (const [index, entry] of (value as PriceEntry[]).entries()) {
      const product = productOf(entry, index)
      for (const account of await accountsOf(entry, index, tx)) {
        changes.push(await applyPrice(product, account?.id, tx))
      }
    }
    return countChanges(changes)
  },
  async export(tx) {
    const given = await new PriceStore(tx).list()
    if (given.length === 0) return undefined
    const accounts = await new AccountStore(tx).list()
    return given.map(({ product, accountId }) => {
      const code = accounts.find(({ id }) => id === accountId)?.code
      return { ...productToWire(product), ...(code === undefined ? {} : { accounts: [code] }) }
    })
  },
}

async function applyPrice(
  product: Product,
  accountId: string | undefined,
  tx: Tx,
): Promise<Change> {
  const store = new PriceStore(tx)
  const found = await store.find(product.serviceClassId, accountId)
  if (JSON.stringify(found) === JSON.stringify(product)) return 'unchanged'
  await store.set({ product, accountId })
  return found === undefined ? 'created' : 'updated'
}

/** What the entry leaves out is as the built-in product has it; the yen are all the entry's own. */
function productOf(entry: PriceEntry, index: number): Product {
  const known = CATALOGUE.find(({ serviceClassId }) => serviceClassId === entry.ServiceClassID)
  const name = entry.ServiceClassName ?? known?.name
  if (name === undefined) {
    const en = 'is needed for a product that is not in the built-in list.'
    throw new WorldProblem([index, 'ServiceClassName'], en, 'は組み込みでない商品に必要です。')
  }
  const { Base = 0, Hourly = 0, Daily = 0, Monthly = 0, Zone } = entry.Price
  const zone = ZONES.find((one) => one === Zone) ?? known?.zone
  return {
    serviceClassId: entry.ServiceClassID,
    name,
    path: entry.ServiceClassPath ?? known?.path ?? name,
    displayName: entry.DisplayName ?? known?.displayName ?? name,
    ...(zone === undefined ? {} : { zone }),
    isPublic: entry.IsPublic ?? entry.accounts === undefined,
    measure: known?.measure ?? (Base > 0 ? 'count' : 'time'),
    unitBytes: known?.unitBytes ?? 1,
    price: { base: Base, hourly: Hourly, daily: Daily, monthly: Monthly },
  }
}

/** One undefined entry stands for everybody. */
async function accountsOf(
  { accounts }: PriceEntry,
  index: number,
  tx: Tx,
): Promise<(Account | undefined)[]> {
  if (accounts === undefined) return [undefined]
  const found: Account[] = []
  for (const [place, code] of accounts.entries()) {
    const account = await new AccountStore(tx).find(code)
    if (account === undefined) {
      const path = [index, 'accounts', place]
      throw new WorldProblem(path, `${code} does not exist.`, `${code} はありません。`)
    }
    found.push(account)
  }
  return found
}
