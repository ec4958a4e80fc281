/**
 * What `npm pack` and `npm publish` run in a package, before and after (`prepack`, `postpack`). In the repository a
 * package runs from its sources; what is published is the build. npm takes the manifest as it is, so the one of the
 * published package, which `publishConfig` holds, is in its place meanwhile.
 */
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { buildClient, buildKumoi } from './build.ts'
import { REPOSITORY } from './lib/program.ts'

const MANIFEST = 'package.json'
/** The manifest of the sources, while the other one is in its place. */
const KEPT = 'package.json.sources'
const LICENSE = 'LICENSE'

async function prepack(): Promise<void> {
  // A pack that was killed has left the wrong one behind, and one package is built from the sources of the other.
  for (const name of ['cli', 'client']) restore(join(REPOSITORY, 'packages', name))
  const { scripts: _, publishConfig, ...sources } = JSON.parse(readFileSync(MANIFEST, 'utf8'))
  const { access, ...published } = publishConfig
  await (sources.name === 'kumoi' ? buildKumoi : buildClient)(resolve('dist'))
  copyFileSync(join(REPOSITORY, LICENSE), LICENSE)
  copyFileSync(MANIFEST, KEPT)
  const manifest = { ...sources, ...published, publishConfig: { access } }
  writeFileSync(MANIFEST, `${JSON.stringify(manifest, null, 2)}\n`)
}

function restore(folder: string): void {
  rmSync(join(folder, LICENSE), { force: true })
  if (existsSync(join(folder, KEPT))) renameSync(join(folder, KEPT), join(folder, MANIFEST))
}

if (process.argv[2] === 'prepack') await prepack()
else restore('.')
