/** What the release before costs, in the same run, both packed: how much dearer the most common requests have become. */
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { packPrevious } from '../acceptance/previous-release.ts'
import { newDatabaseUrl } from '../packages/server/src/testing/postgres-databases.ts'
import { bundleKumoi } from '../tools/build.ts'
import { alternate, type Compared, mergeCompared, ROUNDS } from './processes.ts'
import { compare, type Run } from './report.ts'
import { createSim, creation, request, startServer } from './server.ts'

/** A GET may cost 5 % more CPU than before. A creation leaves an entry in the audit trail besides. */
const LEAST = { get: 0.95, create: 0.75 }

const MANIFEST = new URL('../packages/cli/package.json', import.meta.url)

export async function measurePrevious(run: Run, postgresUrl: string | undefined): Promise<void> {
  const folder = run.newFolder()
  const previous = packPrevious(join(folder, 'previous'))
  if (previous === undefined) {
    run.note({ name: 'against the release before', value: 'not in the history' })
    return
  }
  await bundleKumoi(join(folder, 'present', 'dist'))
  copyFileSync(MANIFEST, join(folder, 'present', 'package.json'))
  const programs = { present: join(folder, 'present', 'dist', 'server.cjs'), previous }
  await compareBoth(run, 'SQLite', programs, async () => [])
  if (postgresUrl === undefined) return
  await compareBoth(run, 'PostgreSQL', programs, async () => [
    ...['--database', await newDatabaseUrl(postgresUrl)],
  ])
}

interface Programs {
  readonly present: string
  readonly previous: string
}

/** In new processes each round: the same program is some percent faster or slower from its start to its end. */
async function compareBoth(
  run: Run,
  engine: string,
  programs: Programs,
  flags: () => Promise<string[]>,
): Promise<void> {
  const gets: Compared[] = []
  const creations: Compared[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const [ours, other] = [await open(programs.present), await open(programs.previous)]
    gets.push(await alternate(ours.gets, other.gets, 2))
    creations.push(await alternate(ours.creations, other.creations, 2))
    await Promise.all([ours.stop(), other.stop()])
  }
  run.note(
    compare(`GET item, ${engine}, against the release before`, mergeCompared(gets), LEAST.get),
  )
  const name = `SIM creation, ${engine}, against the release before`
  run.note(compare(name, mergeCompared(creations), LEAST.create))

  async function open(program: string) {
    const server = await startServer(run.newFolder(), await flags(), program)
    const { id } = await createSim(server.port, run.newCards())
    const common = { connections: 64, seconds: run.seconds, port: server.port }
    const get = { ...common, request: request('GET', `/commonserviceitem/${id}`) }
    const create = () => ({ ...common, request: creation(), first: run.newCards() })
    return {
      gets: { pid: server.pid, load: () => get },
      creations: { pid: server.pid, load: create },
      stop: () => server.stop(),
    }
  }
}
