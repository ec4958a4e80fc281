import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { getCACertificates, rootCertificates } from 'node:tls'
import { readAddresses } from './addresses.ts'
import { environmentLines, FORMATS, profileVariables } from './environment.ts'

const folder = mkdtempSync(join(tmpdir(), 'kumoi some where-'))
after(() => rmSync(folder, { recursive: true }))
const caFile = join(folder, 'ca.pem')
const [oneRoot = '', otherRoot = ''] = rootCertificates
writeFileSync(caFile, oneRoot)

const addresses = {
  pid: process.pid,
  api: "https://localhost:8443/it's; echo $HOME",
  operator: 'https://localhost:8443/_kumoi/v1',
  plain: null,
  caFile,
  key: { token: 't', secret: 's' },
}

describe('environmentLines', () => {
  test('can be evaluated by a shell, whatever is in the values', () => {
    const script = `${environmentLines(addresses)}printf '%s|%s' "$CLOUD_API_ROOT_URL" "$KUMOI_CA_FILE"`
    const printed = execFileSync('sh', ['-c', script], { encoding: 'utf8' })
    assert.equal(printed, `https://localhost:8443/it's; echo $HOME/zone|${caFile}`)
  })

  test('leaves out what is not known', () => {
    const lines = environmentLines({ ...addresses, caFile: null, key: null })
    assert.ok(!lines.includes('TOKEN') && !lines.includes('CERT'))
  })
})

describe('the certificates to trust', () => {
  const fingerprint = (pem: string) => new X509Certificate(pem).fingerprint256
  const fingerprintsIn = (file: string) => {
    const certificates = readFileSync(file, 'utf8').match(/-----BEGIN.+?-----END.*?-----/gs) ?? []
    return new Set(certificates.map(fingerprint).sort())
  }
  const printed = (environment: NodeJS.ProcessEnv) => {
    const script = `import { trustVariables } from ${JSON.stringify(import.meta.resolve('./trust.ts'))}
      process.stdout.write(JSON.stringify(trustVariables(process.env.CA)))`
    const args = ['--input-type=module', '-e', script]
    const env = { ...process.env, CA: caFile, ...environment }
    return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', env }))
  }

  test('are those of the system and ours, so that other programs keep theirs', () => {
    const { KUMOI_CA_FILE, NODE_EXTRA_CA_CERTS, SSL_CERT_FILE } = printed({
      NODE_EXTRA_CA_CERTS: '',
    })
    assert.deepEqual([KUMOI_CA_FILE, NODE_EXTRA_CA_CERTS], [caFile, caFile])
    const trusted = fingerprintsIn(SSL_CERT_FILE)
    for (const root of [...getCACertificates('system'), oneRoot]) {
      assert.ok(trusted.has(fingerprint(root)))
    }
  })

  test('and those that NODE_EXTRA_CA_CERTS named before, again and again', () => {
    const theirs = join(folder, 'theirs.pem')
    writeFileSync(theirs, otherRoot)
    const first = printed({ NODE_EXTRA_CA_CERTS: theirs })
    assert.equal(first.NODE_EXTRA_CA_CERTS, first.SSL_CERT_FILE)
    const trusted = fingerprintsIn(first.SSL_CERT_FILE)
    assert.ok(trusted.has(fingerprint(otherRoot)) && trusted.has(fingerprint(oneRoot)))
    assert.deepEqual(printed(first), first)
    assert.deepEqual(fingerprintsIn(first.SSL_CERT_FILE), trusted)
  })
})

describe('profileVariables', () => {
  const name = readdirSync(new URL('../../server/profiles', import.meta.url))[0]?.slice(0, -5) ?? ''

  test('fills in the names that a profile lists, with the plain listener where there is one', () => {
    const plain = 'http://127.0.0.1:8080/cloud'
    const filled = Object.values(profileVariables(name, { ...addresses, plain }) ?? {})
    assert.ok(filled.includes(`${plain}/zone`) && filled.includes('t') && filled.includes('s'))
    assert.ok(filled.every((value) => !/[{}]/.test(value.replace('/zone/{zone}/', ''))))
    const variables = profileVariables(name, { ...addresses, plain }) ?? {}
    const listed = Object.entries(variables).filter(([variable]) => variable.endsWith('_ZONES'))
    assert.deepEqual(
      listed.map(([, value]) => value),
      ['tk1a,tk1b,is1a,is1b,is1c,tk1v'],
    )
    const endpoints = Object.entries(variables).filter(([variable]) => /_ENDPOINTS_/.test(variable))
    assert.deepEqual(
      endpoints.map(([variable, value]) => [variable.split('_').at(-1), value]),
      [
        ['IAAS', `${plain}/zone/{zone}/api/cloud/1.1`],
        ['IAM', `${plain}/api/iam/1.0`],
        ['WEBACCEL', `${plain}/zone/is1a/api/webaccel/1.0/`],
      ],
    )
    const secure = profileVariables(name, { ...addresses, api: 'https://localhost:8443/cloud' })
    assert.equal(secure?.SSL_CERT_FILE, join(folder, 'bundle.pem'))
    assert.ok(Object.values(secure ?? {}).includes('https://localhost:8443/cloud/zone'))
  })

  test('leaves out a key that is not known, and knows no profile that is not there', () => {
    const filled = profileVariables(name, { ...addresses, key: null }) ?? {}
    assert.ok(Object.keys(filled).every((variable) => !variable.includes('TOKEN')))
    assert.equal(profileVariables('nobody', addresses), undefined)
    assert.equal(profileVariables('../package', addresses), undefined)
  })
})

describe('the other forms', () => {
  test('are read back by the tools that they are for', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'kumoi-dotenv-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const values = { A: "it's $HOME #1", B: 'say "hi"', C: 'plain' }
    writeFileSync(join(folder, '.env'), FORMATS.dotenv?.(values) ?? '')
    const script =
      'process.stdout.write(JSON.stringify([process.env.A, process.env.B, process.env.C]))'
    const args = [`--env-file=${join(folder, '.env')}`, '-e', script]
    const printed = execFileSync(process.execPath, args, { encoding: 'utf8' })
    assert.deepEqual(JSON.parse(printed), Object.values(values))
    assert.deepEqual(JSON.parse(FORMATS.json?.(values) ?? ''), values)
  })
})

describe('readAddresses', () => {
  test('finds a running server, and none where the process is gone', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'kumoi-env-'))
    t.after(() => rmSync(folder, { recursive: true }))
    assert.equal(readAddresses(folder), undefined)
    writeFileSync(join(folder, 'server.json'), JSON.stringify(addresses))
    assert.deepEqual(readAddresses(folder), addresses)
    writeFileSync(join(folder, 'server.json'), JSON.stringify({ ...addresses, pid: 2 ** 30 }))
    assert.equal(readAddresses(folder), undefined)
  })
})
