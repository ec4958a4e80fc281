/** Whether a chain and a key can serve a site. Each refusal says which of them is wrong, and why. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { BadRequest } from '../../kernel/errors.ts'
import { splitPem } from '../../kernel/x509/pem.ts'

export const CHAIN_LENGTH_MAX = 10

/** Leaf first, each signed by the next. */
export function parseChain(pem: string): X509Certificate[] {
  const { blocks, rest } = splitPem(pem)
  if (blocks.length === 0 || rest.includes('-----')) {
    throw refused('is not a chain of PEM certificates', 'がPEM形式の証明書チェーンではありません')
  }
  if (blocks.length > CHAIN_LENGTH_MAX) {
    throw refused(
      `has more than ${CHAIN_LENGTH_MAX} certificates`,
      `の証明書は ${CHAIN_LENGTH_MAX} 枚までです`,
    )
  }
  const chain = blocks.map((block, index) => parseOne(block, index))
  for (const [index, certificate] of chain.entries()) {
    const issuer = chain[index + 1]
    if (issuer !== undefined && !isIssuedBy(certificate, issuer)) {
      throw refused(
        `is out of order: certificate ${index + 1} is not signed by certificate ${index + 2}`,
        `の順序が不正です: ${index + 1} 枚目が ${index + 2} 枚目で署名されていません`,
      )
    }
  }
  return chain
}

function parseOne(block: string, index: number): X509Certificate {
  try {
    return new X509Certificate(block)
  } catch {
    throw refused(
      `cannot be read at certificate ${index + 1}`,
      `の ${index + 1} 枚目の証明書を読み取れません`,
    )
  }
}

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
}

/** RSA, EC or Ed25519, and the one that the leaf was made for. */
export function checkKey(pem: string, leaf: X509Certificate): void {
  let key: KeyObject
  try {
    key = createPrivateKey(pem)
  } catch {
    throw new BadRequest(
      'Certificate.Key is not an unencrypted PEM private key.',
      'Certificate.Key が暗号化されていないPEM秘密鍵ではありません。',
    )
  }
  if (!['rsa', 'ec', 'ed25519'].includes(key.asymmetricKeyType ?? '')) {
    throw new BadRequest(
      'Certificate.Key must be an RSA, EC or Ed25519 key.',
      'Certificate.Key の種類に対応していません。',
    )
  }
  if (!leaf.checkPrivateKey(key)) {
    throw new BadRequest(
      'Certificate.Key does not fit the first certificate of the chain.',
      'Certificate.Key がチェーン先頭の証明書と一致しません。',
    )
  }
}

/** What a careful operator asks besides (policy strict): docs/webaccel.md. */
export function checkStrictly(chain: readonly X509Certificate[], domain: string, now: Date): void {
  const [leaf] = chain
  if (leaf === undefined) return
  // The common name counts for nothing: clients look at the alternative names alone (RFC 9525).
  if (leaf.checkHost(domain, { subject: 'never' }) === undefined) {
    throw refused(`does not cover the domain ${domain}`, `がドメイン ${domain} を含みません`)
  }
  if (leaf.validToDate <= now || leaf.validFromDate > now) {
    throw refused('is not valid today', 'が現在有効ではありません')
  }
  if (isIssuedBy(leaf, leaf)) throw refused('is self-signed', 'が自己署名です')
}

function refused(en: string, ja: string): BadRequest {
  return new BadRequest(
    `Certificate.CertificateChain ${en}.`,
    `Certificate.CertificateChain ${ja}。`,
  )
}
