/** The `fleet` of a world file: which cards are in devices that live by themselves. */
import { type Static, Type } from '../../kernel/type.ts'
import { type Change, countChanges, type WorldSection } from '../world-section.ts'
import { rangeCount, rangeEnd } from './card-rules.ts'
import { FleetStore } from './fleet-store.ts'
import { ICCID_PATTERN } from './rules.ts'

const FleetEntries = Type.Array(
  Type.Object(
    {
      iccid_from: Type.String({ pattern: ICCID_PATTERN }),
      count: Type.Integer({ minimum: 1, maximum: 100_000_000 }),
      seed: Type.String({ maxLength: 64, pattern: '^[^\\u0000]*$' }),
    },
    { additionalProperties: false },
  ),
)

/** `changed` is called after the commit, so that new devices begin at once. */
export function fleetSection(changed: () => void): WorldSection {
  return {
    key: 'fleet',
    schema: FleetEntries,
    async apply(value, tx) {
      const store = new FleetStore(tx)
      const stored = new Map((await store.list()).map((fleet) => [fleet.iccidFrom, fleet]))
      const changes: Change[] = []
      // The schema above has been checked by whoever calls apply.
      for (const entry of value as Static<typeof FleetEntries>) {
        const { iccid_from: iccidFrom, count, seed } = entry
        const known = stored.get(iccidFrom)
        const iccidTo = rangeEnd(iccidFrom, count)
        if (known?.seed === seed && known.iccidTo === iccidTo) {
          changes.push('unchanged')
          continue
        }
        await store.put({ iccidFrom, iccidTo, seed, drivenAt: undefined })
        changes.push(known === undefined ? 'created' : 'updated')
      }
      tx.afterCommit(changed)
      return countChanges(changes)
    },
    async export(tx) {
      const fleets = await new FleetStore(tx).list()
      if (fleets.length === 0) return undefined
      return fleets.map((fleet) => ({
        iccid_from: fleet.iccidFrom,
        count: rangeCount(fleet),
        seed: fleet.seed,
      }))
    },
  }
}
