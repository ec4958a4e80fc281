/** Every example of the documents, run as somebody would who follows a page (CONTRIBUTING.md). */
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { installPackages } from './debian.ts'
import { EDGE_FLAGS, edgePorts } from './edge-cloud.ts'
import { noFreeradius } from './freeradius.ts'
import { type MailServer, openMailServer } from './mail-server.ts'
import { freePort } from './ports.ts'
import { type ServerProcess, start } from './server.ts'
import { shellEnv } from './shell.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const missing = ['bash', 'curl', 'jq'].filter((tool) => spawnSync(tool, ['--version']).error)
const hasMosquitto = () => spawnSync('mosquitto_pub', ['--help']).error === undefined
if (!hasMosquitto()) installPackages('mosquitto-clients')
if (noFreeradius) console.log(`${noFreeradius}: examples of RADIUS are not run.`)
if (!hasMosquitto()) console.log('mosquitto-clients is missing: examples of MQTT are not run.')

interface Block {
  readonly language: string
  readonly file: string | undefined
  readonly text: string
}

const readme = readFileSync(join(root, 'README.md'), 'utf8')
/** In the order of README's tables, then the others. */
const paths = new Set([
  'README.md',
  ...[...readme.matchAll(/^\|.*/gm)].flatMap(([row]) =>
    [...row.matchAll(/\((docs\/[\w-]+\.md)/g)].map(([, path = '']) => path),
  ),
  ...globSync('docs/*.md', { cwd: root }).sort(),
])

const pages = [...paths].map((path) => {
  const text = readFileSync(join(root, path), 'utf8')
  const blocks = [...text.matchAll(/^```(\w*)(?: (\S+))?\n(.*?)^```$/gms)].map(
    ([, language = '', file, content = '']): Block => ({ language, file, text: content }),
  )
  return { path, blocks }
})

/** One server for all pages, as for somebody who reads on. Each page leaves the server as it found it, and no file. */
describe('the examples of', { timeout: 240_000, skip: missing.length > 0 }, () => {
  const examples = pages.flatMap(({ path, blocks }) => {
    const script = blocks
      .filter(({ language }) => language === 'sh')
      .map(({ text }) => text)
      .filter((text) => !text.includes('mosquitto_') || hasMosquitto())
      .filter((text) => !text.includes('radclient') || !noFreeradius)
    const files = blocks.flatMap(({ file, text }) => (file === undefined ? [] : { file, text }))
    return script.length === 0 ? [] : { path, files, script: script.join('\n') }
  })
  let folder = ''
  let server: ServerProcess
  let mail: MailServer
  let env: NodeJS.ProcessEnv = {}
  const operator = (path: string) => server.operator('GET', path, readToken(folder))
  const state = async () => ({
    mode: (await operator('/clock')).body.mode,
    world: withoutSeals((await operator('/world')).body),
    snapshots: (await operator('/snapshots')).body.snapshots,
  })

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kumoi-docs-'))
    for (const { path, files } of examples) {
      mkdirSync(join(folder, path), { recursive: true })
      symlinkSync(join(folder, 'data'), join(folder, path, 'data'))
      for (const { file, text } of files) writeFileSync(join(folder, path, file), text)
    }
    mail = await openMailServer()
    const sender = ['--mail-from', 'Kumoi <noreply@example.jp>']
    const planes = ['--mqtt-port', '0', '--smtp-url', mail.url, ...sender, ...EDGE_FLAGS]
    server = await start(join(folder, 'data'), planes)
    // The past of the demo world comes a moment after the start, and its maintenance last.
    while ((await operator('/maintenances')).body.maintenances.length < 2) await setImmediate()
    env = shellEnv(folder)
  })
  after(async () => {
    await server?.stop()
    await mail?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  for (const { path, script } of examples) {
    test(path, async () => {
      const cwd = join(folder, path)
      const found = readdirSync(cwd)
      const before = await state()
      const address = server.origin.replace('127.0.0.1', 'localhost')
      const edge = edgePorts(server)
      const mqttPort = /mqtts:\/\/[^:]+:(\d+)/.exec(server.banner)?.[1]
      const text = script
        .replaceAll('https://localhost:8443', address)
        .replaceAll('localhost -p 8883', `localhost -p ${mqttPort}`)
        .replaceAll('localhost:8081', `localhost:${edge.port}`)
        .replaceAll('localhost:8444', `localhost:${edge.tlsPort}`)
        .replaceAll('8090', String(await freePort()))
        .replaceAll('8091', String(await freePort()))
      const shell = promisify(execFile)
      await assert.doesNotReject(shell('bash', ['-e', '-o', 'pipefail', '-c', text], { cwd, env }))
      assert.deepEqual(readdirSync(cwd), found)
      assert.deepEqual(await state(), before)
    })
  }
})

/** What is sealed is sealed anew by each export. */
function withoutSeals(world: unknown): unknown {
  return JSON.parse(JSON.stringify(world), (key, value) => (key === 'sealed' ? '' : value))
}

function readToken(folder: string): string {
  return readFileSync(join(folder, 'data', 'operator.token'), 'utf8').trim()
}

describe('the documents', () => {
  test('mark each block of a shell as run or as not to be run', () => {
    for (const { path, blocks } of pages) {
      const unclear = blocks.filter(({ language }) => ['bash', 'shell', 'zsh'].includes(language))
      assert.deepEqual(unclear, [], path)
    }
  })

  test('lead only to pages that are there', () => {
    for (const { path } of pages) {
      const text = readFileSync(join(root, path), 'utf8')
      for (const [, target = ''] of text.matchAll(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g)) {
        const found = globSync(join(root, path, '..', target.replace(/\/$/, '')))
        assert.equal(found.length, 1, `${path}: ${target}`)
      }
    }
  })
})
