/**
 * What is kept of a secret: never the secret, only hashes from which a sent one can be recognised.
 * Digest needs its own, made with the realm (RFC 7616, HA1).
 */
import { createHash } from 'node:crypto'
import { REALM } from '../../kernel/caller.ts'
import { isSameSecret } from '../../kernel/constant-time.ts'

export interface Verifier {
  readonly sha256: string
  readonly ha1Md5: string
  readonly ha1Sha256: string
}

export function makeVerifier(token: string, secret: string): Verifier {
  const a1 = `${token}:${REALM}:${secret}`
  return {
    sha256: hash('sha256', secret),
    ha1Md5: hash('md5', a1),
    ha1Sha256: hash('sha256', a1),
  }
}

export function fits(verifier: Verifier, secret: string): boolean {
  return isSameSecret(hash('sha256', secret), verifier.sha256)
}

function hash(algorithm: 'sha256' | 'md5', text: string): string {
  return createHash(algorithm).update(text).digest('hex')
}
