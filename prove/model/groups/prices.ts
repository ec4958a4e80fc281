/** The price lists, which nothing changes here: the public one, and that of all accounts. */
import {
  type Body,
  type Command,
  type Context,
  call,
  type Expected,
  type Maker,
  maker,
  someCaller,
} from '../command.ts'
import type { Model } from '../state.ts'

const PATH = '/is1a/api/cloud/1.1/public/price.json'

/** What was shown first is shown ever after; what is not public only to accounts. */
function shown({ prices }: Model, reader: 'public' | 'account'): Expected {
  const isSame = (list: Body[]) => {
    const text = JSON.stringify(list)
    const isAllowed = reader === 'account' || list.every(({ IsPublic }) => IsPublic)
    return list.length > 0 && isAllowed && (prices.get(reader) ?? text) === text
  }
  return {
    status: 200,
    shows: { ServiceClasses: isSame },
    learn({ ServiceClasses }) {
      prices.set(reader, JSON.stringify(ServiceClasses))
    },
  }
}

/** Without credentials only for those who send the header. */
function list(context: Context): Command {
  const kind = context.choices.below(4)
  if (kind > 1) {
    return call({
      ...{ name: 'priceList', method: 'GET', path: PATH, level: 'view' },
      caller: someCaller(context),
      play: (model) => shown(model, 'account'),
    })
  }
  const headers: Readonly<Record<string, string>> =
    kind === 0 ? {} : { 'x-requested-with': 'XMLHttpRequest' }
  return {
    name: 'priceList',
    request: { method: 'GET', path: `/cloud/zone${PATH}`, headers, body: undefined },
    play: (model) => (kind === 0 ? { status: 401 } : shown(model, 'public')),
  }
}

export const priceMakers: readonly Maker[] = [maker(1, list)]
