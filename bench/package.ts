/** The published package: how long its commands, its server and a cloud inside a test take to start. */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildKumoi } from '../tools/build.ts'
import { median, start } from './processes.ts'
import { atMost, below, type Run } from './report.ts'

/** Starts differ more than loads do. */
const ROUNDS = 15
const MANIFEST = new URL('../packages/cli/package.json', import.meta.url)

export async function measurePackage(run: Run): Promise<void> {
  const folder = run.newFolder()
  const dist = join(folder, 'kumoi', 'dist')
  await buildKumoi(dist)
  const { publishConfig, ...manifest } = JSON.parse(readFileSync(MANIFEST, 'utf8'))
  const published = JSON.stringify({ ...manifest, ...publishConfig })
  writeFileSync(join(folder, 'kumoi', 'package.json'), published)
  await measureServer(run, folder, join(dist, 'kumoi.cjs'))
  measureClouds(run, join(dist, 'testing.js'))
}

async function measureServer(run: Run, folder: string, kumoi: string): Promise<void> {
  const times: number[] = []
  const serve = () =>
    start({ args: [kumoi, 'serve', '--port', '0'], cwd: folder, until: /Ready\./ })
  // The first one creates the data folder.
  await (await serve()).stop()
  for (let round = 0; round < ROUNDS; round += 1) {
    const server = await serve()
    times.push(server.milliseconds)
    await server.stop()
  }
  run.note(below('packed: kumoi serve to Ready., with a data folder (ms)', median(times), 450))
  const server = await serve()
  const commands = [
    ['-e', '0'],
    [kumoi, '--help'],
    [kumoi, 'sim', 'list'],
  ]
  const [bare = 0, help = 0, list = 0] = alternateCommands(commands, folder)
  await server.stop()
  run.note(atMost('packed: kumoi --help against node -e 0', help, bare, 1.6))
  const name = 'packed: kumoi sim list, by TLS from a warm server, against node -e 0'
  run.note(atMost(name, list, bare, 1.6))
}

/** The median of each, in milliseconds. */
function alternateCommands(commands: readonly string[][], cwd: string): number[] {
  const times = commands.map((): number[] => [])
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, args] of commands.entries()) {
      const began = performance.now()
      const { status, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' })
      if (status !== 0) throw new Error(`${args.join(' ')}: ${stderr}`)
      times[index]?.push(performance.now() - began)
    }
  }
  return times.map(median)
}

function measureClouds(run: Run, testing: string): void {
  const program = new URL('start-cloud.ts', import.meta.url).pathname
  const measured = Array.from({ length: 5 }, (): { loaded: number; times: number[] } => {
    const { stdout } = spawnSync(process.execPath, [program, testing], { encoding: 'utf8' })
    return JSON.parse(stdout)
  })
  const first = median(measured.map(({ loaded, times: [time = 0] }) => loaded + time))
  const later = median(measured.flatMap(({ times: [, ...rest] }) => rest))
  const name = 'packed: first startCloud of a process to its first answer, loading included (ms)'
  run.note(below(name, first, 400))
  run.note(below('packed: later startCloud to its first answer (ms)', later, 50))
}
