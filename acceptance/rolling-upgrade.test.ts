/** Servers of the release before and of this one, on one database and one after the other (docs/operating.md). */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { engines } from './engines.ts'
import { packPrevious } from './previous-release.ts'
import { CLOUD, KUMOI, type ServerProcess, start, temporaryFolder } from './server.ts'

const previous = packPrevious(temporaryFolder({ after }))
if (previous === undefined) {
  console.log('The history has no commit of the previous release: upgrades from it are not tested.')
}
const skip = previous === undefined

const ITEMS = `${CLOUD}/commonserviceitem`
const SITES = '/cloud/zone/is1a/api/webaccel/1.0/site'
const PAIRS = 20

async function createItem(server: ServerProcess, name: string): Promise<string> {
  const item = { Name: name, Provider: { Class: 'esme' } }
  const { status, body } = await server.ask('POST', ITEMS, { body: { CommonServiceItem: item } })
  assert.equal(status, 201, JSON.stringify(body))
  return body.CommonServiceItem.ID
}

async function nameOf(server: ServerProcess, id: string): Promise<string> {
  const { status, body } = await server.ask('GET', `${ITEMS}/${id}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body.CommonServiceItem.Name
}

/** What else is shown of them is filled in by jobs. */
async function siteIds(server: ServerProcess): Promise<string[]> {
  const { body } = await server.ask('GET', SITES)
  return body.Sites.map(({ ID }: { ID: string }) => ID)
}

/** Each changes what the other has made, and reads what the other has changed. */
async function workTogether(one: ServerProcess, other: ServerProcess): Promise<void> {
  const pairs = Array.from({ length: PAIRS }, async (_, number) => {
    const [first, second] = number % 2 === 0 ? [one, other] : [other, one]
    const id = await createItem(first, `made ${number}`)
    assert.equal(await nameOf(second, id), `made ${number}`)
    const Name = `changed ${number}`
    const body = { CommonServiceItem: { Name } }
    assert.equal((await second.ask('PUT', `${ITEMS}/${id}`, { body })).status, 200)
    assert.equal(await nameOf(first, id), Name)
    const otp = { destination: '819012345678', sender: 'A', otpOperation: 'generate' }
    const sent = await first.ask('PUT', `${ITEMS}/${id}/esme/2fa/otp`, { body: { ESME: otp } })
    assert.equal(sent.status, 200, JSON.stringify(sent.body))
    assert.equal((await second.ask('DELETE', `${ITEMS}/${id}`)).status, 200)
  })
  await Promise.all(pairs)
}

async function doctor(data: string, server: ServerProcess): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [KUMOI, 'doctor'], {
    env: {
      ...{ ...process.env, KUMOI_URL: `${server.origin}/cloud`, KUMOI_TOKEN: 'demo-token' },
      ...{ KUMOI_SECRET: 'demo-secret', KUMOI_CA_FILE: join(data, 'tls', 'ca.pem') },
      KUMOI_OPERATOR_TOKEN: readFileSync(join(data, 'operator.token'), 'utf8').trim(),
    },
  })
  return stdout
}

function opener(t: TestContext) {
  const servers: ServerProcess[] = []
  t.after(() => Promise.all(servers.map((server) => server.stop('SIGKILL'))))
  return async (data: string, flags: readonly string[], program?: string) => {
    const server = await start(data, flags, {}, program)
    servers.push(server)
    return server
  }
}

for (const engine of engines) {
  test(`an upgrade on ${engine.name} keeps what the release before has written`, {
    skip,
  }, async (t) => {
    const open = opener(t)
    const data = temporaryFolder(t)
    const flags = await engine.flags()
    const old = await open(data, flags, previous)
    const id = await createItem(old, 'of before')
    const sites = await siteIds(old)
    assert.ok(sites.length > 0)
    assert.equal((await old.stop()).code, 0)
    const server = await open(data, flags)
    assert.equal(await nameOf(server, id), 'of before')
    assert.deepEqual(await siteIds(server), sites)
    const said = await doctor(data, server)
    assert.doesNotMatch(said, /^wrong/m)
    assert.match(said, /^ok +schema +\d+, all that this server knows$/m)
    assert.match(said, /^ok +secrets +one of each kind opens$/m)
  })
}

const postgres = engines.find(({ name }) => name === 'postgres')

describe('a rolling upgrade', { skip: skip || postgres === undefined }, () => {
  test('has servers of both releases on one database, without a failed request', async (t) => {
    const open = opener(t)
    const keyFile = join(temporaryFolder(t), 'key')
    writeFileSync(keyFile, randomBytes(32).toString('base64'), { mode: 0o600 })
    const flags = [...((await postgres?.flags()) ?? []), '--key-file', keyFile]
    const oldData = temporaryFolder(t)
    const old = await open(oldData, flags, previous)
    const before = await createItem(old, 'of before')
    const data = temporaryFolder(t)
    const server = await open(data, flags)
    assert.equal(await nameOf(server, before), 'of before')
    await workTogether(old, server)
    assert.doesNotMatch(await doctor(data, server), /^wrong/m)
    assert.equal((await old.stop()).code, 0)
    const second = await open(temporaryFolder(t), flags)
    await workTogether(server, second)
  })
})
