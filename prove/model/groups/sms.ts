/** Short messages: sent once each, delivered or failed when the clock says so. */
import {
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
import { HOUR_MS, identify, type Message, type Model, provisional, type Service } from '../state.ts'

const PLACES = 2
const DELIVERY_MS = 2000
const VALIDITY_MS = 600_000
/** Of the embedded network: one that reports a failure, one that never reports. */
const FAILS = '819000000002'
const SILENT = '819000000004'
const DESTINATIONS = ['819012345678', '819012345679', FAILS, SILENT, '12', '0901234567']

const someService = ({ choices, slots }: Context) => slots.get(`esme:${choices.below(PLACES)}`)

function create(context: Context): Command {
  const { choices, slots, step } = context
  const place = choices.below(PLACES)
  const name = `esme-${place}-${step}`
  const key = provisional(name)
  return call({
    ...{ name: 'smsCreate', method: 'POST', path: ITEMS, level: 'create' },
    body: { CommonServiceItem: { Name: name, Tags: ['codes'], Provider: { Class: 'esme' } } },
    caller: someCaller(context),
    play(model, account): Expected {
      const labels = { account, name, description: null, tags: ['codes'], createdAt: model.now }
      model.services.set(key, { ...labels, messages: [] })
      return {
        status: 201,
        shows: { Success: true, CommonServiceItem: { Name: name, Availability: 'available' } },
        learn: ({ CommonServiceItem }) => identify(model.services, key, CommonServiceItem.ID),
      }
    },
    keep: ({ CommonServiceItem }) => slots.set(`esme:${place}`, CommonServiceItem.ID),
  })
}

const remove = (context: Context) => {
  const id = someService(context)
  return change<Service>(context, {
    ...{ name: 'smsDelete', method: 'DELETE', path: `${ITEMS}/${id}`, level: 'create' },
    find: ({ services }) => services.get(id),
    play(service, model) {
      model.services.delete(id)
      const { name: Name } = service
      return {
        status: 200,
        shows: { Success: true, CommonServiceItem: { Name, Availability: 'discontinued' } },
      }
    },
  })
}

function send(context: Context): Command {
  const { choices } = context
  const id = someService(context)
  const [destination, given] = [choices.pick(DESTINATIONS), choices.pick(['', 'A1B2', 'no way'])]
  const operation = given === '' ? 'generate' : 'input'
  const isBad = !/^[1-9]\d{6,14}$/.test(destination) || given === 'no way'
  return change<Service>(context, {
    ...{ name: given === '' ? 'smsSendGenerated' : 'smsSendGiven', method: 'PUT', level: 'create' },
    path: `${ITEMS}/${id}/esme/2fa${given === '' ? '/otp' : ''}`,
    body: {
      ESME: { destination, sender: 'Acme', otpOperation: operation, ...(given && { otp: given }) },
    },
    ...{ isBad, find: ({ services }: Model) => services.get(id) },
    play(service, { now, sends }) {
      sends.push({ account: service.account, at: now })
      const message: Message = { destination, otp: given || undefined, sentAt: now, id: undefined }
      service.messages.unshift(message)
      return {
        status: 200,
        shows: { ESME: { status: 'Accepted', otp: given || isCode } },
        learn: ({ ESME }) => Object.assign(message, { id: ESME.messageId, otp: ESME.otp }),
      }
    },
  })
}

const isCode = (otp: unknown) => typeof otp === 'string' && /^\d{6}$/.test(otp)

/** What a message has come to by now; its password is dropped after a day. */
function shown({ destination, otp, sentAt, id }: Message, now: number) {
  const after = destination === SILENT ? VALIDITY_MS : DELIVERY_MS
  const done = sentAt + after
  const isDone = done <= now
  const outcome = destination === FAILS || destination === SILENT ? 'Failed' : 'Delivered'
  const isDropped = sentAt + 24 * HOUR_MS <= now
  return {
    ...{ destination, status: isDone ? outcome : 'Accepted', sentAt: micros(sentAt) },
    ...{ doneAt: isDone ? micros(done) : null, retryCount: 0 },
    otp: (value: unknown) =>
      // The hour in which it is dropped is the job's.
      value === ''
        ? isDropped
        : sentAt + 26 * HOUR_MS > now && (otp === undefined ? isCode(value) : value === otp),
    messageId: (value: unknown) => typeof value === 'string' && (id === undefined || value === id),
  }
}

const micros = (at: number) => new Date(at).toISOString().replace('Z', '000Z')

const logs = (context: Context) => {
  const id = someService(context)
  return change<Service>(context, {
    ...{ name: 'smsLogs', method: 'GET', path: `${ITEMS}/${id}/esme/logs`, level: 'view' },
    find: ({ services }) => services.get(id),
    play({ messages }, { now }) {
      const page = messages.slice(0, 100)
      return {
        status: 200,
        shows: { ESME: { Count: page.length, logs: page.map((one) => shown(one, now)) } },
        learn({ ESME }) {
          for (const [place, { messageId, otp }] of ESME.logs.entries()) {
            const message = page[place]
            if (message !== undefined)
              Object.assign(message, { id: messageId, otp: otp || message.otp })
          }
        },
      }
    },
  })
}

export const smsMakers: readonly Maker[] = [
  ...[firstMaker(1, create), maker(1, remove), maker(6, send), maker(3, logs)],
]
