/** The commands of a page, as a person has them. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { KUMOI } from './server.ts'

/** With the command line of this repository, and a curl that says when it is refused. */
export function shellEnv(folder: string): NodeJS.ProcessEnv {
  const clean = Object.entries(process.env).filter(([name]) => !name.startsWith('KUMOI_'))
  const path = [makeTools(folder), process.env.PATH].join(delimiter)
  return { ...Object.fromEntries(clean), HOME: folder, PATH: path }
}

function makeTools(folder: string): string {
  const bin = join(folder, 'bin')
  const curl = spawnSync('sh', ['-c', 'command -v curl'], { encoding: 'utf8' }).stdout.trim()
  const tools = {
    kumoi: `exec ${JSON.stringify(process.execPath)} ${JSON.stringify(KUMOI)} "$@"`,
    npx: `[ "$1" = kumoi ] && shift && exec kumoi "$@"\necho "npx is for kumoi here." >&2; exit 1`,
    curl: `exec ${curl} --fail-with-body --silent --show-error "$@"`,
  }
  mkdirSync(bin)
  for (const [name, text] of Object.entries(tools)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  }
  return bin
}
