/** A server for the tests of one file, and a browser in front of it. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { CLOUD, type ServerProcess, start } from '../server.ts'
import { launchBrowser, MISSING } from './chromium.ts'

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
)

export interface Visit {
  readonly page: Page
  readonly server: ServerProcess
  readonly operatorToken: string
  /** Opens a page of the console by its path. */
  open(path: string): Promise<void>
}

export interface ConsoleOptions {
  /** Settings of the server, after those that every test has. */
  readonly args?: readonly string[]
}

/** The browser of all files that share a process; started with the first test. */
let browser: Promise<Browser | undefined> | undefined
after(async () => (await browser)?.close())

/** Declares the server of a file, which runs from its first test to its last; answers with what declares one test. */
export function consoleTests({ args = [] }: ConsoleOptions = {}) {
  let server: Promise<RunningServer> | undefined
  let testsLeft = 0
  /** A test by someone who has signed in with the demo key and the operator token. */
  return (title: string, work: (visit: Visit) => Promise<void>): void => {
    testsLeft += 1
    test(title, { skip: MISSING }, async () => {
      browser ??= launchBrowser()
      server ??= startServer(args)
      const [{ process: running, operatorToken, end }, started] = await Promise.all([
        server,
        browser,
      ])
      try {
        if (started !== undefined) await visitAs(started, running, operatorToken, work)
      } finally {
        testsLeft -= 1
        if (testsLeft === 0) await end()
      }
    })
  }
}

interface RunningServer {
  readonly process: ServerProcess
  readonly operatorToken: string
  end(): Promise<void>
}

async function startServer(args: readonly string[]): Promise<RunningServer> {
  const folder = mkdtempSync(join(tmpdir(), 'kumoi-console-'))
  const process = await start(folder, args)
  const operatorToken = readFileSync(join(folder, 'operator.token'), 'utf8').trim()
  const end = async () => {
    await process.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return { process, operatorToken, end }
}

async function visitAs(
  browser: Browser,
  server: ServerProcess,
  operatorToken: string,
  work: (visit: Visit) => Promise<void>,
): Promise<void> {
  const context = await newContext(browser, server.origin)
  try {
    const { page, problems } = await newPage(context)
    const open = (path: string) => openPath(page, server.origin, path)
    await signIn(page, server.origin, operatorToken)
    await work({ page, server, operatorToken, open })
    assert.deepEqual(problems, [])
  } finally {
    await context.close()
  }
}

export function newContext(browser: Browser, baseURL: string): Promise<BrowserContext> {
  return browser.newContext({
    ...{ baseURL, ignoreHTTPSErrors: true, locale: 'en-GB' },
    viewport: { width: 1280, height: 900 },
    // Copy buttons.
    permissions: ['clipboard-read', 'clipboard-write'],
    // What axe-core is put in by must not be the reason that the policy holds; see `checkAccessibility`.
    bypassCSP: false,
  })
}

/** Errors of scripts and breaches of the policy are faults wherever they happen. */
export async function newPage(context: BrowserContext) {
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' && /Content Security Policy|TrustedHTML/i.test(message.text()))
      problems.push(message.text())
  })
  page.setDefaultTimeout(15_000)
  return { page, problems }
}

/** By the link of the banner and the demo key, as a newcomer would. */
export async function signIn(
  page: Page,
  origin: string,
  operatorToken: string,
  language: 'en' | 'ja' = 'en',
): Promise<void> {
  const say = (english: string, japanese: string) => (language === 'ja' ? japanese : english)
  await page.goto(`${origin}/#operator=${operatorToken}`)
  // The page may have been open already, and takes the token when it has seen the address.
  await page.waitForURL((url) => !url.hash.includes('operator='))
  await page.goto(`${origin}/#/sign-in`)
  const token = say('Access token', 'アクセストークン')
  await page.getByLabel(token, { exact: true }).fill('demo-token')
  await page
    .getByLabel(say('Access token secret', 'アクセストークンシークレット'))
    .fill('demo-secret')
  await page.getByRole('button', { name: say('Sign in', 'サインイン'), exact: true }).click()
  await page.getByRole('heading', { name: say('Overview', '概要'), level: 1 }).waitFor()
}

export async function openPath(page: Page, origin: string, path: string): Promise<void> {
  await page.goto(`${origin}/#${path}`)
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
}

/** Until the page has what it asked for and has drawn it. */
export async function settle(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const isWaiting = [...document.querySelectorAll('[role=status], .loading')].some((node) =>
      /^(Loading|読み込み中)…$/.test(node.textContent ?? ''),
    )
    const isUndrawn = [...document.querySelectorAll('.chart > [role=img]')].some(
      (node) => node.querySelector('canvas') === null,
    )
    return !isWaiting && !isUndrawn
  })
  // Two frames: what the last answer changed is drawn, and what follows from its size.
  await page.evaluate(
    () =>
      new Promise((resolve) =>
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(0))),
      ),
  )
}

/** Serious and critical faults that axe-core finds in the page as it is now, by all rules or by one. */
export async function accessibilityFaults(page: Page, rule?: string): Promise<string[]> {
  // By the debugger and not by a script element, which the policy refuses.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource)
  return page.evaluate(async (only) => {
    const { axe } = globalThis as unknown as {
      axe: { run(options: object): Promise<{ violations: readonly AxeViolation[] }> }
    }
    const { violations } = await axe.run({
      // The selectors of everything that is right would take as long as the rules.
      resultTypes: ['violations'],
      ...(only === undefined ? {} : { runOnly: [only] }),
    })
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
  }, rule)
}

/** By how many pixels the page is wider than its window, so that all of it would scroll sideways. */
export function widthOver(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return scrollWidth - clientWidth
  })
}

interface AxeViolation {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string }[]
}

/** The ids that paths of pages are filled with: the second meter of the demo world, and its gateway. */
export async function idsOf(server: ServerProcess): Promise<Record<string, string>> {
  const search = encodeURIComponent(JSON.stringify({ Filter: { Name: 'meter-2' } }))
  const items = await server.ask('GET', `${CLOUD}/commonserviceitem?${search}`)
  const gateways = await server.ask('GET', `${CLOUD}/appliance`)
  const named = encodeURIComponent(JSON.stringify({ Filter: { Name: 'sensors' } }))
  const projects = await server.ask('GET', `${CLOUD}/commonserviceitem?${named}`)
  return {
    sim: String(items.body.CommonServiceItems[0]?.ID),
    gateway: String(gateways.body.Appliances[0]?.ID),
    project: String(projects.body.CommonServiceItems[0]?.ID),
  }
}
