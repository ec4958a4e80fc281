/** Certificates as an operator gives them: made by OpenSSL, in files. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Signed by itself: a test trusts it as its own CA. */
export function giveCertificate(folder: string, name = 'localhost') {
  mkdirSync(folder, { recursive: true })
  const [certFile, keyFile] = [join(folder, 'given.pem'), join(folder, 'given.key')]
  const key = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'
  const request = `req -x509 ${key} -days 10 -subj /CN=${name} -addext subjectAltName=DNS:${name}`
  const files = ['-keyout', keyFile, '-out', certFile]
  execFileSync('openssl', [...request.split(' '), ...files], { stdio: 'pipe' })
  return { certFile, keyFile, cert: readFileSync(certFile, 'utf8') }
}
