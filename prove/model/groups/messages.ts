/** Messages of devices: what they send, and what incoming webhooks send to them. */
import {
  type Command,
  type Context,
  type Expected,
  iccidOf,
  type Maker,
  maker,
  operatorCall,
  type Request,
} from '../command.ts'
import { CARDS, type DeviceMessage, type Model, type Project, type Sim } from '../state.ts'
import { PROJECT_PLACES } from './projects.ts'

/** Of a list, and of what a device fetches at once. */
const PAGE = 100

const payloadOf = (value: number) => [{ tag: '01', type: 'uint32', value }]
const ofCard = (model: Model, card: number): Found =>
  [...model.sims].find(([, sim]) => sim.card === card)
const bySecret = (model: Model, secret: string): Found =>
  [...model.sims].find(([, sim]) => sim.secret === secret)

type Found = readonly [id: string, sim: Sim] | undefined

/** A device takes part when its SIM is activated and connected to a project; a session is not needed. */
function projectOf(model: Model, sim: Sim): Project | undefined {
  return sim.activated ? model.projects.get(sim.project ?? '') : undefined
}

function accept(model: Model, found: Found, value: number, missing: number): Expected {
  if (found === undefined) return { status: missing }
  const [id, sim] = found
  const project = projectOf(model, sim)
  if (project === undefined) return { status: 409 }
  const message: DeviceMessage = { direction: 'up', sim: id, value, id: undefined }
  project.messages.unshift(message)
  return {
    status: 202,
    shows: { message: { payload: payloadOf(value) } },
    learn(body) {
      message.id = body.message.id
    },
  }
}

function sendAsOperator({ choices, step }: Context): Command {
  const card = choices.below(CARDS)
  return operatorCall({
    ...{ name: 'operatorMessageSend', method: 'POST', path: `/devices/${iccidOf(card)}/messages` },
    body: { payload: payloadOf(step) },
    play: (model) => accept(model, ofCard(model, card), step, 404),
  })
}

/** The one of before is not valid any more. */
function createSecret({ choices, slots }: Context): Command {
  const card = choices.below(CARDS)
  return operatorCall({
    ...{ name: 'deviceSecretCreate', method: 'POST', path: `/devices/${iccidOf(card)}/secret` },
    play(model) {
      const [, sim] = ofCard(model, card) ?? []
      if (sim === undefined) return { status: 404 }
      return {
        status: 200,
        learn({ secret }) {
          sim.secret = secret
        },
      }
    },
    keep: ({ secret }) => slots.set('secret', secret),
  })
}

function deviceRequest(method: string, path: string, secret: string, body?: object): Request {
  return {
    ...{ method, path: `/iot/v1/messages${path}`, headers: { authorization: `Bearer ${secret}` } },
    body: body && JSON.stringify(body),
  }
}

function sendAsDevice({ step, slots }: Context): Command {
  const secret = slots.get('secret')
  return {
    name: 'deviceMessageSend',
    request: deviceRequest('POST', '', secret, { payload: payloadOf(step) }),
    play: (model) => accept(model, bySecret(model, secret), step, 401),
    keep: ({ message }) => slots.set('message', message.id),
  }
}

/**
 * Often those of the last success, so that a device has several messages. Else the webhook of a project, and a device
 * that was connected once, sometimes to another project.
 */
function webhookAndDevice({ choices, slots }: Context): { path: string; device: string } {
  const [known = '', last] = slots.get('webhook').split(' ')
  if (last !== undefined && choices.oneIn(2)) return { path: known, device: last }
  const someProject = () => slots.get(`iotplatform:${choices.below(PROJECT_PLACES)}`)
  const project = someProject()
  const path = slots.get(`incoming:${project}`)
  return {
    path: path.startsWith('/') ? path : '/iot/v1/incoming/none',
    device: slots.get(`device:${choices.oneIn(5) ? someProject() : project}`),
  }
}

