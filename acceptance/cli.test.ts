/** The command line as a process, against a server as a process. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Ended, start, temporaryFolder } from './server.ts'

const KUMOI = fileURLToPath(new URL('../packages/cli/src/kumoi.mjs', import.meta.url))

interface Run {
  readonly input?: string
  readonly env?: NodeJS.ProcessEnv
}

function launch(args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  const clean = Object.entries(process.env).filter(([name]) => !name.startsWith('KUMOI_'))
  return spawn(process.execPath, [KUMOI, ...args], {
    env: { ...Object.fromEntries(clean), LANG: 'C', ...env },
  })
}

function run(args: readonly string[], { input = '', env = {} }: Run = {}): Promise<Ended> {
  const child = launch(args, env)
  child.stdin?.end(input)
  return endOf(child)
}

function endOf(child: ChildProcess): Promise<Ended> {
  const written = { stdout: '', stderr: '' }
  child.stdout?.setEncoding('utf8').on('data', (text) => {
    written.stdout += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    written.stderr += text
  })
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...written })))
}

describe('kumoi, beside a server on this machine', () => {
  let data = ''
  let server: Awaited<ReturnType<typeof start>>
  const kumoi = (line: string, options: Run = {}) =>
    run(wordsOf(line), { ...options, env: { KUMOI_DATA: data, ...options.env } })

  before(async () => {
    data = mkdtempSync(join(tmpdir(), 'kumoi-cli-'))
    server = await start(data, ['--provisioning-seconds', '1'])
  })
  after(async () => {
    await server.stop()
    rmSync(data, { recursive: true })
  })

  async function said(line: string, options: Run = {}): Promise<string> {
    const { code, stdout, stderr } = await kumoi(line, options)
    assert.equal(code, 0, `${line}: ${stderr}`)
    return stdout
  }

  test('shows lists as tables, as JSON, and one field of them', async () => {
    assert.match(await said('sim list'), /^ID +Name .*\n\d{12} +meter-1 /)
    const { Total } = JSON.parse(await said('sim list --json'))
    assert.equal(await said('sim list --query Total'), `${Total}\n`)
    assert.match(
      await said('sim list --count 1'),
      /\n1 of 60: --count, --from or --all for more\.\n$/,
    )
    assert.equal(JSON.parse(await said('sim list --all --json')).length, 60)
    assert.equal(await said('sim list --filter Name=nothing'), 'None.\n')
  })

  test('makes, waits for, reads, changes and deletes a thing, by its name', async () => {
    const made = await said('gateway create --name gate --plan-id 2 --tags a,b --wait --json')
    const { ID, Availability, Tags } = JSON.parse(made).Appliance
    assert.deepEqual([Availability, Tags], ['available', ['a', 'b']])
    assert.equal(await said('gateway read gate --query Appliance.ID'), `${ID}\n`)
    await said('gateway update gate --description changed')
    assert.equal(await said('gateway read gate --query Appliance.Description'), 'changed\n')
    assert.equal(await said('gateway sim-add gate --resource-id meter-1'), 'Done.\n')
    assert.match(await said('gateway sim-list gate'), /8981040000000001000/)
    await said('gateway sim-remove gate meter-1')
    await said(`gateway delete ${ID}`)
    const gone = await kumoi('gateway read gate')
    assert.deepEqual([gone.code, gone.stdout], [5, ''])
    assert.equal(gone.stderr, 'kumoi: Nothing here is called gate. Give an id, or see the list.\n')
  })

  test('sends a file to a project and fetches it again', async () => {
    const path = join(data, 'map.txt')
    writeFileSync(path, 'here be dragons')
    await said('file stat sensors map.txt')
    const sent = JSON.parse(await said(`file upload-request sensors map.txt --file ${path} --json`))
    assert.deepEqual([sent.name, sent.size], ['map.txt', 15])
    assert.equal(await said('file download sensors map.txt --save-as -'), 'here be dragons')
    await said(`file download sensors map.txt --save-as ${path}.copy`)
    assert.equal(readFileSync(`${path}.copy`, 'utf8'), 'here be dragons')
  })

  test('refuses a name that two have, and says which they are', async () => {
    await said('switch create --name twin')
    await said('switch create --name twin')
    const { code, stderr } = await kumoi('switch delete twin')
    assert.equal(code, 2)
    assert.match(stderr, /^kumoi: 2 are called twin: \d{12}, \d{12}\. Give the id\.\n$/)
  })

  test('exits by the kind of refusal, with one line that says why', async () => {
    for (const [line, exit, complaint] of [
      ['sim activate meter-1', 6, /already activated\. \(409 conflict\)\n$/],
      ['item read 900000000000', 5, /\(404 not_found\)\n$/],
      ['sim imei-lock meter-1 --imei abc', 3, /imei.*\(400 bad_request\)\n$/],
      ['sim list --token nobody --secret x', 4, /\(401 unauthorized\) Check the key/],
      ['sim delete meter-1 --token demo-view --secret demo-view-secret', 4, /\(403 forbidden\)/],
      ['sim list --url https://localhost:59998/cloud', 9, /nothing listens there\. Start a server/],
      ['sim status', 2, /missing required argument 'sim' See --help\.\n$/],
    ] as const) {
      const { code, stdout, stderr } = await kumoi(line)
      assert.deepEqual([code, stdout], [exit, ''], `${line}: ${stderr}`)
      assert.match(stderr, complaint)
      assert.equal(stderr.split('\n').length, 2, stderr)
    }
  })

  test('does not trust a certificate that nobody vouches for', async () => {
    const url = `${server.origin}/cloud`
    const env = { KUMOI_DATA: '/nowhere', KUMOI_URL: url }
    const { code, stderr } = await kumoi('auth status --token a --secret b', { env })
    assert.equal(code, 9)
    assert.match(stderr, /its certificate is not trusted\. Give its CA with --ca FILE/)
    const ca = join(data, 'tls/ca.pem')
    const told = await kumoi('auth status --query Account.Code', {
      env: { ...env, KUMOI_CA_FILE: ca, KUMOI_TOKEN: 'demo-token', KUMOI_SECRET: 'demo-secret' },
    })
    assert.equal(told.stdout, 'demo\n', told.stderr)
  })

  test('governs the clock, faults, snapshots, keys, devices and messages', async () => {
    await said('snapshot save --name before')
    await said('clock set --mode frozen')
    const now = Date.parse((await said('clock read --query now')).trim())
    await said('clock advance --by 1h')
    assert.equal(Date.parse((await said('clock read --query now')).trim()) - now, 3_600_000)
    await said('clock set --mode scaled --scale 1')
    await said(`fault add --operation authStatus --times 1 --effect {"status":409}`)
    assert.equal((await kumoi('auth status')).code, 6)
    assert.equal(await said('fault clear'), 'Done.\n')
    const { key, secret } = JSON.parse(await said('key create demo --permission view --json'))
    const env = { KUMOI_TOKEN: key.token, KUMOI_SECRET: secret }
    assert.equal(await said('auth status --query Permission', { env }), 'view\n')
    const device = 'device attach 8981040000000001001 --imei 350000000000001 --carrier carrier-a'
    assert.equal(await said(`${device} --query accepted`), 'true\n')
    await said(
      'sms send-generated login_codes --destination 819012345678 --sender Acme'.replace(
        '_',
        '\u0000',
      ),
    )
    assert.match(await said('sms outbox-list'), /819012345678/)
    await said('snapshot load before')
    assert.doesNotMatch(await said('sms outbox-list'), /819012345678/)
  })

  test('takes snapshots out and in as files, and the world', async (t) => {
    const folder = temporaryFolder(t)
    await said('snapshot save --name one')
    await said(`snapshot export one --save-as ${folder}/one.jsonl`)
    await said(`snapshot import two --file ${folder}/one.jsonl`)
    assert.match(await said('snapshot list'), /two/)
    await said(`export --save-as ${folder}/world.json`)
    assert.equal(JSON.parse(readFileSync(join(folder, 'world.json'), 'utf8')).version, 1)
    writeFileSync(
      join(folder, 'more.yaml'),
      'version: 1\naccounts:\n  - { code: acme, name: Acme }\n',
    )
    await said(`apply ${folder}/more.yaml`)
    assert.match(await said('account list'), /acme/)
    const broken = await kumoi('apply -', { input: 'version: 1\nnothing: []\n' })
    assert.equal(broken.code, 3)
    assert.match(broken.stderr, /standard input:2: nothing is not known here/)
    const wrong = join(folder, 'wrong one.yaml')
    writeFileSync(wrong, '# first\r\nversion: 1\r\nsims:\r\n  - { account: nobody }\r\n')
    const named = await run(['apply', wrong], { env: { KUMOI_DATA: data } })
    assert.ok(named.stderr.includes(`${wrong}:4: sims[0]`), named.stderr)
    await said('reset')
    assert.match(await said('sim list'), /meter-1/)
  })

  test('follows what is asked, as it happens', async () => {
    const tail = run(['tail', '--count', '1', '--operation', 'simStatus'], {
      env: { KUMOI_DATA: data },
    })
    const asked = { isDone: false }
    void tail.then(() => {
      asked.isDone = true
    })
    // It is heard only when it listens; until then it is asked again.
    while (!asked.isDone) await said('sim status meter-1')
    const { code, stdout } = await tail
    assert.equal(code, 0)
    assert.match(stdout, /^\d\d:\d\d:\d\d\.\d{3} 200 +[\d.]+ms demo +simStatus +GET \/cloud.*\n$/)
  })

  test('examines itself, and says what to do', async () => {
    const healthy = await kumoi('doctor')
    assert.equal(healthy.code, 0, healthy.stdout)
    assert.doesNotMatch(healthy.stdout, /^wrong/m)
    assert.match(
      healthy.stdout,
      /^ok {5}clock +scaled by 1 at .* ours; it stays so over a restart/m,
    )
    assert.match(healthy.stdout, /^ok {5}mail +there is no mail server: .* none is sent$/m)
    assert.match(healthy.stdout, /^ok {5}network +there is no network element/m)
    const unsent = await kumoi('doctor --send-mail owner@example.jp')
    assert.equal(unsent.code, 1)
    assert.match(unsent.stdout, /^wrong {2}test mail +.*There is no mail server/m)
    const ill = await kumoi('doctor --token nobody --secret x')
    assert.equal(ill.code, 1)
    assert.match(ill.stdout, /^wrong {2}key .*401 unauthorized/m)
    const lost = await kumoi('doctor --data /nowhere')
    assert.equal(lost.code, 1)
    assert.match(lost.stdout, /Start one with npm start/)
  })

  test('declares a network element without showing its secret, and examines it', async () => {
    const body = {
      address: '192.0.2.10',
      secret: 'shared-s3cret',
      carriers: { 44010: 'carrier-a' },
    }
    const put = await kumoi('network-element put pgw-1 --body -', { input: JSON.stringify(body) })
    assert.equal(put.code, 0, put.stderr)
    const list = await said('network-element list')
    assert.match(list, /^pgw-1 +192\.0\.2\.10/m)
    assert.ok(![put.stdout, list].some((text) => text.includes('shared-s3cret')))
    assert.match(await said('element-request list'), /^None\.$/m)
    const doctor = await kumoi('doctor')
    assert.match(
      doctor.stdout,
      /^(ok {5}network +elements: 1, never heard of: 1|wrong {2}network .*is not installed)/m,
    )
    await said('network-element delete pgw-1 --yes')
    assert.match(await said('network-element list'), /^None\.$/m)
  })

  test('prints variables that a shell can evaluate', async () => {
    const lines = await said('env')
    const ran = await run(['exec', '--', 'sh', '-c', `${lines} echo "$KUMOI_URL"`])
    assert.equal(ran.stdout, `${server.origin}/cloud\n`)
  })
})

describe('kumoi exec', () => {
  test('runs a command beside a server of its own, and passes on how it ended', async () => {
    const script = `"${process.execPath}" "${KUMOI}" sim list --query Total && "${process.execPath}" "${KUMOI}" clock read --query mode; exit 7`
    const { code, stdout, stderr } = await run([
      'exec',
      '--clock',
      'frozen',
      '--',
      'sh',
      '-c',
      script,
    ])
    assert.deepEqual([code, stdout], [7, '60\nfrozen\n'], stderr)
  })

  // Several at once, since a signal comes too early only while a process has to wait for its turn.
  test('ends with the command when it is interrupted, and says so as shells do', async () => {
    const interrupted = await Promise.all(
      Array.from({ length: 4 }, () => {
        const child = launch(['exec', '--', 'sh', '-c', 'echo up; exec sleep 60'])
        child.stdout?.once('data', () => child.kill('SIGTERM'))
        return new Promise((resolve) => child.once('close', resolve))
      }),
    )
    assert.deepEqual(interrupted, [143, 143, 143, 143])
  })

  test('leaves no server behind when it is interrupted early', async () => {
    for (const milliseconds of [150, 300, 450, 600]) {
      const child = launch(['exec', '--', 'sleep', '60'])
      setTimeout(() => child.kill('SIGTERM'), milliseconds)
      // A server that was left behind would keep its side of the pipe open, and this would never come.
      const { code, stdout, stderr } = await endOf(child)
      // Before it hears signals it ends by this one, as any program does.
      assert.equal(code ?? child.signalCode, code === null ? 'SIGTERM' : 143, `${milliseconds} ms`)
      assert.equal(stdout + stderr, '', `${milliseconds} ms`)
    }
  })

  test('says what is missing', async () => {
    const none = await run(['exec'])
    assert.deepEqual([none.code, none.stdout], [2, ''])
    const unknown = await run(['exec', '--', 'no-such-command'])
    assert.equal(unknown.code, 127)
    assert.match(unknown.stderr, /no-such-command cannot be run/)
    assert.equal((await run(['exec', '--nothing', '--', 'true'])).code, 1)
  })
})

/** NUL stands for a space within a word, which no line here has otherwise. */
function wordsOf(line: string): string[] {
  return line.split(' ').map((word) => word.replaceAll('\u0000', ' '))
}
