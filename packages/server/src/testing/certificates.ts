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

export interface CertificateOptions {
  readonly kind?: keyof typeof KEYS
  readonly subject?: string
  readonly names?: readonly string[]
  readonly issuer?: TestCertificate
  readonly isCa?: boolean
  readonly days?: number
}

export function makeCertificate(options: CertificateOptions = {}): TestCertificate {
  const { kind = 'ec', subject = '/CN=www.example.jp', issuer, days = 3650 } = options
  const folder = mkdtempSync(join(tmpdir(), 'kumoi-openssl-'))
  const run = (command: string, more: readonly string[] = []) =>
    execFileSync('openssl', [...command.split(' '), ...more], { cwd: folder, stdio: 'pipe' })
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  try {
    writeFileSync(join(folder, 'ext'), extensions(options))
    run('req -new -nodes -utf8 -keyout key -out request', [...KEYS[kind], '-subj', subject])
    if (issuer !== undefined) {
      writeFileSync(join(folder, 'ca'), issuer.certificate)
      writeFileSync(join(folder, 'cakey'), issuer.key)
    }
    const signer = issuer === undefined ? '-signkey key' : '-CA ca -CAkey cakey -CAcreateserial'
    run(
      `x509 -req -in request ${signer} -days ${days} -extfile ext -extensions ext -out certificate`,
    )
    return { certificate: read('certificate'), key: read('key') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function extensions({ names = ['www.example.jp'], isCa = false }: CertificateOptions): string {
  const alternative = names.map((name) => `DNS:${name}`).join(',')
  return [
    '[ext]',
    `basicConstraints=critical,CA:${isCa ? 'TRUE' : 'FALSE'}`,
    ...(alternative === '' ? [] : [`subjectAltName=${alternative}`]),
  ].join('\n')
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
