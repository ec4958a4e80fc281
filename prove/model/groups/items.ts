/** What SIMs, projects and SMS items have in common: labels, lists, searches. */
import {
  type Body,
  type Command,
  type Context,
  call,
  caller,
  type Expected,
  ITEMS,
  iccidOf,
  type Maker,
  maker,
  type Slots,
  search,
  someCaller,
} from '../command.ts'
import { identify, isProvisional, japan, type Labels, type Model } from '../state.ts'

const KINDS = ['sim', 'esme', 'iotplatform'] as const
type Kind = (typeof KINDS)[number]

function itemsOf(model: Model, account: string): { id: string; kind: Kind; item: Labels }[] {
  const of = (kind: Kind, map: Map<string, Labels>) =>
    [...map]
      .map(([id, item]) => ({ id, kind, item }))
      .filter(({ item }) => item.account === account)
  return [
    ...of('sim', model.sims),
    ...of('esme', model.services),
    ...of('iotplatform', model.projects),
  ]
}

function shown(model: Model, { id, kind, item }: { id: string; kind: Kind; item: Labels }) {
  const sim = model.sims.get(id)
  return {
    ID: isProvisional(id) ? isId : id,
    ...{ Name: item.name, Description: item.description, Tags: item.tags },
    ...{ Availability: 'available', CreatedAt: japan(item.createdAt), Provider: { Class: kind } },
    ...(sim && { Status: { ICCID: iccidOf(sim.card) } }),
  }
}

const isId = (value: unknown) => typeof value === 'string' && /^9\d{11}$/.test(value)

const someItem = ({ choices, slots }: Context) =>
  slots.get(`${choices.pick(KINDS)}:${choices.below(4)}`)

function read(context: Context): Command {
  const id = someItem(context)
  const zone = context.choices.pick(['is1a', 'tk1v'])
  return call({
    ...{ name: 'itemRead', method: 'GET', level: 'view' },
    path: `${ITEMS.replace('is1a', zone)}/${id}`,
    caller: someCaller(context),
    play(model, account) {
      const found = itemsOf(model, account).find((one) => one.id === id)
      if (found === undefined) return { status: 404 }
      return { status: 200, shows: { CommonServiceItem: shown(model, found) } }
    },
  })
}

function update(context: Context): Command {
  const { choices, step } = context
  const id = someItem(context)
  const change = choices.pick<Partial<Pick<Labels, 'name' | 'description' | 'tags'>>>([
    { name: `named-${step}` },
    { description: `described ${step}` },
    { tags: ['blue', `t${step}`] },
    { name: `both-${step}`, tags: [] },
  ])
  const { name: Name, description: Description, tags: Tags } = change
  return call({
    ...{ name: 'itemUpdate', method: 'PUT', path: `${ITEMS}/${id}`, level: 'arrange' },
    body: { CommonServiceItem: { Name, Description, Tags } },
    caller: someCaller(context),
    play(model, account) {
      const found = itemsOf(model, account).find((one) => one.id === id)
      if (found === undefined) return { status: 404 }
      Object.assign(found.item, change)
      return { status: 200, shows: { CommonServiceItem: shown(model, found) } }
    },
  })
}

/** A page of the items, found by what they are or are called. */
function list(context: Context): Command {
  const { choices } = context
  const Filter = choices.pick([
    {},
    { 'Provider.Class': choices.pick(KINDS) },
    { Name: choices.pick(['sim-1', 'named', 'both 1']) },
  ])
  const order = choices.pick(['Name', '-Name'])
  const [From, Count] = [choices.below(4), choices.below(5)]
  return call({
    ...{ name: 'itemList', method: 'GET', level: 'view' },
    path: `${ITEMS}${search({ From, Count, Sort: [order], Filter })}`,
    caller: someCaller(context),
    play: (model, account) => listing(model, account, { Filter, order, From, Count }),
  })
}

interface Query {
  readonly Filter: Readonly<Record<string, string | undefined>>
  readonly order: string
  readonly From: number
  readonly Count: number
}

function listing(model: Model, account: string, { Filter, order, From, Count }: Query): Expected {
  const words = (Filter.Name ?? '').split(' ')
  const found = itemsOf(model, account)
    .filter(({ kind }) => (Filter['Provider.Class'] ?? kind) === kind)
    .filter(({ item }) => words.every((word) => item.name.includes(word)))
    .sort((a, b) => (a.item.name < b.item.name ? -1 : 1))
  if (order.startsWith('-')) found.reverse()
  const page = found.slice(From, Count === 0 ? undefined : From + Count)
  return {
    status: 200,
    shows: {
      ...{ From, Count: page.length, Total: found.length },
      CommonServiceItems: page.map((one, place) => ({ ...shown(model, one), Index: From + place })),
    },
    learn(body) {
      for (const [place, { id }] of page.entries()) {
        if (!isProvisional(id)) continue
        for (const map of [model.sims, model.services, model.projects]) {
          identify<Labels>(map, id, body.CommonServiceItems[place].ID)
        }
      }
    },
  }
}

export const itemMakers: readonly Maker[] = [maker(3, read), maker(4, update), maker(3, list)]

/** Everything that an account has. What was created by a call whose answer was lost can be named from then on. */
export function readItems(account: string, slots: Slots): Command {
  return call({
    ...{ name: 'itemList', method: 'GET', level: 'view' },
    path: `${ITEMS}${search({ Sort: ['Name'] })}`,
    caller: caller(`${account}-token`),
    play: (model) => listing(model, account, { Filter: {}, order: 'Name', From: 0, Count: 0 }),
    keep(body: Body) {
      for (const { ID, Name } of body.CommonServiceItems) {
        const [, kind, place] = /^([a-z]+)-(\d)-\d+$/.exec(Name) ?? []
        if (kind !== undefined) slots.set(`${kind}:${place}`, ID)
      }
    },
  })
}
