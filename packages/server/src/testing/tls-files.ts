/** A certificate and its key in files, as an operator gives them. */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DAY_MS } from '../kernel/units.ts'
import { issueCertificate } from '../kernel/x509/certificate.ts'

/** Signed by itself; a test trusts it as its own CA. */
export function makeTls(names: readonly string[] = ['localhost'], days = 10) {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const now = Date.now()
  const cert = issueCertificate({
    subject: 'kumoi.example',
    publicKey: keys.publicKey,
    issuer: { name: 'Some CA', key: keys.privateKey, publicKey: keys.publicKey },
    serialNumber: randomBytes(8),
    notBefore: new Date(now - 30 * DAY_MS),
    notAfter: new Date(now + days * DAY_MS),
    isCa: false,
    names,
  })
  const key = keys.privateKey.export({ type: 'sec1', format: 'pem' }).toString()
  return { cert, key, privateKey: keys.privateKey }
}

export function giveCertificate(folder: string, made = makeTls()) {
  const [certFile, keyFile] = [join(folder, 'given.pem'), join(folder, 'given.key')]
  mkdirSync(folder, { recursive: true })
  writeFileSync(certFile, made.cert)
  writeFileSync(keyFile, made.key)
  return { certFile, keyFile, ...made }
}
