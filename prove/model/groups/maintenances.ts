/** Maintenances: announced by the operator, listed for everybody who has a key. */
import {
  type Body,
  type Command,
  type Context,
  call,
  type Maker,
  maker,
  operatorCall,
  search,
  someCaller,
} from '../command.ts'
import { type Announcement, HOUR_MS, japan, type Model, START } from '../state.ts'

const DAY_MS = 24 * HOUR_MS
const IDS = ['model-0', 'model-1', 'model-2', 'model-3']
/** The code stands for an account; the world has given it this id. */
const ACCOUNT_IDS: Readonly<Record<string, string>> = {
  acme: '900000000001',
  other: '900000000002',
}

const plain = (at: number) => japan(at).slice(0, 19).replace('T', ' ')
const midnight = (day: string) => Date.parse(`${day}T00:00:00+09:00`)

/** An announcement that may be wrong in a way that is seen after the form of the request. */
function draft({ choices, step }: Context) {
  const startAt = START + choices.below(60) * DAY_MS + choices.pick([0, 3, 23]) * HOUR_MS
  const hours = choices.pick([1, 4, 30, 0])
  const accounts = choices.pick([[], ['acme'], ['other'], ['acme', 'other'], ['none']])
  const announcement: Announcement = {
    ...{ zone: choices.pick(['is1a', 'tk1a']), startAt, endAt: startAt + hours * HOUR_MS },
    title: `Announced ${step}`,
    affects: accounts.map((account) => ({ account, resource: String(choices.below(3) + 1) })),
  }
  return { announcement, isWrong: hours === 0 || accounts.includes('none') }
}

const fields = ({ zone, startAt, endAt, title }: Announcement) => ({
  ...{ zone, title, start_at: plain(startAt), end_at: plain(endAt) },
})

const announced = (one: Announcement) => ({
  ...fields(one),
  affects: one.affects.map(({ account, resource }) => ({
    ...{ account, resource_class: 'appliance', resource_id: resource },
  })),
})

function create(context: Context): Command {
  const { choices, slots } = context
  const { announcement, isWrong } = draft(context)
  const id = choices.oneIn(5) ? undefined : choices.pick(IDS)
  return operatorCall({
    ...{ name: 'announcementCreate', method: 'POST', path: '/maintenances' },
    body: { maintenance_id: id, ...announced(announcement) },
    play(model) {
      if (isWrong) return { status: 400 }
      if (model.announcements.has(id ?? '')) return { status: 409 }
      if (id !== undefined) model.announcements.set(id, announcement)
      return {
        status: 201,
        shows: { maintenance: announced(announcement) },
        learn: ({ maintenance }) =>
          void model.announcements.set(maintenance.maintenance_id, announcement),
      }
    },
    keep: ({ maintenance }) => slots.set('maintenance', maintenance.maintenance_id),
  })
}

const someId = ({ choices, slots }: Context) =>
  choices.oneIn(3) ? slots.get('maintenance') : choices.pick(IDS)

function update(context: Context): Command {
  const { announcement, isWrong } = draft(context)
  const id = someId(context)
  return operatorCall({
    ...{ name: 'announcementUpdate', method: 'PUT', path: `/maintenances/${id}` },
    body: announced(announcement),
    play(model) {
      if (!model.announcements.has(id)) return { status: 404 }
      if (isWrong) return { status: 400 }
      model.announcements.set(id, announcement)
      return { status: 200, shows: { maintenance: announced(announcement) } }
    },
  })
}

function remove(context: Context): Command {
  const id = someId(context)
  return operatorCall({
    ...{ name: 'announcementDelete', method: 'DELETE', path: `/maintenances/${id}` },
    play: (model) => ({ status: model.announcements.delete(id) ? 200 : 404 }),
  })
}

/** By start, then id. */
const inOrder = ({ announcements }: Model) =>
  [...announcements].sort(([a, one], [b, other]) => one.startAt - other.startAt || (a < b ? -1 : 1))

const listAll = () =>
  operatorCall({
    ...{ name: 'announcementList', method: 'GET', path: '/maintenances' },
    play(model) {
      const maintenances = inOrder(model).map(([id, one]) => ({
        ...{ maintenance_id: id, ...announced(one) },
      }))
      return { status: 200, shows: { maintenances } }
    },
  })

/** Days that may be missing, a page, and whether only those that touch resources of the account. */
function query({ choices }: Context) {
  const day = () => japan(START + choices.below(60) * DAY_MS).slice(0, 10)
  const [from, to] = [choices.oneIn(2) ? day() : undefined, choices.oneIn(2) ? day() : undefined]
  const [isRelated, page, count] = [
    choices.oneIn(2),
    choices.oneIn(4) ? 2 : 1,
    choices.pick([1, 2, 20, 0]),
  ]
  return { from, to, isRelated, page, count }
}

function list(context: Context): Command {
  const wanted = query(context)
  const { from, to, isRelated, page, count } = wanted
  const Filter = {
    ...{ start_at: from, end_at: to, search_type: isRelated ? 'related' : 'all' },
    ...{ page, page_count: count },
  }
  return call({
    ...{ name: 'maintenanceList', method: 'GET', level: 'view', caller: someCaller(context) },
    ...{ base: '/cloud', path: `/api/global/1.0/maintenances${search({ Filter })}` },
    play(model, account) {
      const today = japan(model.now).slice(0, 10)
      const first = from ?? today
      const last = to ?? monthAfter(first > today ? first : today)
      if (count === 0 || last < first) return { status: 400 }
      const found = inOrder(model)
        .filter(([, { startAt }]) => startAt < midnight(last) + DAY_MS)
        .filter(([, { endAt }]) => endAt > midnight(first))
        .filter(([, { affects }]) => !isRelated || affects.some((one) => one.account === account))
      const shown = found.slice((page - 1) * count, page * count)
      return {
        status: 200,
        shows: {
          meta: { total_count: found.length, total_pages: Math.ceil(found.length / count) },
          maintenances: shown.map(([id, one]) => ({
            ...{ maintenance_id: id, ...fields(one) },
            accounts: isRelated ? resources(one, account) : [],
          })),
        },
      }
    },
  })
}

/** Those of the account, and nobody else's. */
function resources({ affects }: Announcement, account: string): Body[] {
  const own = affects.filter((one) => one.account === account)
  const shown = own.map(({ resource }) => ({
    ...{ resource_class: 'appliance', resource_id: resource },
  }))
  return [{ account_id: ACCOUNT_IDS[account], account_code: account, resources: shown }]
}

/** The same day of the next month, or its last one. */
function monthAfter(day: string): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const lastDate = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return new Date(Date.UTC(year, month, Math.min(date, lastDate))).toISOString().slice(0, 10)
}

export const maintenanceMakers: readonly Maker[] = [
  ...[maker(3, create), maker(2, update), maker(2, remove), maker(1, listAll), maker(3, list)],
]
