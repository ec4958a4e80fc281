/**
 * The sites as the server last sent them, kept on the disk: an edge that starts while the server is away serves with
 * them, and one that starts while it is there asks only for what has changed since.
 */
import { stat, utimes } from 'node:fs/promises'
import type { EdgeChanges, EdgeSite } from '../../../services/webaccel/public.ts'
import { readJson, writeJson } from './durable-file.ts'

export interface Settings {
  readonly version: number
  readonly sites: readonly EdgeSite[]
}

/** What holds after the changes. */
export function withChanges(settings: Settings | undefined, changes: EdgeChanges): Settings {
  const { version, isComplete, sites, removedSiteIds } = changes
  if (isComplete || settings === undefined) return { version, sites }
  const gone = new Set([...removedSiteIds, ...sites.map(({ id }) => id)])
  return { version, sites: [...settings.sites.filter(({ id }) => !gone.has(id)), ...sites] }
}

export class StoredSettings {
  readonly #file: string
  settings: Settings | undefined
  /** When the server last answered; the file's time keeps it over a restart. */
  confirmedAt: Date | undefined

  private constructor(file: string) {
    this.#file = file
  }

  static async open(file: string): Promise<StoredSettings> {
    const stored = new StoredSettings(file)
    const value = await readJson(file)
    if (value !== undefined) {
      stored.settings = settingsOf(value, file)
      stored.confirmedAt = (await stat(file)).mtime
    }
    return stored
  }

  /** The file is written only when sites have changed: an older version asks for some changes twice, which is harmless. */
  async take(changes: EdgeChanges, now: Date): Promise<Settings> {
    const next = withChanges(this.settings, changes)
    const { isComplete, sites, removedSiteIds } = changes
    const isFirst = this.settings === undefined
    if (isFirst || isComplete || sites.length > 0 || removedSiteIds.length > 0) {
      await writeJson(this.#file, next)
    }
    this.settings = next
    this.confirmedAt = now
    await utimes(this.#file, now, now)
    return next
  }
}

function settingsOf(value: unknown, file: string): Settings {
  const { version, sites } = Object(value)
  if (!Number.isSafeInteger(version) || !Array.isArray(sites)) {
    throw new Error(`${file} does not hold the settings of an edge.`)
  }
  return { version, sites }
}
