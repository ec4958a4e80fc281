import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { type Config, helpText, readConfig } from './config.ts'
import { variableOf } from './config-sources.ts'
import { SETTINGS } from './settings.ts'

const read = (args: string[] = [], environment: Record<string, string> = {}): Config => {
  const config = readConfig(args, environment)
  assert.ok(config !== 'help')
  return config
}

const file = (t: TestContext, content: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'kumoi-config-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'kumoi.yaml')
  writeFileSync(path, content)
  return path
}

describe('readConfig', () => {
  test('has the network token, or the file that holds it', () => {
    assert.equal(read().networkToken, undefined)
    assert.equal(read([], { KUMOI_NETWORK_TOKEN: 'a' }).networkToken, 'a')
    assert.deepEqual(read(['--network-token-file', 'f']).networkToken, { file: 'f' })
  })

  test('traces only with the address of a collector, and refuses what is none', () => {
    const traced = (OTEL_EXPORTER_OTLP_ENDPOINT: string) =>
      read([], { OTEL_EXPORTER_OTLP_ENDPOINT }).isTraced
    assert.equal(read().isTraced, false)
    assert.equal(traced(''), false)
    assert.equal(traced('https://collector.example.jp:4318/a'), true)
    for (const bad of ['collector:4318', 'http://', 'x']) {
      assert.throws(() => traced(bad), /OTEL_EXPORTER_OTLP_ENDPOINT must be/, bad)
    }
  })

  test('runs with no settings at all', () => {
    const config = read()
    assert.deepEqual(
      [config.host, config.port, config.prefix, config.dataFolder, config.mode, config.clock],
      ['127.0.0.1', 8443, '/cloud', './data', 'dev', undefined],
    )
    assert.deepEqual(
      [config.httpPort, config.publicUrl, config.database, config.tls],
      [undefined, undefined, undefined, undefined],
    )
  })

  test('prefers flags to variables to the config file', (t) => {
    const path = file(t, 'port: 1\nhost: 10.0.0.1\nprefix: /file\nworld: [a.yaml, b.yaml]\n')
    const config = read(['--config', path, '--port', '3'], {
      KUMOI_PORT: '2',
      KUMOI_HOST: '10.0.0.2',
    })
    assert.deepEqual(
      [config.port, config.host, config.prefix, config.worlds],
      [3, '10.0.0.2', '/file', ['a.yaml', 'b.yaml']],
    )
    assert.equal(read([], { KUMOI_CONFIG: path }).port, 1)
  })

  test('passes over the variables that are for clients', () => {
    const config = read([], {
      KUMOI_URL: 'https://localhost:1/cloud',
      KUMOI_TOKEN: 't',
      KUMOI_CA_FILE: 'f',
    })
    assert.equal(config.port, 8443)
  })

  test('takes repeated flags and lists in variables', () => {
    assert.deepEqual(read(['--world', 'a', '--world', 'b']).worlds, ['a', 'b'])
    assert.deepEqual(read([], { KUMOI_TRUST_PROXY: '10.0.0.0/8,::1' }).trustProxy, [
      '10.0.0.0/8',
      '::1',
    ])
  })

  test('reads each form of the clock', () => {
    assert.deepEqual(read(['--clock', 'frozen@2026-04-01T00:00:00+09:00']).clock, {
      mode: 'frozen',
      at: new Date('2026-03-31T15:00:00Z'),
    })
    assert.deepEqual(read(['--clock', 'frozen']).clock, { mode: 'frozen', at: undefined })
    assert.deepEqual(read(['--clock', 'scale:60']).clock, { mode: 'scale', scale: 60 })
  })

  test('refuses what it does not know, and says who said it', (t) => {
    const cases: [string[], Record<string, string>, RegExp][] = [
      [['--nothing'], {}, /Unknown option '--nothing'.*See --help/],
      [['word'], {}, /Unexpected argument 'word'/],
      [[], { KUMOI_NOTHING: '1' }, /The variable KUMOI_NOTHING is not known/],
      [['--config', file(t, 'nothing: 1')], {}, /The setting nothing in .* is not known/],
      [['--config', file(t, '[1]')], {}, /must hold settings by name/],
      [['--config', '/nowhere.yaml'], {}, /The config file \/nowhere\.yaml cannot be read/],
      [['--port', 'x'], {}, /--port must be a port from 0 to 65535; it is "x"/],
      [['--port', '65536'], {}, /must be a port/],
      [[], { KUMOI_PORT: '-1' }, /KUMOI_PORT must be a port/],
      [['--port', '1', '--port', '2'], {}, /--port was given 2 times/],
      [['--prefix', 'cloud'], {}, /must be a path such as \/cloud/],
      [['--public-url', 'https://x/path'], {}, /must be an origin/],
      [['--trust-proxy', 'x'], {}, /must be an address or a network/],
      [['--database', 'mysql://x'], {}, /must be a postgres:\/\/ address/],
      [['--clock', 'frozen@yesterday'], {}, /must be real, frozen/],
      [['--clock', 'scale:0'], {}, /must be real, frozen/],
      [['--mode', 'test'], {}, /must be one of dev, operate/],
      [[], { KUMOI_MEMORY: 'yes' }, /KUMOI_MEMORY must be true or false/],
      [['--memory', '--data', 'x'], {}, /--memory and --data contradict/],
      [
        ['--network-token', 'a', '--network-token-file', 'b'],
        {},
        /--network-token and --network-token-file contradict/,
      ],
      [['--network-token', 'a b'], {}, /--network-token must have no spaces/],
      [['--memory', '--database', 'postgres://x/y'], {}, /--memory and --database contradict/],
      [['--tls-cert', 'x'], {}, /belong together/],
    ]
    for (const [args, environment, message] of cases) {
      assert.throws(() => readConfig(args, environment), message, args.join(' '))
    }
  })

  test('demands of mode operate that nothing is made up', () => {
    assert.throws(
      () => read(['--mode', 'operate']),
      /needs --tls-cert and --tls-key \(or --acme-domain\), --data or --database, --operator-token, --operator-port/,
    )
    const complete = [
      '--mode',
      'operate',
      '--tls-cert',
      'c',
      '--tls-key',
      'k',
      '--data',
      'd',
      '--operator-token',
      't',
      '--operator-port',
      '9443',
    ]
    assert.equal(read(complete).mode, 'operate')
    assert.throws(() => read([...complete, '--clock', 'frozen']), /has a real clock/)
    assert.throws(() => read([...complete, '--seed', '1']), /real random numbers/)
    assert.throws(() => read([...complete, '--database', 'postgres://x/y']), /needs --key-file/)
  })
})

