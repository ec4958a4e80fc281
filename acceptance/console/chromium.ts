/** The system's Chromium, installed from Debian's package when it is missing and we may. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

const find = () => PLACES.find((path) => existsSync(path))

function install(): string | undefined {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined
  const options = {
    stdio: 'ignore',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  } as const
  spawnSync('apt-get', ['update'], options)
  const packages = ['chromium', 'fonts-noto-cjk']
  spawnSync('apt-get', ['install', '-y', '--no-install-recommends', ...packages], options)
  return find()
}

const executablePath = find() ?? install()

/** Why tests with a browser are left out; false when there is one. */
export const MISSING =
  executablePath === undefined && 'Chromium is missing (Debian: apt-get install chromium).'

/** Undefined, with one printed line, when there is no Chromium and none can be had. */
export async function launchBrowser(): Promise<Browser | undefined> {
  if (executablePath === undefined) {
    console.log(MISSING)
    return undefined
  }
  // As root there is no sandbox to be had; the pages are our own.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return chromium.launch({ executablePath, args })
}
