/**
 * One process owns an embedded data folder. The lock is an exclusive transaction on a small database
 * of its own, so the operating system lets go of it when the process ends, however it ends.
 */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DatabaseUnusable } from '../database.ts'

export interface OwnerLock {
  release(): void
}

export function takeOwnership(folder: string): OwnerLock {
  const lock = new DatabaseSync(join(folder, 'owner.lock'), { timeout: 0 })
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch {
    lock.close()
    throw new DatabaseUnusable(`The data folder ${folder} is in use by another Kumoi process.`)
  }
  return { release: () => lock.close() }
}