describe('helpText', () => {
  test('names every setting', () => {
    assert.equal(readConfig(['--help'], {}), 'help')
    for (const name of Object.keys(SETTINGS)) assert.ok(helpText().includes(`--${name}`), name)
    assert.equal(variableOf('http-port'), 'KUMOI_HTTP_PORT')
  })
})

describe('--s3-…', () => {
  const all = {
    KUMOI_S3_ENDPOINT: 'https://s3.example.jp/',
    KUMOI_S3_BUCKET: 'b',
    KUMOI_S3_ACCESS_KEY: 'a',
    KUMOI_S3_SECRET_KEY: 's',
  }
  const s3Of = (variables: Record<string, string>) => {
    const config = readConfig([], variables)
    return config === 'help' ? undefined : config.s3
  }

  test('is off unless all that matters is given', () => {
    assert.equal(s3Of({}), undefined)
    assert.deepEqual(s3Of(all), {
      endpoint: 'https://s3.example.jp',
      bucket: 'b',
      region: 'us-east-1',
      accessKey: 'a',
      secretKey: 's',
    })
    for (const name of Object.keys(all)) {
      assert.throws(() => s3Of({ ...all, [name]: '' }), /belong together/, name)
    }
    assert.throws(() => s3Of({ ...all, KUMOI_S3_ENDPOINT: 's3.example.jp' }), /must be an address/)
  })
})

describe('--smtp-…', () => {
  const url = 'smtps://user:pass-word@mail.example.jp'
  const from = ['--mail-from', 'Kumoi <noreply@example.jp>']
  const server = { host: 'mail.example.jp', port: 465, isSmtps: true }
  const login = { user: 'user', password: 'pass-word' }

  test('is off unless server and sender are given, by a flag, a variable or a file', () => {
    assert.equal(read().mail, undefined)
    const mailbox = { name: 'Kumoi', address: 'noreply@example.jp' }
    const rest = { from: mailbox, caFile: undefined, tls: undefined }
    const expected = { server: { ...server, login }, ...rest }
    assert.deepEqual(read(['--smtp-url', url, ...from]).mail, expected)
    assert.deepEqual(read(from, { KUMOI_SMTP_URL: url }).mail, expected)
    const more = ['--smtp-tls', 'off', '--smtp-ca-file', 'ca.pem']
    assert.deepEqual(read(['--smtp-url-file', 'url.txt', ...from, ...more]).mail, {
      ...{ server: { file: 'url.txt' }, from: mailbox, caFile: 'ca.pem', tls: 'off' },
    })
  })

  test('is refused when it is broken or half given, without repeating the password', () => {
    const cases: [string[], RegExp][] = [
      [['--smtp-url', url], /--mail-from belong together/],
      [from, /--mail-from belong together/],
      [['--smtp-url', url, '--smtp-url-file', 'f', ...from], /contradict/],
      [['--smtp-tls', 'off'], /need --smtp-url/],
      [['--smtp-url', url, ...from, '--smtp-tls', 'maybe'], /must be required or off/],
      [['--smtp-url', url, '--mail-from', 'Kumoi'], /--mail-from must be a mail address/],
      [['--smtp-url', `${url}/path`, ...from], /--smtp-url must be an address such as .*jp\.$/],
    ]
    for (const [args, message] of cases) {
      assert.throws(
        () => read(args),
        (error: Error) => message.test(error.message) && !error.message.includes('pass-word'),
        args.join(' '),
      )
    }
  })
})

