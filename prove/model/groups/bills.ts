/** Bills: every short message is on one of them, once. */
import {
  type Body,
  type Command,
  type Context,
  call,
  type Maker,
  maker,
  someCaller,
} from '../command.ts'
import { japan, type Model, month } from '../state.ts'

const SYSTEM = '/is1b/api/system/1.0'
const MESSAGES = 50050

/** Each month once, newest first. */
function list(context: Context): Command {
  const { choices, slots } = context
  const id = choices.oneIn(10) ? '900000000002' : '900000000001'
  return call({
    ...{ name: 'billList', method: 'GET', path: `${SYSTEM}/bill/by-contract/${id}` },
    ...{ level: 'view', external: 'bill', caller: someCaller(context) },
    play({ now }, account) {
      if (id !== (account === 'acme' ? '900000000001' : '900000000002')) return { status: 403 }
      const inOrder = (bills: Body[]) =>
        bills.every(
          ({ Date: date }, place) => date < (bills[place - 1]?.Date ?? '9') && date <= japan(now),
        )
      return { status: 200, shows: { Bills: inOrder } }
    },
    keep({ Bills }) {
      if (id === '900000000002' || Bills.length === 0) return
      const { BillID, Date: date } = choices.pick<Body>(Bills)
      slots.set('bill', `${BillID} ${date.slice(0, 7)}`)
    },
  })
}

function details(context: Context): Command {
  const [bill = '', of = ''] = context.slots.get('bill').split(' ')
  return call({
    ...{ name: 'billDetailList', method: 'GET', path: `${SYSTEM}/billdetail/mem00001/${bill}` },
    ...{ level: 'view', external: 'bill', caller: someCaller(context) },
    play(model, account) {
      if (account !== 'acme') return { status: 403 }
      if (of === '') return { status: 404 }
      const sent = billedMessages(model, account, of)
      const isSent = (lines: Body[]) =>
        lines
          .filter(({ ServiceClassID }) => ServiceClassID === MESSAGES)
          .reduce((sum, { Usage }) => sum + Usage, 0) === sent
      return { status: 200, shows: { BillDetails: isSent } }
    },
  })
}

/** The bill of the running month is of this day's midnight. */
function billedMessages({ sends, now }: Model, account: string, of: string): number {
  const midnight = Date.parse(`${japan(now).slice(0, 10)}T00:00:00+09:00`)
  return sends.filter(
    (send) => send.account === account && month(send.at) === of && send.at < midnight,
  ).length
}

export const billMakers: readonly Maker[] = [maker(1, list), maker(2, details)]
