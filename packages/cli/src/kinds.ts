/**
 * Items of different kinds share one collection of the interface. Here each kind is a noun with its own list,
 * made from the commands of the collection, unless an operation has that noun and verb already.
 */
import type { CommandEntry } from './command-entry.ts'

/** A command, and the class of the items that it is about. */
export interface KindEntry extends CommandEntry {
  readonly itemClass?: string
}

const KINDS = [
  { noun: 'sim', itemClass: 'sim', one: 'a SIM', all: 'the SIMs' },
  { noun: 'sms', itemClass: 'esme', one: 'a short message service', all: 'the services' },
  { noun: 'project', itemClass: 'iotplatform', one: 'a project', all: 'the projects' },
] as const

const VERBS: Readonly<Record<string, string>> = {
  list: 'List',
  read: 'Read',
  create: 'Create',
  update: 'Change the name, description, tags or icon of',
  delete: 'Delete',
}

const CLASS_PATH = 'CommonServiceItem.Provider.Class'

export function withKinds(commands: readonly CommandEntry[]): readonly KindEntry[] {
  const items = commands.filter(({ noun, verb }) => noun === 'item' && verb in VERBS)
  const made = KINDS.flatMap(({ noun, itemClass, one, all }) =>
    items
      .filter(({ verb }) => !commands.some((known) => known.noun === noun && known.verb === verb))
      .map((entry): KindEntry => {
        const flags = entry.flags?.filter(({ path }) => path !== CLASS_PATH)
        return {
          ...entry,
          noun,
          summary: `${VERBS[entry.verb]} ${entry.verb === 'list' ? all : one}`,
          itemClass,
          ...(flags && { flags }),
          ...(entry.verb === 'create' && { fixed: { ...entry.fixed, [CLASS_PATH]: itemClass } }),
        }
      }),
  )
  return [...made, ...commands]
}
