/** Projects of the IoT platform: SIMs in them with addresses, adapters, messages of devices. */
import {
  type Body,
  type Change,
  type Command,
  type Context,
  call,
  change,
  type Expected,
  firstMaker,
  ITEMS,
  type Maker,
  maker,
  someCaller,
} from '../command.ts'
import { CARDS, identify, type Link, type Model, type Project, provisional } from '../state.ts'
import { isFull } from './quotas.ts'
import { settle } from './sessions.ts'

export const PROJECT_PLACES = 2

function create(context: Context): Command {
  const { choices, slots, step } = context
  const place = choices.below(PROJECT_PLACES)
  const name = choices.oneIn(8) ? 'x'.repeat(65) : `iotplatform-${place}-${step}`
  const key = provisional(name)
  return call({
    ...{ name: 'projectCreate', method: 'POST', path: ITEMS, level: 'create' },
    body: { CommonServiceItem: { Name: name, Provider: { Class: 'iotplatform' } } },
    caller: someCaller(context),
    play(model, account): Expected {
      if (name.length > 64) return { status: 400 }
      if (isFull(model, account, 'projects')) return { status: 409 }
      model.projects.set(key, {
        ...{ account, name, description: null, tags: [], createdAt: model.now },
        ...{ links: new Map(), adapters: new Map(), files: new Map(), messages: [] },
      })
      return {
        status: 201,
        shows: { Success: true, CommonServiceItem: { Status: { zone: 'is1z', Services: [] } } },
        learn: ({ CommonServiceItem }) => identify(model.projects, key, CommonServiceItem.ID),
      }
    },
    keep: ({ CommonServiceItem }) => slots.set(`iotplatform:${place}`, CommonServiceItem.ID),
  })
}

type ProjectChange = Pick<Change<Project>, 'name' | 'method' | 'path'> &
  Partial<Omit<Change<Project>, 'keep'>> & {
    on(project: Project, model: Model, id: string): Expected | undefined
    keep?(body: Body, id: string): void
  }

export function onProject(context: Context, given: ProjectChange): Command {
  const { path, on, keep, ...rest } = given
  const id = context.slots.get(`iotplatform:${context.choices.below(PROJECT_PLACES)}`)
  return change<Project>(context, {
    ...{ ...rest, path: `${ITEMS}/${id}${path}`, find: ({ projects }: Model) => projects.get(id) },
    play: (project, model) => on(project, model, id),
    ...(keep && { keep: (body) => keep(body, id) }),
  })
}

const remove = (context: Context) =>
  onProject(context, {
    ...{ name: 'projectDelete', method: 'DELETE', path: '', level: 'create' },
    on(project, model, id) {
      const isUsed =
        project.adapters.size > 0 || [...model.sims.values()].some((sim) => sim.project === id)
      if (isUsed) return { status: 409 }
      model.projects.delete(id)
      return { status: 200, shows: { CommonServiceItem: { Availability: 'discontinued' } } }
    },
  })

interface LinkChange {
  readonly name: string
  readonly method: string
  readonly path: string
  on(link: Link, model: Model, simId: string, projectId: string): Expected
  keep?(body: Body, projectId: string): void
}

const someSim = ({ choices, slots }: Context) => slots.get(`sim:${choices.below(CARDS)}`)

/** A call on a SIM that is connected to the project, or is not. */
function onLink(context: Context, { path, on, ...rest }: LinkChange): Command {
  const simId = someSim(context)
  return onProject(context, {
    ...{ ...rest, path: `/iotplatform/vmgw/sims/${simId}${path}` },
    on(project, model, id) {
      const link = project.links.get(simId)
      if (link === undefined || model.sims.get(simId)?.project !== id) return { status: 404 }
      return on(link, model, simId, id)
    },
  })
}

function connect(context: Context): Command {
  const simId = someSim(context)
  return onProject(context, {
    ...{ name: 'projectSimConnect', method: 'PUT', path: `/iotplatform/vmgw/sims/${simId}` },
    on(project, model, id) {
      const sim = model.sims.get(simId)
      if (sim?.account !== project.account) return { status: 404 }
      if (sim.project !== undefined && sim.project !== id) return { status: 409 }
      sim.project = id
      if (!project.links.has(simId)) {
        project.links.set(simId, { isSet: false, address: undefined, device: undefined })
      }
      return { status: 200, shows: { IoTPlatform: { zone: 'is1z' } } }
    },
  })
}

/** The address and the device's id stay the same whenever they are seen again. */
function shown(simId: string, link: Link) {
  const isKnown = (known: string | undefined) => (value: unknown) =>
    typeof value === 'string' && (known === undefined || value === known)
  return {
    ...{ sim_id: simId, device_id: isKnown(link.device) },
    ip_address: link.isSet ? isKnown(link.address) : null,
  }
}

const learnLink = (link: Link) => (one: Body) => {
  link.device = one.device_id
  if (one.ip_address !== null) link.address = one.ip_address
}

/** One of each project is enough: others take its place. */
const keepDevice = ({ slots }: Context, project: string, { device_id }: Body) =>
  slots.set(`device:${project}`, device_id)

function settleSim(model: Model, simId: string): void {
  const sim = model.sims.get(simId)
  if (sim !== undefined) settle(model, sim)
}

const setIp = (context: Context) =>
  onLink(context, {
    ...{ name: 'projectSimIpSet', method: 'PUT', path: '/ip' },
    on(link, model, simId) {
      link.isSet = true
      settleSim(model, simId)
      return {
        status: 200,
        shows: { IoTPlatform: shown(simId, link) },
        learn: ({ IoTPlatform }) => learnLink(link)(IoTPlatform),
      }
    },
    keep: ({ IoTPlatform }, id) => keepDevice(context, id, IoTPlatform),
  })

const releaseIp = (context: Context) =>
  onLink(context, {
    ...{ name: 'projectSimIpRelease', method: 'DELETE', path: '/ip' },
    on(link, model, simId) {
      if (!link.isSet) return { status: 404 }
      link.isSet = false
      settleSim(model, simId)
      return { status: 200 }
    },
  })

const disconnect = (context: Context) =>
  onLink(context, {
    ...{ name: 'projectSimDisconnect', method: 'DELETE', path: '' },
    on(link, model, simId) {
      if (link.isSet) return { status: 409 }
      const sim = model.sims.get(simId)
      if (sim !== undefined) {
        sim.project = undefined
        settle(model, sim)
      }
      return { status: 200, shows: { IoTPlatform: { sim_id: simId } } }
    },
  })

const links = (context: Context) =>
  onProject(context, {
    ...{ name: 'projectSimList', method: 'GET', path: '/iotplatform/vmgw/sims', level: 'view' },
    on(project, model, id) {
      const connected = [...project.links]
        .filter(([simId]) => model.sims.get(simId)?.project === id)
        .sort(([a], [b]) => (a < b ? -1 : 1))
      return {
        status: 200,
        shows: { IoTPlatform: connected.map(([simId, link]) => shown(simId, link)) },
        learn({ IoTPlatform }) {
          for (const [place, [, link]] of connected.entries()) learnLink(link)(IoTPlatform[place])
        },
      }
    },
    keep({ IoTPlatform }, id) {
      for (const one of IoTPlatform) keepDevice(context, id, one)
    },
  })

export const projectMakers: readonly Maker[] = [
  ...[firstMaker(2, create), maker(1, remove), firstMaker(4, connect), maker(4, setIp)],
  ...[maker(3, releaseIp), maker(2, disconnect), maker(4, links)],
]
