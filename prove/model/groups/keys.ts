/** Accounts and keys, which the operator has; and who a key belongs to. */
import {
  type Command,
  type Context,
  call,
  type Maker,
  maker,
  operatorCall,
  someCaller,
} from '../command.ts'
import { HOUR_MS, LEVELS, type Model, newAccount, START, utc } from '../state.ts'

const code = ({ choices }: Context) => choices.pick(['acme', 'other', 'none'])
const key = ({ choices }: Context) => `key:${choices.below(2)}`
const tokenOf = ({ slots }: Context, slot: string) => slots.get(slot).split(' ')[0] ?? ''
const missing = { status: 404 }

function create(context: Context): Command {
  const { choices, slots } = context
  const [account, slot, level] = [code(context), key(context), choices.pick(LEVELS)]
  const external = choices.pick([[], ['bill'], ['bill', 'cdn']])
  const hours = choices.pick([0, 0, 2, 50])
  const expiresAt = hours === 0 ? undefined : START + hours * HOUR_MS
  return operatorCall({
    name: 'keyCreate',
    method: 'POST',
    path: `/accounts/${account}/keys`,
    body: { permission: level, external, ...(expiresAt && { expires_at: utc(expiresAt) }) },
    play(model) {
      if (!model.accounts.has(account)) return missing
      return {
        status: 201,
        shows: { key: { permission: level, external } },
        learn({ key, secret }) {
          model.keys.set(key.token, { account, secret, level, external, expiresAt })
        },
      }
    },
    keep: (body) => slots.set(slot, `${body.key.token} ${body.secret}`),
  })
}

function rotate(context: Context): Command {
  const { slots } = context
  const slot = key(context)
  const token = tokenOf(context, slot)
  const account = code(context)
  return operatorCall({
    name: 'keyRotate',
    method: 'POST',
    path: `/accounts/${account}/keys/${token}/rotate`,
    play(model) {
      const found = model.keys.get(token)
      if (found?.account !== account) return missing
      return {
        status: 200,
        shows: { key: { token } },
        learn: ({ secret }) => void model.keys.set(token, { ...found, secret }),
      }
    },
    keep: (body) => slots.set(slot, `${body.key.token} ${body.secret}`),
  })
}

function revoke(context: Context): Command {
  const token = tokenOf(context, key(context))
  const account = code(context)
  return operatorCall({
    name: 'keyRevoke',
    method: 'DELETE',
    path: `/accounts/${account}/keys/${token}`,
    play(model) {
      if (model.keys.get(token)?.account !== account) return missing
      model.keys.delete(token)
      return { status: 200 }
    },
  })
}

function createAccount({ choices, step }: Context): Command {
  const code = choices.pick(['acme', `shop-${step}`])
  const name = `Shop ${step}`
  return operatorCall({
    name: 'accountCreate',
    method: 'POST',
    path: '/accounts',
    body: { code, name },
    play(model) {
      if (model.accounts.has(code)) return { status: 409 }
      model.accounts.set(code, newAccount(name))
      return { status: 201, shows: { account: { code, name } } }
    },
  })
}

function rename(context: Context): Command {
  const account = code(context)
  const name = `Name ${context.step}`
  return operatorCall({
    name: 'accountUpdate',
    method: 'PUT',
    path: `/accounts/${account}`,
    body: { name },
    play(model) {
      const found = model.accounts.get(account)
      if (found === undefined) return missing
      found.name = name
      return { status: 200, shows: { account: { code: account, name } } }
    },
  })
}

function authStatus(context: Context): Command {
  return call({
    name: 'authStatus',
    ...{ method: 'GET', path: '/is1b/api/cloud/1.1/auth-status', level: 'view' },
    caller: someCaller(context),
    play: (model, Code) => ({
      status: 200,
      shows: { Account: { Code, Name: model.accounts.get(Code)?.name } },
    }),
  })
}

export const keyMakers: readonly Maker[] = [
  maker(2, create),
  maker(1, rotate),
  maker(1, revoke),
  maker(1, createAccount),
  maker(1, rename),
  maker(3, authStatus),
]

export function readAccounts(): Command[] {
  const keys = (account: string) =>
    operatorCall({
      name: 'keyList',
      method: 'GET',
      path: `/accounts/${account}/keys`,
      play: (model: Model) => ({
        status: 200,
        shows: {
          keys: (shown: { token: string; permission: string }[]) =>
            [...model.keys].filter(([, one]) => one.account === account).length === shown.length &&
            shown.every(({ token, permission }) => model.keys.get(token)?.level === permission),
        },
      }),
    })
  return [
    operatorCall({
      name: 'accountList',
      method: 'GET',
      path: '/accounts',
      play: (model) => ({
        status: 200,
        shows: {
          accounts: (shown: { code: string; name: string }[]) =>
            shown.length === model.accounts.size &&
            shown.every(({ code, name }) => model.accounts.get(code)?.name === name),
        },
      }),
    }),
    keys('acme'),
    keys('other'),
  ]
}
