/**
 * The `projects` of a world file: projects that an account has from the start, with SIMs and service
 * adapters. They are made by the same functions as the interface's own, so that a world cannot make what
 * a caller could not.
 */
import { labelFields } from '../../kernel/fields.ts'
import { idFromNumber } from '../../kernel/ids.ts'
import type { Path } from '../../kernel/schema.ts'
import { parseSearch } from '../../kernel/search-query.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import { type Static, Type } from '../../kernel/type.ts'
import type { Tx } from '../../storage/database.ts'
import { raw } from '../../storage/sql.ts'
import { AccountStore } from '../account/public.ts'
import { type Item, ItemStore, labelsForWorld, listItemsOfClass } from '../items/public.ts'
import { findSim, listSims, type Networks } from '../sim/public.ts'
import { type Change, countChanges, WorldProblem, type WorldSection } from '../world-section.ts'
import {
  ADAPTER_SECRET_PATTERN,
  ADAPTER_TYPES,
  type Adapter,
  type AdapterDraft,
} from './adapter-rules.ts'
import { AdapterStore } from './adapter-store.ts'
import { type AdapterTools, createAdapter } from './adapters.ts'
import { IOT_CLASS, PROJECT_NAME_LENGTH, type Project } from './project-rules.ts'
import { ProjectSims } from './project-sims.ts'
import { createProject } from './projects.ts'
import { ProjectSimStore } from './sim-store.ts'

const closed = { additionalProperties: false }

/** As an export gives it: worth something only under the same key-encryption key. */
const Sealed = Type.Object({ sealed: Type.String({ maxLength: 8192 }) }, closed)

const AdapterEntry = Type.Object(
  {
    type: Type.Enum([...ADAPTER_TYPES]),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    secret: Type.Optional(Type.Union([Type.String({ pattern: ADAPTER_SECRET_PATTERN }), Sealed])),
    url: Type.Optional(Type.Union([Type.String(), Sealed])),
  },
  closed,
)

const ProjectEntry = Type.Object(
  {
    account: Type.String(),
    CommonServiceItem: Type.Object(
      {
        ...labelFields,
        Name: Type.String({
          minLength: PROJECT_NAME_LENGTH.min,
          maxLength: PROJECT_NAME_LENGTH.max,
        }),
      },
      closed,
    ),
    /** The ICCIDs of its SIMs; each gets an address. */
    sims: Type.Optional(Type.Array(Type.String())),
    adapters: Type.Optional(Type.Array(AdapterEntry)),
  },
  closed,
)
type ProjectEntry = Static<typeof ProjectEntry>

export function projectsSection(networks: Networks, tools: AdapterTools): WorldSection {
  return {
    key: 'projects',
    schema: Type.Array(ProjectEntry),
    async apply(value, tx, now) {
      const changes: Change[] = []
      // The schema above has been checked by whoever calls apply.
      for (const [index, entry] of (value as ProjectEntry[]).entries()) {
        changes.push(await applyProject(entry, index, tx, now, networks, tools))
      }
      return countChanges(changes)
    },
    export: (tx) => exportProjects(tx, tools.box),
  }
}

/** One that the account has by this name stays as it is, SIMs and adapters included. */
async function applyProject(
  entry: ProjectEntry,
  index: number,
  tx: Tx,
  now: Date,
  networks: Networks,
  tools: AdapterTools,
): Promise<Change> {
  const account = await new AccountStore(tx).find(entry.account)
  if (account === undefined) {
    const { account: code } = entry
    throw new WorldProblem([index, 'account'], `${code} does not exist.`, `${code} はありません。`)
  }
  const { CommonServiceItem: wanted, sims = [], adapters = [] } = entry
  const items = new ItemStore(tx, account.id)
  const query = parseSearch({ Filter: { 'Provider.Class': IOT_CLASS, Name: [wanted.Name] } })
  if ((await items.list(query, FIELDS)).total > 0) return 'unchanged'
  const item: Item = {
    id: idFromNumber<'item'>(await tx.next('resource')),
    accountId: account.id,
    class: IOT_CLASS,
    name: wanted.Name,
    description: wanted.Description ?? undefined,
    tags: wanted.Tags ?? [],
    ...{ iconId: undefined, externalKey: undefined, availability: 'available' },
    ...{ createdAt: now, modifiedAt: now },
  }
  await items.insert(item)
  const project = await createProject(tx, account.id, item, now)
  await connectSims(sims, index, project, tx, now, networks, tools)
  for (const [place, adapter] of adapters.entries()) {
    const draft = draftOf(adapter, tools.box, [index, 'adapters', place])
    await createAdapter(tx, project, draft, tools, now)
  }
  return 'created'
}

async function connectSims(
  iccids: readonly string[],
  index: number,
  project: Project,
  tx: Tx,
  now: Date,
  networks: Networks,
  { random }: AdapterTools,
): Promise<void> {
  const inProject = new ProjectSims(tx, project, networks)
  for (const [place, iccid] of iccids.entries()) {
    const sim = await findSim(tx, { iccid })
    if (sim?.accountId !== project.accountId) {
      const en = 'is no SIM of this account.'
      throw new WorldProblem([index, 'sims', place], en, 'はこのアカウントの SIM ではありません。')
    }
    await inProject.connect(sim.id, random, now)
    await inProject.setIp(sim.id, now)
  }
}

type AdapterEntry = Static<typeof AdapterEntry>

function draftOf(entry: AdapterEntry, box: SecretBox, path: Path): AdapterDraft {
  const { type, name = '' } = entry
  const open = (field: 'secret' | 'url'): string | undefined => {
    const value = entry[field]
    if (typeof value !== 'object') return value
    try {
      return box.open(value.sealed, SEAL)
    } catch {
      const en = 'was sealed under another key-encryption key.'
      throw new WorldProblem([...path, field], en, 'は別の暗号鍵で封印されています。')
    }
  }
  return {
    ...{ type, name, secret: open('secret') },
    url: type === 'outgoing-webhook' ? open('url') : undefined,
  }
}

async function exportProjects(tx: Tx, box: SecretBox): Promise<ProjectEntry[] | undefined> {
  const codes = new Map((await new AccountStore(tx).list()).map(({ id, code }) => [id, code]))
  const iccids = new Map((await listSims(tx)).map(({ id, iccid }) => [id, iccid]))
  const entries: ProjectEntry[] = []
  for (const item of await listItemsOfClass(tx, IOT_CLASS)) {
    const sims = await new ProjectSimStore(tx, item.id).list()
    const adapters = await new AdapterStore(tx, box).list(item.id)
    entries.push({
      account: codes.get(item.accountId) ?? '',
      CommonServiceItem: labelsForWorld(item),
      sims: sims.flatMap(({ simId }) => iccids.get(simId) ?? []),
      adapters: adapters.map((adapter) => exportAdapter(adapter, box)),
    })
  }
  return entries.length === 0 ? undefined : entries
}

/** A destination may carry a secret of its receiver, too. */
function exportAdapter({ type, name, secret, url }: Adapter, box: SecretBox): AdapterEntry {
  const sealed = (plain: string) => ({ sealed: box.seal(plain, SEAL) })
  return {
    type,
    ...(name === '' ? {} : { name }),
    ...(secret === undefined ? {} : { secret: sealed(secret) }),
    ...(url === undefined ? {} : { url: sealed(url) }),
  }
}

const SEAL = 'adapter of a world'

const FIELDS = {
  'Provider.Class': { column: raw('class'), type: 'text', exact: true },
  Name: { column: raw('name'), type: 'text' },
} as const
