/** Quotas: how many things an account may have, which the operator limits and lifts again. */
import {
  type Body,
  type Command,
  type Context,
  call,
  type Expected,
  type Maker,
  maker,
  operatorCall,
  someCaller,
} from '../command.ts'
import { type Model, QUOTAS, type Quota } from '../state.ts'

/**
 * Compared when a thing is created: after the form of the request and what it names, before what it would conflict
 * with. A limit that is lowered takes nothing away.
 */
export function isFull(model: Model, account: string, quota: Quota): boolean {
  const limit = model.accounts.get(account)?.limits.get(quota)
  return limit !== undefined && used(model, account, quota) >= limit
}

const used = (model: Model, account: string, quota: Quota): number =>
  [...model[quota].values()].filter((one) => one.account === account).length

const code = ({ choices }: Context) => choices.pick(['acme', 'acme', 'acme', 'other', 'none'])

/** Lifted more often than set, so that most creations succeed. */
function update(context: Context): Command {
  const { choices } = context
  const account = code(context)
  const limits: Partial<Record<Quota, number | null>> = choices.oneIn(3)
    ? { [choices.pick(QUOTAS)]: choices.pick([0, 1, 3, -1]) }
    : Object.fromEntries(QUOTAS.map((quota) => [quota, null]))
  return operatorCall({
    ...{ name: 'quotaUpdate', method: 'PUT', path: `/accounts/${account}/quotas`, body: limits },
    play(model) {
      if (Object.values(limits).includes(-1)) return { status: 400 }
      const found = model.accounts.get(account)
      if (found === undefined) return { status: 404 }
      for (const quota of QUOTAS) {
        const limit = limits[quota]
        if (limit === null) found.limits.delete(quota)
        else if (limit !== undefined) found.limits.set(quota, limit)
      }
      return shown(model, account)
    },
  })
}

function list(context: Context): Command {
  const account = code(context)
  return operatorCall({
    ...{ name: 'quotaList', method: 'GET', path: `/accounts/${account}/quotas` },
    play: (model) => (model.accounts.has(account) ? shown(model, account) : { status: 404 }),
  })
}

function shown(model: Model, account: string): Expected {
  const isRight = (quotas: Body[]) =>
    expected(model, account).every(({ quota, limit, use }) =>
      quotas.some((one) => one.name === quota && one.limit === limit && one.used === use),
    )
  return { status: 200, shows: { quotas: isRight } }
}

const expected = (model: Model, account: string) =>
  QUOTAS.map((quota) => ({
    quota,
    limit: model.accounts.get(account)?.limits.get(quota) ?? null,
    use: used(model, account, quota),
  }))

function own(context: Context): Command {
  return call({
    ...{ name: 'ownQuotaList', method: 'GET', path: '/is1a/api/cloud/1.1/quota', level: 'view' },
    caller: someCaller(context),
    play(model, account) {
      const isRight = (quotas: Body[]) =>
        expected(model, account).every(({ quota, limit, use }) =>
          quotas.some((one) => one.Name === quota && one.Limit === limit && one.Used === use),
        )
      return { status: 200, shows: { Quotas: isRight } }
    },
  })
}

export const quotaMakers: readonly Maker[] = [maker(5, update), maker(1, list), maker(2, own)]
