/** Certificates for tests, made and read by OpenSSL: another program than the one under test. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface TestCertificate {
  readonly certificate: string
  readonly key: string
}

const KEYS = {
  rsa: ['-newkey', 'rsa:2048'],
  ec: ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'],
  ed25519: ['-newkey', 'ed25519'],
} as const

export interface CertificateWish {
  readonly kind?: keyof typeof KEYS
  readonly subject?: string
  readonly names?: readonly string[]
  readonly issuer?: TestCertificate
  readonly isCa?: boolean
  readonly days?: number
}

export function makeCertificate(wish: CertificateWish = {}): TestCertificate {
  const {
    kind = 'ec',
    subject = '/CN=www.example.jp',
    names = ['www.example.jp'],
    issuer,
    isCa = false,
    days = 3650,
  } = wish
  const folder = mkdtempSync(join(tmpdir(), 'kumoi-openssl-'))
  const file = (name: string) => join(folder, name)
  const run = (args: readonly string[]) =>
    execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  try {
    const alternative =
      names.length === 0 ? [] : [`subjectAltName=${names.map((name) => `DNS:${name}`).join(',')}`]
    writeFileSync(
      file('ext'),
      ['[ext]', `basicConstraints=critical,CA:${isCa ? 'TRUE' : 'FALSE'}`, ...alternative].join(
        '\n',
      ),
    )
    run([
      'req',
      '-new',
      ...KEYS[kind],
      '-nodes',
      '-utf8',
      '-keyout',
      file('key'),
      '-out',
      file('request'),
      '-subj',
      subject,
    ])
    if (issuer !== undefined) {
      writeFileSync(file('ca'), issuer.certificate)
      writeFileSync(file('cakey'), issuer.key)
    }
    const signer =
      issuer === undefined
        ? ['-signkey', file('key')]
        : ['-CA', file('ca'), '-CAkey', file('cakey'), '-CAcreateserial']
    run([
      'x509',
      '-req',
      '-in',
      file('request'),
      ...signer,
      '-days',
      String(days),
      '-extfile',
      file('ext'),
      '-extensions',
      'ext',
      '-out',
      file('certificate'),
    ])
    return {
      certificate: readFileSync(file('certificate'), 'utf8'),
      key: readFileSync(file('key'), 'utf8'),
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** What OpenSSL itself reads in the first certificate of a chain. */
export function opensslReads(chain: string): Record<string, string> {
  const text = execFileSync(
    'openssl',
    [
      'x509',
      '-noout',
      '-serial',
      '-fingerprint',
      '-sha256',
      '-startdate',
      '-enddate',
      '-subject',
      '-issuer',
      '-nameopt',
      'sep_multiline,utf8,sname',
    ],
    { input: chain, encoding: 'utf8' },
  )
  const fields: Record<string, string> = {}
  let name = ''
  for (const line of text.split('\n')) {
    const indented = /^ +(\w+)=(.*)$/.exec(line)
    const plain = /^([\w ]+?) ?=(.*)$/.exec(line)
    if (indented) fields[`${name}.${indented[1]}`] = indented[2] ?? ''
    else if (plain) {
      name = plain[1] ?? ''
      fields[name] = plain[2] ?? ''
    }
  }
  return fields
}