function callWebhook(context: Context): Command {
  const { choices, slots, step } = context
  const { path, device } = webhookAndDevice(context)
  const isBad = choices.oneIn(20)
  // Others come after the one that a later fetch names.
  const isMarked = choices.oneIn(3)
  const payload = isBad ? [] : payloadOf(step)
  return {
    name: 'incomingWebhookCall',
    request: {
      ...{ method: 'POST', path, headers: {} },
      body: JSON.stringify({ device_id: device, payload }),
    },
    play(model): Expected {
      const [id, project] = projectAt(model, path)
      if (project === undefined) return { status: 401 }
      if (isBad) return { status: 400 }
      const [simId] =
        [...project.links].find(
          ([sim, link]) => link.device === device && model.sims.get(sim)?.project === id,
        ) ?? []
      if (simId === undefined) return { status: 404 }
      const message: DeviceMessage = { direction: 'down', sim: simId, value: step, id: undefined }
      project.messages.unshift(message)
      return {
        status: 202,
        shows: { device_id: device, type: 'notify', status: 'accepted' },
        learn(body) {
          message.id = body.id
        },
      }
    },
    keep(body) {
      slots.set('webhook', `${path} ${device}`)
      if (isMarked) slots.set('message', body.id)
    },
  }
}

/** That of the adapter, unless it wants a signature: none of these calls has one. */
function projectAt(model: Model, path: string): readonly [string, Project] | readonly [] {
  const isOpen = ({ adapters }: Project) =>
    [...adapters.values()].some((adapter) => adapter.path === path && !adapter.isSigned)
  return [...model.projects].find(([, project]) => isOpen(project)) ?? []
}

/** Sometimes only what came after a message that may be of another project. */
function someSince({ choices, slots }: Context): string | undefined {
  const known = slots.get('message')
  const id = known.includes('-') ? known : `${known}-1`
  return choices.oneIn(2) ? id : undefined
}
const queryOf = (since: string | undefined) => (since === undefined ? '' : `?since=${since}`)

/** Oldest first; nothing is taken away. */
function fetched(model: Model, found: Found, since: string | undefined, missing: number): Expected {
  if (found === undefined) return { status: missing }
  const [id, sim] = found
  const project = projectOf(model, sim)
  if (project === undefined) return { status: 409 }
  if (since !== undefined && since.split('-')[0] !== sim.project) return { status: 400 }
  const place = project.messages.findIndex((message) => message.id === since)
  const newer = since === undefined ? project.messages : project.messages.slice(0, place)
  const page = newer
    .filter((message) => message.direction === 'down' && message.sim === id)
    .toReversed()
    .slice(0, PAGE)
  return {
    status: 200,
    shows: { messages: page.map((message) => shown(message, project)) },
    learn({ messages }) {
      for (const [index, message] of page.entries()) message.id = messages[index].id
    },
  }
}

const shown = ({ id, sim, value }: DeviceMessage, { links }: Project) => ({
  id: (shownId: unknown) => typeof shownId === 'string' && (id ?? shownId) === shownId,
  device_id: (device: unknown) => (links.get(sim)?.device ?? device) === device,
  payload: [{ value }],
})

function fetchAsOperator(context: Context): Command {
  const card = context.choices.below(CARDS)
  const since = someSince(context)
  return operatorCall({
    ...{ name: 'operatorMessageFetch', method: 'GET' },
    path: `/devices/${iccidOf(card)}/messages${queryOf(since)}`,
    play: (model) => fetched(model, ofCard(model, card), since, 404),
  })
}

function fetchAsDevice(context: Context): Command {
  const secret = context.slots.get('secret')
  const since = someSince(context)
  return {
    name: 'deviceMessageFetch',
    request: deviceRequest('GET', queryOf(since), secret),
    play: (model) => fetched(model, bySecret(model, secret), since, 401),
  }
}

/** Every message is there once, in order, in both directions. */
function list({ choices, slots }: Context): Command {
  const id = slots.get(`iotplatform:${choices.below(PROJECT_PLACES)}`)
  return operatorCall({
    ...{ name: 'projectMessageList', method: 'GET', path: `/projects/${id}/messages` },
    play(model) {
      const project = model.projects.get(id)
      if (project === undefined) return { status: 404 }
      const page = project.messages.slice(0, PAGE)
      return {
        status: 200,
        shows: {
          messages: page.map((message) => ({
            ...{ direction: message.direction, message: shown(message, project) },
          })),
        },
        learn({ messages }) {
          for (const [index, message] of page.entries()) message.id = messages[index].message.id
        },
      }
    },
  })
}

export const messageMakers: readonly Maker[] = [
  ...[maker(4, sendAsOperator), maker(2, createSecret), maker(2, sendAsDevice)],
  ...[maker(6, callWebhook), maker(4, fetchAsOperator), maker(3, fetchAsDevice), maker(1, list)],
]
