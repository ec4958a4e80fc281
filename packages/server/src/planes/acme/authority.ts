/** An authority that issues certificates by ACME (RFC 8555), through the library `acme-client`. */
import { generateKeyPairSync } from 'node:crypto'
import { Agent } from 'node:https'
import * as acme from 'acme-client'
import type { Authority } from '../../services/certificates/public.ts'

const TIMEOUT_MS = 30_000
/** Between two questions about an order that is not ready; twice as long each time. */
const FIRST_WAIT_MS = 500
const LAST_WAIT_MS = 15_000
const ATTEMPTS = 10

export function openAuthority(settings: {
  readonly directory: string
  readonly email: string | undefined
  /** CAs that the directory's own certificate may be from; undefined: the usual ones. */
  readonly ca: string | undefined
}): Authority {
  const { directory, email, ca } = settings
  const { defaults, interceptors } = acme.axios
  defaults.timeout = TIMEOUT_MS
  if (ca !== undefined) defaults.httpsAgent = new Agent({ ca })
  // They retry, which is for the job to do, and hide why a connection has failed.
  interceptors.request.clear()
  interceptors.response.clear()
  return {
    directory,
    newAccountKey: newKey,
    async order(domains, accountKey, challenges) {
      const client = new acme.Client({
        ...{ directoryUrl: directory, accountKey, backoffAttempts: ATTEMPTS },
        ...{ backoffMin: FIRST_WAIT_MS, backoffMax: LAST_WAIT_MS },
      })
      // Without it the library would update an account that is there with nothing, which some authorities refuse.
      await client.createAccount({ onlyReturnExisting: true }).catch(() => undefined)
      const key = newKey()
      const [, csr] = await acme.crypto.createCsr({ altNames: [...domains] }, key)
      const chain = await client.auto({
        ...{ csr, termsOfServiceAgreed: true, challengePriority: ['http-01'] },
        ...(email === undefined ? {} : { email }),
        // Whether the name leads here is for the authority to see.
        skipChallengeVerification: true,
        challengeCreateFn: (_authorization, challenge, answer) =>
          challenges.put(challenge.token, answer),
        challengeRemoveFn: (_authorization, challenge) => challenges.delete(challenge.token),
      })
      return { chain, key }
    },
  }
}

function newKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}
