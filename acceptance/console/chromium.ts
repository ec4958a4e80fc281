/** The system's Chromium, installed from Debian's package when it is missing and we may. */
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { installPackages } from '../debian.ts'

const PLACES = [
  // Without the windows of a browser, which take a fifth of its time.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

const find = () => PLACES.find((path) => existsSync(path))

function install(): string | undefined {
  installPackages('chromium-headless-shell', 'fonts-noto-cjk')
  return find()
}

const executablePath = find() ?? install()

/** Why tests with a browser are left out; false when there is one. */
export const MISSING =
  executablePath === undefined &&
  'Chromium is missing (Debian: apt-get install chromium-headless-shell).'

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
