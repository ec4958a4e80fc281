/** SIMs as a kind of item: creating one claims a card, deleting it frees the card. */
import { BadRequest, Conflict, NotFound } from '../../kernel/errors.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import type { Words } from '../../kernel/words.ts'
import type { Context } from '../context.ts'
import type { ItemKind } from '../items/public.ts'
import { Meter } from '../metering/public.ts'
import { checkFailures, freeingTry, isPassCode, windowStart } from './card-rules.ts'
import { CardStore, FailureStore, type Found } from './card-store.ts'
import { GatewayCountStore } from './gateway-count-store.ts'
import type { Networks } from './networks.ts'
import { checkIccid, register, SIM_CLASS } from './rules.ts'
import { simSearchFields } from './search-fields.ts'
import { SessionStore } from './session-store.ts'
import { Sessions } from './sessions.ts'
import { SimStore } from './store.ts'
import { simToWire } from './wire.ts'

export function simKind(box: SecretBox, networks: Networks, words: Words): ItemKind {
  return {
    class: SIM_CLASS,
    quota: 'sims',
    provider: words.providers.sim,
    serviceClass: 'cloud/sim/1',
    nameLength: { min: 0, max: 255 },
    answersRemoval: false,
    searchFields: simSearchFields,

    async prepare(draft, context) {
      const { tx, caller, now } = context
      const iccid = checkIccid(draft.iccid)
      const found = await new CardStore(tx, box).find(iccid, freeingTry(caller.accountId, now))
      if (found === undefined) {
        throw new NotFound(
          `There is no SIM card with the ICCID ${iccid}.`,
          `ICCID ${iccid} の SIM カードは存在しません。`,
        )
      }
      if (!hasPassCode(found, draft.passCode, now)) await refuseCode(found, context)
      const { imsis } = found.card
      return {
        externalKey: iccid,
        async insert(id) {
          const sim = register({ id, accountId: caller.accountId, iccid, imsis }, now)
          if (await new SimStore(tx, caller.accountId).insert(sim)) return
          throw new Conflict(
            `The SIM ${iccid} is already registered.`,
            `SIM ${iccid} はすでに登録されています。`,
          )
        },
      }
    },

    async remove(item, { tx, caller, now }) {
      const sims = new SimStore(tx, caller.accountId)
      const sim = await sims.get(item.id)
      await new Sessions(tx, networks).end(sim, 'sim_deleted', now)
      if (sim.gatewayId !== undefined) {
        await new GatewayCountStore(tx, sim.gatewayId).decrease()
        await networks.left(tx, sim.id, sim.gatewayId)
      }
      await networks.deleted?.(tx, sim)
      await sims.delete(sim)
      await new Meter(tx).end(sim.id, now)
    },

    async statuses(items, { tx, caller }, detail) {
      const brief = items.map((item) => [item.id, { ICCID: item.externalKey }] as const)
      if (!detail.includes('Status.sim')) return new Map(brief)
      const ids = items.map(({ id }) => id)
      const sims = await new SimStore(tx, caller.accountId).listByIds(ids)
      const sessions = await new SessionStore(tx).listBySims(ids)
      const live = new Map(sessions.map((session) => [session.simId, session]))
      const details = sims.map((sim) => {
        const status = { ICCID: sim.iccid, sim: simToWire(sim, live.get(sim.id), undefined) }
        return [sim.id, status] as const
      })
      return new Map(details)
    },
  }
}

function hasPassCode({ card, failedAt }: Found, given: string | undefined, now: Date): boolean {
  // One that is missing is no guess, so it does not count as one.
  if (given === undefined) {
    throw new BadRequest(
      'CommonServiceItem.Remark.PassCode is missing.',
      'CommonServiceItem.Remark.PassCode がありません。',
    )
  }
  checkFailures(failedAt, now)
  return isPassCode(card, given)
}

/** A wrong one is counted though the request is refused, else guessing would cost nothing. */
async function refuseCode({ card }: Found, { tx, caller, now }: Context): Promise<never> {
  await new FailureStore(tx, caller.accountId).insert(card.iccid, now, windowStart(now))
  throw new BadRequest(
    'CommonServiceItem.Remark.PassCode is wrong.',
    'CommonServiceItem.Remark.PassCode が正しくありません。',
    { keepsWrites: true },
  )
}
