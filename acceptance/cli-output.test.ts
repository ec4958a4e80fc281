/** What the command line shows, in which form, and what it asks before it does something. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { KUMOI, start } from './server.ts'

const WORLD = {
  version: 1,
  accounts: [
    {
      id: '900000000001',
      code: 'acme',
      name: 'Acme',
      member: { code: 'mem00001', class: 'member' },
      keys: [{ token: 'cli', secret: 'cli-secret', permission: 'create', external: ['bill'] }],
    },
  ],
  sim_cards: [{ iccid_from: '8981040000000007000', count: 2, passcode: 'p{n}' }],
  sims: ['van-1', 'van-2'].map((Name, at) => ({
    account: 'acme',
    activated: true,
    CommonServiceItem: { Name, Status: { ICCID: `898104000000000700${at}` } },
  })),
  gateways: [
    {
      account: 'acme',
      zone: 'is1a',
      Appliance: { Name: 'vans' },
      sims: ['8981040000000007000', '8981040000000007001'],
    },
  ],
  projects: [{ account: 'acme', CommonServiceItem: { Name: 'doors' }, sims: [] }],
}

describe('kumoi', () => {
  let data = ''
  let server: Awaited<ReturnType<typeof start>>
  const env = () => ({
    ...process.env,
    LANG: 'C',
    TZ: 'Asia/Tokyo',
    KUMOI_DATA: data,
    KUMOI_TOKEN: 'cli',
    KUMOI_SECRET: 'cli-secret',
  })

  before(async () => {
    data = mkdtempSync(join(tmpdir(), 'kumoi-output-'))
    const world = join(data, 'world.json')
    writeFileSync(world, JSON.stringify(WORLD))
    server = await start(data, ['--world', world, '--clock', 'frozen@2026-04-01T09:00:00+09:00'])
    await said('device attach 8981040000000007000 --imei 350000000000001 --carrier carrier-a')
  })
  after(async () => {
    await server.stop()
    rmSync(data, { recursive: true })
  })

  async function kumoi(line: string, more: NodeJS.ProcessEnv = {}) {
    const child = spawn(process.execPath, [KUMOI, ...line.split(' ')], {
      env: { ...env(), ...more },
    })
    child.stdin.end()
    return ended(child)
  }

  /** At a terminal, where `answer` is typed when a question is asked. */
  async function atTerminal(line: string, answer: string) {
    const child = spawn(
      'script',
      ['-qec', `"${process.execPath}" "${KUMOI}" ${line}`, '/dev/null'],
      {
        env: env(),
      },
    )
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (text.includes('[y/N]')) child.stdin.write(`${answer}\r`)
    })
    return ended(child)
  }

  async function ended(child: ReturnType<typeof spawn>) {
    const written = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const) {
      child[name]?.setEncoding('utf8').on('data', (text: string) => {
        written[name] += text
      })
    }
    const code = await new Promise((resolve) => child.once('close', resolve))
    return { code, ...written }
  }

  async function said(line: string, more?: NodeJS.ProcessEnv): Promise<string> {
    const { code, stdout, stderr } = await kumoi(line, more)
    assert.equal(code, 0, `${line}: ${stderr}`)
    return stdout
  }

  test('says its version', async () => {
    const file = new URL('../packages/cli/package.json', import.meta.url)
    const { version } = JSON.parse(readFileSync(file, 'utf8'))
    assert.equal(await said('--version'), `${version}\n`)
  })

  test('shows the session and the address of each SIM, to whoever may see it', async () => {
    const asOperator = await said('sim list --columns Name,Session,Address')
    assert.match(
      asOperator,
      /^Name +Session +Address\nvan-1 +UP +10\.\d+\.\d+\.\d+\nvan-2 +DOWN\n$/,
    )
    assert.match(await said('sim list'), /^ID +Name +ICCID +Session +Address /)
    const withKey = await kumoi('sim list --columns Name,Session', {
      KUMOI_DATA: '/nowhere',
      KUMOI_URL: `${server.origin}/cloud`,
      KUMOI_CA_FILE: join(data, 'tls/ca.pem'),
    })
    assert.equal(withKey.stdout, 'Name   Session\nvan-1  UP\nvan-2  DOWN\n', withKey.stderr)
  })

  test('answers in four forms, with flags before or after the verb', async () => {
    const json = JSON.parse(await said('--output json sim list --columns Name,ICCID'))
    assert.deepEqual(json[0], { Name: 'van-1', ICCID: '8981040000000007000' })
    assert.equal(JSON.parse(await said('sim --json list')).Total, 2)
    assert.match(await said('sim list -o yaml'), /^From: 0\nCount: 2\nTotal: 2\n/)
    assert.equal(
      await said('sim -o csv list --columns Name,Session'),
      'Name,Session\r\nvan-1,UP\r\nvan-2,DOWN\r\n',
    )
    assert.match(await said('zone read is1a -o csv --columns Name'), /^Name\r\nis1a\r\n$/)
    assert.match(
      await said('doctor -o csv --columns check,ok'),
      /^check,ok\r\nthis program,true\r\n/,
    )
    assert.match(await said('export -o yaml'), /^version: 1\n/)
    const wrong = await kumoi('sim list --output xml')
    assert.deepEqual([wrong.code, wrong.stdout], [2, ''])
    assert.match(wrong.stderr, /table, json, yaml, csv/)
    const unknown = await kumoi('sim list --columns Nothing')
    assert.equal(unknown.code, 2)
    assert.match(unknown.stderr, /There is no column Nothing\. There are: ID, Name, ICCID/)
  })

  test('shows times in the zone of the reader, or in UTC', async () => {
    assert.match(await said('clock read'), /^now +2026-04-01 \d\d:/m)
    const hour = (text: string) => Number(/ (\d\d):\d\d:\d\d/.exec(text)?.[1])
    const [here, utc] = [await said('clock read'), await said('clock read --utc')]
    assert.equal((hour(utc) + 9) % 24, hour(here))
    assert.match(utc, /^now .*Z$/m)
  })

  test('says the time that the clock was moved to, and how much fell due', async () => {
    const moved = await said('clock advance --by 1d --utc')
    const [, count, list = ''] =
      /^It is 2026-04-02 00:00:00Z now\. (\d+) timers? ha(?:s|ve) fired \((.*)\)\.\n$/.exec(
        moved,
      ) ?? []
    const counts = list.split(', ').map((one) => Number(/ (\d+)$/.exec(one)?.[1]))
    assert.ok(Number(count) > 0, moved)
    assert.equal(
      counts.reduce((sum, one) => sum + one),
      Number(count),
    )
  })

  test('draws metrics as a small chart, or lists them', async () => {
    const bytes = '--uplink-bytes 3000000 --downlink-bytes 1500000'
    await said(`device traffic 8981040000000007000 ${bytes}`)
    await said('clock advance --by 10m')
    assert.match(await said('sim metrics van-1'), /^UplinkBps +[▁-█]+ +most \d/)
    assert.match(await said('sim metrics van-1 -o table'), /^Time +UplinkBps +DownlinkBps\n2026-/)
    assert.equal(await said('sim metrics van-2'), 'None.\n')
  })

  test('knows the account of the key where bills are asked for', async () => {
    assert.equal(await said('bill list --query is_ok'), 'true\n')
    assert.equal(await said('bill list 900000000001 --query is_ok'), 'true\n')
    const missing = await kumoi('bill detail-list')
    assert.equal(missing.code, 2)
    assert.match(missing.stderr, /missing required argument 'bill_id'/)
    // With the member found, it is the bill that is not there.
    assert.equal((await kumoi('bill detail-list 1')).code, 5)
  })

  test('has the messages of devices under the device', async () => {
    assert.match(await said('device --help'), /message-send .*\n(.*\n)*.*message-fetch/)
  })

  test('does not wait while the clock stands still, and says so', async () => {
    const { code, stdout, stderr } = await kumoi('gateway create --name still --plan-id 2 --wait')
    assert.deepEqual([code, stdout], [7, ''])
    assert.match(
      stderr,
      /The clock of the server stands still, so the gateway \d+ stays migrating\. It is made; /,
    )
    await said('clock set --mode scaled --scale 1000')
    const waited = await kumoi('gateway create --name runs --plan-id 2 --wait --query is_ok')
    assert.deepEqual([waited.code, waited.stdout], [0, 'true\n'])
    assert.match(
      waited.stderr,
      /^Waiting up to 300 s until the gateway \d+ is available; it is migrating now\.\n$/,
    )
  })

  test('asks before it ends or deletes something, at a terminal, unless it was told yes', async () => {
    const refused = await atTerminal('project delete doors', 'n')
    assert.equal(refused.code, 1)
    assert.match(refused.stdout, /kumoi project delete doors: Delete a project\. Go on\? \[y\/N\]/)
    assert.match(refused.stdout, /kumoi: Nothing was done\./)
    assert.match(await said('project list'), /doors/)
    const ended = await atTerminal('sim reconnect van-1', 'n')
    assert.match(ended.stdout, /Drop the session of a SIM/)
    assert.equal((await atTerminal('reset', 'n')).code, 1)
    assert.equal((await atTerminal('project delete doors', 'y')).code, 0)
    assert.equal(await said('project list'), 'None.\n')
    const told = await atTerminal('gateway delete still --yes', 'n')
    assert.doesNotMatch(told.stdout, /Go on/)
    // Nobody sits before a script.
    assert.equal((await kumoi('sim reconnect van-1')).code, 0)
  })
})
