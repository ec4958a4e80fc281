/** The `network_elements` of a world file. */
import type { SecretBox } from '../../kernel/secret-box.ts'
import { type Static, Type } from '../../kernel/type.ts'
import type { Tx } from '../../storage/database.ts'
import type { Carriers } from '../sim/public.ts'
import { type Change, countChanges, WorldProblem, type WorldSection } from '../world-section.ts'
import { CoaPort, ElementName, SharedSecret, Carriers as Table } from './contract.ts'
import { declareElement } from './declare.ts'
import { ElementStore } from './store.ts'

const closed = { additionalProperties: false }

const ElementEntry = Type.Object(
  {
    name: ElementName,
    address: Type.String(),
    secret: Type.Union([
      SharedSecret,
      // As an export gives it: worth something only under the same key-encryption key.
      Type.Object({ sealed: Type.String({ maxLength: 4096 }) }, closed),
    ]),
    carriers: Type.Optional(Table),
    coa_port: Type.Optional(CoaPort),
  },
  closed,
)
type ElementEntry = Static<typeof ElementEntry>

const ElementEntries = Type.Array(ElementEntry)

export function networkElementsSection(box: SecretBox, carriers: Carriers): WorldSection {
  return {
    key: 'network_elements',
    schema: ElementEntries,
    async apply(value, tx) {
      const changes: Change[] = []
      // The schema above has been checked by whoever calls apply.
      for (const [index, entry] of (value as ElementEntry[]).entries()) {
        changes.push(await applyElement(tx, new ElementStore(tx, box), carriers, entry, index))
      }
      return countChanges(changes)
    },
    export: (tx) => exportElements(tx, box),
  }
}

async function applyElement(
  tx: Tx,
  store: ElementStore,
  carriers: Carriers,
  entry: ElementEntry,
  index: number,
): Promise<Change> {
  const { name, address, carriers: table, coa_port: coaPort } = entry
  const secret = secretOf(store, entry, index)
  const declared = { name, address, secret, carriers: table, coaPort }
  const outcome = await declareElement(tx, store, carriers, declared)
  if (outcome.problem === undefined) return outcome.change
  const { path, en, ja } = outcome.problem
  throw new WorldProblem([index, ...path], en, ja)
}

function secretOf(store: ElementStore, { name, secret }: ElementEntry, index: number): string {
  if (typeof secret === 'string') return secret
  const opened = store.open(secret.sealed, name)
  if (opened === undefined) {
    const en = 'was sealed under another key-encryption key, or for another element.'
    throw new WorldProblem([index, 'secret'], en, 'は別の暗号鍵で封印されています。')
  }
  return opened
}

async function exportElements(tx: Tx, box: SecretBox): Promise<ElementEntry[] | undefined> {
  const elements = await new ElementStore(tx, box).listSealed()
  if (elements.length === 0) return undefined
  return elements.map(({ name, address, secret, carriers, coaPort }) => ({
    ...{ name, address, secret: { sealed: secret }, carriers, coa_port: coaPort },
  }))
}
