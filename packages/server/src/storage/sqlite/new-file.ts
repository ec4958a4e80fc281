/**
 * A new database gets its name only when it has a header. SQLite creates the file empty, and after a kill in that
 * moment the next start would take it for one that was damaged.
 */
import { existsSync, renameSync, rmSync } from 'node:fs'
import { SqliteConnection } from './connection.ts'

export function createIfMissing(file: string): void {
  if (existsSync(file)) return
  const draft = `${file}.new`
  for (const end of ['', '-journal', '-wal', '-shm']) rmSync(`${draft}${end}`, { force: true })
  new SqliteConnection(draft, true).close()
  renameSync(draft, file)
}
