/** The server of the release before, packed as it was published, from the history of this repository. */
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { linkModules, ROOT } from './linked-modules.ts'

/** Its commit; a release sets it to its own (CONTRIBUTING.md). */
const COMMIT = '34407460a588'

/** Undefined where the history does not reach back to it, as in a shallow clone. */
export function packPrevious(folder: string): string | undefined {
  const tree = join(folder, 'tree')
  mkdirSync(tree, { recursive: true })
  const archive = spawnSync('git', ['archive', COMMIT], { cwd: ROOT, maxBuffer: 2 ** 28 })
  if (archive.status !== 0) return undefined
  execFileSync('tar', ['-x', '-C', tree], { input: archive.stdout })
  linkModules(tree)
  const packed = join(folder, 'packed')
  const program = `import { bundleKumoi } from './tools/build.ts'
    await bundleKumoi(${JSON.stringify(join(packed, 'dist'))})`
  execFileSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: tree,
    stdio: 'pipe',
  })
  copyFileSync(join(tree, 'packages/cli/package.json'), join(packed, 'package.json'))
  return join(packed, 'dist/server.cjs')
}
