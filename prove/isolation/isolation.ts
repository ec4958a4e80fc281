/** No account sees or changes what is another's. */
import { newDatabaseUrl } from '../../packages/server/src/testing/postgres-databases.ts'
import { operations } from '../../tools/fuzz/call.ts'
import { scenario } from '../../tools/fuzz/scenario.ts'
import { startTarget, type Target } from '../../tools/fuzz/target.ts'
import type { Figure, Options, Part } from '../part.ts'
import { ISOLATION_WORLD } from './credentials.ts'
import { Walk } from './walk.ts'
import { tryWithoutKeys, type WithoutKeys } from './without-keys.ts'

const SIZES = {
  full: { compares: 'all', oneOf: 1 },
  sample: { compares: 'lists', oneOf: 2 },
} as const

export const isolation: Part = {
  name: 'isolation',
  title: 'Isolation of accounts',
  needsPostgres: true,
  claim: `The owner walks through every operation of the contracts, each in a state where it succeeds. At each step the same
call, with the owner's ids, is sent by another account's keys of every level, by the owner's keys of every lower level
and without the external permission, by keys that are expired, revoked, rotated or limited to another address, with wrong
secrets and without credentials, and with tokens that were made for something else (operator, network, edge, device,
upload, download, incoming webhook). Each must be refused, or answered without any id, token or secret of the owner's;
and what the owner reads before and after is the same. Where a call names several things, the other account also names one
of the owner's beside its own, and must be answered as if there was no such thing. Two accounts with the same things also
use the ways on which no key is shown: websockets, messages of devices, incoming webhooks, uploads and the console. On both
engines. For MQTT and the edge there are \`planes/mqtt/plane.test.ts\` (devices under one name, topics of others) and
\`planes/edge/hostile-origins.test.ts\`.`,
  async run(options) {
    const walks: Walk[] = []
    const withoutKeys: WithoutKeys[] = []
    const targets = await startTargets(options)
    try {
      for (const target of targets) {
        withoutKeys.push(await tryWithoutKeys(target))
        const walk = new Walk(target, { steps: scenario, ...SIZES[options.size] })
        await walk.run()
        walks.push(walk)
      }
    } finally {
      for (const target of targets) target.close()
    }
    const checks = withoutKeys.reduce((total, one) => total + one.checks, 0)
    return {
      figures: [...figuresOf(walks), { name: 'Checks on ways without a key', value: `${checks}` }],
      violations: [
        ...walks.flatMap(violationsOf),
        ...withoutKeys.flatMap(({ violations }) => violations),
      ],
    }
  },
}

async function startTargets({ log }: Options): Promise<Target[]> {
  const { postgresServerUrl: url } = await import('../../packages/server/src/testing/engines.ts')
  const sqlite = await startTarget('sqlite', undefined, ISOLATION_WORLD)
  if (url === undefined) {
    log('There is no PostgreSQL server: SQLite alone.')
    return [sqlite]
  }
  return [sqlite, await startTarget('postgres', await newDatabaseUrl(url), ISOLATION_WORLD)]
}

function figuresOf(walks: readonly Walk[]): Figure[] {
  const sum = (count: (walk: Walk) => number) =>
    String(walks.reduce((total, walk) => total + count(walk), 0))
  const uncovered = new Set(walks.flatMap(uncoveredBy))
  return [
    { name: 'Operations', value: `${operations.size - uncovered.size} of ${operations.size}` },
    { name: 'Attempts', value: sum(({ attempts }) => attempts) },
    { name: 'Refused', value: sum(({ refused }) => refused) },
    {
      name: 'Ids, tokens and secrets that were searched for',
      value: sum(({ ownValues }) => ownValues.size),
    },
    { name: 'Readings of the owner that were compared', value: sum(({ compared }) => compared) },
  ]
}

function uncoveredBy({ covered }: Walk): string[] {
  return [...operations.keys()].filter((name) => !covered.has(name))
}

function violationsOf(walk: Walk): string[] {
  return [...walk.violations, ...uncoveredBy(walk).map((name) => `${name} is not covered.`)]
}
