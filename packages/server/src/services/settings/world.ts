/** The `settings` of a world file. */
import { Type } from '../../kernel/type.ts'
import { type Change, countChanges, WorldProblem, type WorldSection } from '../world-section.ts'
import { problemOf, WorldSettings } from './rules.ts'
import { SettingStore } from './store.ts'

export const settingsSection: WorldSection = {
  key: 'settings',
  schema: Type.Partial(WorldSettings, { additionalProperties: false }),
  async apply(value, tx) {
    const store = new SettingStore(tx)
    const stored: Record<string, unknown> = await store.list()
    const changes: Change[] = []
    // The schema above has been checked by whoever calls apply.
    for (const [name, wanted] of Object.entries(value as object)) {
      const problem = problemOf(name, wanted)
      if (problem !== undefined) throw new WorldProblem([name], problem.en, problem.ja)
      if (JSON.stringify(stored[name]) === JSON.stringify(wanted)) {
        changes.push('unchanged')
        continue
      }
      await store.set(name, wanted)
      changes.push(name in stored ? 'updated' : 'created')
    }
    return countChanges(changes)
  },
  async export(tx) {
    const settings = await new SettingStore(tx).list()
    return Object.keys(settings).length === 0 ? undefined : settings
  },
}
