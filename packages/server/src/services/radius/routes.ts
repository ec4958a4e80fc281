import { isSameSecret } from '../../kernel/constant-time.ts'
import type { Handlers } from '../../kernel/contract.ts'
import { Forbidden } from '../../kernel/errors.ts'
import { RawAnswer } from '../../kernel/raw-answer.ts'
import type { Identify, TokenContext } from '../context.ts'
import { type Accounting, elementOf, INTERIM_SECONDS, unknownElement } from '../sim/public.ts'
import { Attributes } from './attributes.ts'
import { authorize, type Parts } from './authorize.ts'
import type { radiusContract } from './contract.ts'
import { elementKeyOf, entryOf, questionOf } from './packet.ts'
import { statusType } from './rules.ts'
import { acceptToWire, rejectToWire } from './wire.ts'

const JSON_MEDIA = 'application/json'
const DONE = new RawAnswer(204, 'text/plain', {}, '')

/** The token of the network, not the operator's: it is on the machine of the RADIUS server. */
export function identifyNetwork(token: string): Identify<undefined> {
  return async ({ bearer }) => {
    if (bearer !== undefined && isSameSecret(bearer, token)) return undefined
    throw new Forbidden(
      'The network token is missing or wrong.',
      'ネットワークトークンがないか、正しくありません。',
    )
  }
}

export function radiusHandlers(
  accounting: Accounting,
  parts: Parts,
): Handlers<typeof radiusContract, TokenContext<undefined>> {
  return {
    async radiusAuthorize({ body }, { database, now }) {
      const question = questionOf(Attributes.read(body))
      const { admission, settings } = await database.write((tx) =>
        authorize(tx, parts, question, now),
      )
      if (admission.accepted) return acceptToWire(admission.session, settings, INTERIM_SECONDS)
      const reason = JSON.stringify(rejectToWire(admission.reason))
      return new RawAnswer(401, JSON_MEDIA, {}, reason)
    },

    async radiusAccounting({ body }, { database, now }) {
      const attributes = Attributes.read(body)
      const status = statusType(attributes.text('Acct-Status-Type'))
      if (status !== undefined) {
        await accounting.submit(entryOf(attributes, status, now))
        return DONE
      }
      const key = elementKeyOf(attributes)
      const known = await database.read((tx) => parts.elements.find(tx, [key]))
      if (elementOf(known, key) === undefined) throw unknownElement()
      return DONE
    },
  }
}
