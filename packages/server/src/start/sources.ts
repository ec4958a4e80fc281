/** Reads what a start needs of other files: the profile, the worlds, and where the console's build is. */
import { readFileSync } from 'node:fs'
import type { Config } from '../config.ts'
import { StartError } from '../kernel/errors.ts'
import type { Sources } from '../parts.ts'
import { CONSOLE_BUILD } from './console.ts'
import { reason } from './data-folder.ts'
import { readProfile } from './profile.ts'

/** In the place of a file: no world, and no demo world either. */
const EMPTY = 'empty'

export function readSources({ profile, worlds }: Pick<Config, 'profile' | 'worlds'>): Sources {
  return {
    version: version(),
    profile: readProfile(profile),
    worlds: worlds
      .filter((world) => world !== EMPTY)
      .map((world) =>
        typeof world === 'string' ? { path: world, text: readWorld(world) } : { world },
      ),
    demo: worlds.includes(EMPTY) ? 'none' : 'full',
    consoleFolder: CONSOLE_BUILD,
  }
}

function readWorld(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new StartError(`The world file ${path} cannot be read: ${reason(error)}.`)
  }
}

/** Of this program. */
export function version(): string {
  const file = new URL('../../package.json', import.meta.url)
  const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'))
  return String(Object(manifest).version)
}
