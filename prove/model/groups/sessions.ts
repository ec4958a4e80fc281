/** Devices and their sessions: who is admitted, what ends a session, what is logged and counted. */
import {
  type Command,
  type Context,
  change,
  type Expected,
  ITEMS,
  iccidOf,
  type Maker,
  maker,
  operatorCall,
  search,
} from '../command.ts'
import {
  addBytes,
  CARDS,
  CARRIERS,
  IMEIS,
  type LogEntry,
  type Model,
  type Session,
  type Sim,
} from '../state.ts'

export function log(sim: Sim, at: number, status: LogEntry['status']): void {
  sim.log.unshift({ at, status, imei: status === 'Created' ? sim.session?.imei : undefined })
}

function reasonAgainst(model: Model, sim: Sim | undefined, imei: string, carrier: string) {
  if (sim === undefined) return 'not_registered'
  if (!sim.activated) return 'not_activated'
  if (sim.lock !== undefined && sim.lock !== imei) return 'imei_locked'
  if (!sim.carriers.includes(carrier)) return 'carrier_not_allowed'
  if (sim.gateway === undefined) return sim.project === undefined ? 'no_network' : undefined
  const gateway = model.gateways.get(sim.gateway)
  const isUp = gateway?.isUp && gateway.availableAt <= model.now
  return isUp ? undefined : 'gateway_down'
}

/** A session takes on an address that is set or freed by beginning again; which one a project gives is its own. */
function placeOf(model: Model, sim: Sim): Pick<Session, 'at' | 'ip'> {
  if (sim.gateway !== undefined) return { at: sim.gateway, ip: sim.ip }
  const links = [...model.sims].flatMap(([id, one]) =>
    one === sim ? [model.projects.get(sim.project ?? '')?.links.get(id)] : [],
  )
  return { at: sim.project ?? '', ip: links[0]?.isSet === true ? OF_PROJECT : undefined }
}

const OF_PROJECT = 'of the project'

/** After every change: the session goes on, begins again elsewhere, or ends. */
export function settle(model: Model, sim: Sim): void {
  const { session } = sim
  if (session === undefined) return
  const place = placeOf(model, sim)
  const isOver = reasonAgainst(model, sim, session.imei, session.carrier) !== undefined
  if (!isOver && session.at === place.at && session.ip === place.ip) return
  log(sim, model.now, 'Deleted')
  sim.session = isOver ? undefined : { ...session, ...place }
  if (!isOver) log(sim, model.now, 'Created')
}

export function endSession(model: Model, sim: Sim): void {
  if (sim.session === undefined) return
  log(sim, model.now, 'Deleted')
  sim.session = undefined
}

/** Takes the SIM out of its gateway, with its address and its routes. A session that can goes on in the project. */
export function leave(model: Model, id: string, sim: Sim): void {
  const gateway = sim.gateway === undefined ? undefined : model.gateways.get(sim.gateway)
  if (gateway !== undefined) gateway.routes = gateway.routes.filter((route) => route.sim !== id)
  sim.gateway = undefined
  sim.ip = undefined
  settle(model, sim)
}

const ofCard = (model: Model, card: number) =>
  [...model.sims.values()].find((sim) => sim.card === card)

function attach({ choices }: Context): Command {
  const [card, imei, carrier] = [choices.below(CARDS), choices.pick(IMEIS), choices.pick(CARRIERS)]
  return operatorCall({
    ...{ name: 'deviceAttach', method: 'POST', path: `/devices/${iccidOf(card)}/attach` },
    body: { imei, carrier },
    play(model): Expected {
      const sim = ofCard(model, card)
      const reason = reasonAgainst(model, sim, imei, carrier)
      if (sim === undefined || reason !== undefined) {
        const before = model.refusals.get(card) ?? []
        model.refusals.set(card, [...before, reason ?? ''].slice(-20))
        return { status: 200, shows: { accepted: false, reason, ip: null } }
      }
      if (sim.session !== undefined) log(sim, model.now, 'Deleted')
      const place = placeOf(model, sim)
      sim.session = { imei, carrier, ...place }
      log(sim, model.now, 'Created')
      const isRight = (ip: unknown) =>
        place.ip === undefined || place.ip === OF_PROJECT ? typeof ip === 'string' : ip === place.ip
      return { status: 200, shows: { accepted: true, reason: null, ip: isRight } }
    },
  })
}

function detach({ choices }: Context): Command {
  const card = choices.below(CARDS)
  return operatorCall({
    ...{ name: 'deviceDetach', method: 'POST', path: `/devices/${iccidOf(card)}/detach` },
    play(model) {
      const sim = ofCard(model, card)
      if (sim === undefined) return { status: 404 }
      endSession(model, sim)
      return { status: 200 }
    },
  })
}

function traffic({ choices }: Context): Command {
  const [card, up, down] = [choices.below(CARDS), choices.below(5000), choices.below(9_000_000)]
  return operatorCall({
    ...{ name: 'deviceTraffic', method: 'POST', path: `/devices/${iccidOf(card)}/traffic` },
    body: { uplink_bytes: up, downlink_bytes: down },
    play(model) {
      const sim = ofCard(model, card)
      if (sim === undefined) return { status: 404 }
      if (sim.session === undefined) return { status: 409 }
      addBytes(sim.traffic, model.now, { up, down })
      const gateway = model.gateways.get(sim.session.at)
      if (gateway !== undefined) addBytes(gateway.traffic, model.now, { up, down })
      return { status: 200 }
    },
  })
}

function refusals({ choices }: Context): Command {
  const card = choices.below(CARDS)
  return operatorCall({
    ...{ name: 'deviceRefusals', method: 'GET', path: `/devices/${iccidOf(card)}/refusals` },
    play: (model) => ({
      status: 200,
      shows: {
        refusals: (model.refusals.get(card) ?? []).toReversed().map((reason) => ({ reason })),
      },
    }),
  })
}

function sessionLog(context: Context): Command {
  const id = context.slots.get(`sim:${context.choices.below(CARDS)}`)
  const count = context.choices.pick([1, 5, 1000])
  return change<Sim>(context, {
    ...{ name: 'simSessionLog', method: 'GET', level: 'view' },
    path: `${ITEMS}/${id}/sim/sessionlog${search({ Count: count })}`,
    find: ({ sims }) => sims.get(id),
    play: (sim) => ({ status: 200, shows: shownLog(sim.log.slice(0, count)) }),
  })
}

/** With microseconds and a `Z`. */
const shownLog = (entries: readonly LogEntry[]) => ({
  Count: entries.length,
  logs: entries.map(({ at, status, imei }) => ({
    ...{ date: new Date(at).toISOString().replace('Z', '000Z'), session_status: status, imei },
  })),
})

export const sessionMakers: readonly Maker[] = [
  ...[maker(12, attach), maker(2, detach), maker(6, traffic), maker(1, refusals)],
  maker(2, sessionLog),
]
