/** Certificates to upload, made by OpenSSL. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Pair {
  readonly certificate: string
  readonly key: string
}

/** Self-signed, or signed by `issuer`. `extensions` as OpenSSL writes them. */
export function makePair(subject: string, extensions = '', issuer?: Pair, days = 365): Pair {
  const folder = mkdtempSync(join(tmpdir(), 'kumoi-console-certificate-'))
  const run = (command: string) =>
    execFileSync('openssl', command.split(' '), { cwd: folder, stdio: 'pipe' })
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  try {
    writeFileSync(join(folder, 'extensions'), extensions)
    run('ecparam -genkey -name prime256v1 -noout -out key')
    run(`req -new -utf8 -key key -subj ${subject} -out request`)
    writeFileSync(join(folder, 'ca'), issuer?.certificate ?? '')
    writeFileSync(join(folder, 'cakey'), issuer?.key ?? '')
    const signer = issuer === undefined ? '-signkey key' : '-CA ca -CAkey cakey -CAcreateserial'
    run(`x509 -req -in request ${signer} -days ${days} -extfile extensions -out certificate`)
    return { certificate: read('certificate'), key: read('key') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