describe('--sms-…', () => {
  const url = ['--sms-url', 'http://10.0.0.5:13013/cgi-bin/sendsms']
  const user = ['--sms-user', 'kumoi', '--sms-password-file', 'p']
  const read = (args: readonly string[]) => {
    const config = readConfig(args, {})
    return config === 'help' ? undefined : config.sms
  }

  test('is the outbox, or a transport with all that it needs', () => {
    assert.equal(read([])?.transport, 'outbox')
    assert.deepEqual(read(['--sms-transport', 'kannel', ...url, ...user]), {
      ...{ transport: 'kannel', url: url[1], user: 'kumoi', passwordFile: 'p', secretFile: '' },
    })
    const http = read(['--sms-transport', 'http', ...url, '--sms-secret-file', 's'])
    assert.deepEqual([http?.transport, http?.secretFile], ['http', 's'])
  })

  test('refuses what is missing, what has no use, and an address that holds a secret', () => {
    const wrong: [string[], RegExp][] = [
      [['--sms-transport', 'smpp'], /must be one of outbox, kannel, http/],
      [['--sms-transport', 'kannel'], /kannel needs --sms-url/],
      [['--sms-transport', 'kannel', ...url], /kannel needs --sms-user/],
      [['--sms-transport', 'kannel', ...url, '--sms-user', 'a'], /needs --sms-password-file/],
      [['--sms-transport', 'http', ...url], /http needs --sms-secret-file/],
      [['--sms-transport', 'http', ...url, ...user], /http has no use for --sms-user/],
      [url, /outbox has no use for --sms-url/],
      [['--sms-url', 'ftp://x/'], /must be an http or https address/],
      [['--sms-url', 'http://u:p@x/'], /without user, password, query/],
      [['--sms-url', 'http://x/?password=p'], /without user, password, query/],
    ]
    for (const [args, message] of wrong) {
      assert.throws(() => readConfig(args, {}), message, args.join(' '))
    }
  })
})

describe('--acme-…', () => {
  const directory = ['--acme-directory', 'https://acme.example.jp/directory']
  const read = (args: readonly string[]) => {
    const config = readConfig(args, {})
    return config === 'help' ? undefined : config.acme
  }

  test('names who issues certificates, and for what', () => {
    assert.equal(read([]), undefined)
    const names = ['--acme-domain', 'cloud.example.jp', '--acme-domain', 'api.example.jp']
    assert.deepEqual(read([...directory, ...names, '--acme-http-port', '80']), {
      ...{ directory: directory[1], domains: ['cloud.example.jp', 'api.example.jp'] },
      ...{ email: undefined, caFile: undefined, httpPort: 80 },
    })
    assert.deepEqual(read([...directory, '--edge-port', '80'])?.domains, [])
  })

  for (const [args, wanted] of [
    [['--acme-domain', 'a.example.jp'], /--acme-domain needs --acme-directory, such as https:/],
    [['--acme-http-port', '80'], /--acme-http-port needs --acme-directory/],
    [directory, /needs --acme-http-port or --edge-port/],
    [['--acme-directory', 'http://acme.example.jp'], /must be an https address/],
    [[...directory, '--acme-domain', 'A b'], /must be a host name/],
    [[...directory, '--edge-port', '80', '--clock', 'frozen'], /needs a real clock/],
    [
      [
        ...[...directory, '--acme-domain', 'a.example.jp', '--acme-http-port', '80'],
        ...['--tls-cert', 'c', '--tls-key', 'k'],
      ],
      /--acme-domain and --tls-cert contradict/,
    ],
  ] as const) {
    test(`is refused: ${args.join(' ')}`, () => {
      assert.throws(() => readConfig(args, {}), wanted)
    })
  }

  test('takes the place of files in mode operate', () => {
    const operate = ['--mode', 'operate', '--data', 'd', '--operator-token', 't']
    const rest = ['--operator-port', '0', '--acme-http-port', '80', ...directory]
    assert.ok(readConfig([...operate, ...rest, '--acme-domain', 'a.example.jp'], {}))
    assert.throws(() => readConfig([...operate, ...rest], {}), /or --acme-domain/)
  })
})
