/** A profile of a test's own. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

/** The arguments that start a server with it. */
export function profileArgs(t: TestContext, profile: object): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'kumoi-profile-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'profile.json')
  writeFileSync(file, JSON.stringify(profile))
  return ['--profile', file]
}
