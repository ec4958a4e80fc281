/** The kinds of things that the load creates, changes and deletes, and how each is read in full. */
import { gatewayDraft } from '../../packages/server/src/testing/gateways.ts'
import { draft as simDraft } from '../../packages/server/src/testing/sims.ts'
import { DRAFT as SITE } from '../../packages/server/src/testing/webaccel.ts'
import { type Found, type Kind, parsed, readOf, type Thing } from './ledger.ts'
import type { Call } from './server.ts'

const DESCRIPTION = 'Description'

const idIn = (thing: Thing) => ({ params: { id: thing.id ?? '' } })

/** Its name is the mark, its description the value. */
function itemKind(
  Class: string,
  more: (thing: Thing) => object,
  check: (call: Call, id: string) => Promise<void>,
): Kind {
  return {
    name: Class,
    create: (call, thing, value) =>
      call('itemCreate', {
        body: {
          CommonServiceItem: {
            ...{ Name: thing.mark, [DESCRIPTION]: value, Provider: { Class } },
            ...more(thing),
          },
        },
      }),
    update: (call, thing, value) =>
      call('itemUpdate', { ...idIn(thing), body: { CommonServiceItem: { [DESCRIPTION]: value } } }),
    delete: (call, thing) => call('itemDelete', idIn(thing)),
    idOf: (answer) => Object(answer).CommonServiceItem.ID,
    async find(call, thing) {
      const item =
        thing.id === undefined
          ? await byName(call, 'itemList', 'CommonServiceItems', thing.mark)
          : readOf(await call('itemRead', idIn(thing)))?.CommonServiceItem
      if (item === undefined) return undefined
      await check(call, item.ID)
      return { id: item.ID, value: item.Description }
    },
  }
}

/** One that was asked for and never answered has no id that we know. */
async function byName(call: Call, operation: string, member: string, name: string) {
  const found = readOf(await call(operation, { query: { Filter: { Name: name } } }))[member]
  if (found.length > 1) throw new Error(`there are ${found.length} of it`)
  return found[0]
}

const cardOf = ({ number }: Thing) => {
  // The first cards are those of the devices.
  const { Status, Remark } = simDraft(number + 10).CommonServiceItem
  return { Status, Remark }
}

const sims = itemKind('sim', cardOf, async (call, id) => {
  const status = readOf(await call('simStatus', { params: { sim_id: id } }))
  if (status === undefined) throw new Error('there is the item, and not the SIM')
})

const projects = itemKind(
  'iotplatform',
  () => ({}),
  async (call, id) => {
    const linked = readOf(await call('projectSimList', { params: { project_id: id } }))
    if (linked === undefined) throw new Error('there is the item, and not the project')
  },
)

const oneGateway = (thing: Thing) => ({ params: { appliance_id: thing.id ?? '' } })

const gateways: Kind = {
  name: 'gateway',
  create: (call, { mark }, value) =>
    call('gatewayCreate', { body: gatewayDraft(mark, { [DESCRIPTION]: value }) }),
  update: (call, thing, value) =>
    call('gatewayUpdate', { ...oneGateway(thing), body: { Appliance: { [DESCRIPTION]: value } } }),
  async delete(call, thing) {
    const off = await call('gatewayPowerOff', oneGateway(thing))
    // It is off already when the deletion after that had failed.
    return off.status === 200 || off.status === 409 ? call('gatewayDelete', oneGateway(thing)) : off
  },
  idOf: (answer) => Object(answer).Appliance.ID,
  async find(call, thing) {
    const gateway =
      thing.id === undefined
        ? await byName(call, 'gatewayList', 'Appliances', thing.mark)
        : readOf(await call('gatewayRead', oneGateway(thing)))?.Appliance
    return gateway && { id: gateway.ID, value: gateway.Description }
  },
}

const oneSite = (thing: Thing) => ({ params: { site_id: thing.id ?? '' } })

/** Its domain is the mark, its name the value. */
const sites: Kind = {
  name: 'site',
  create: (call, { mark }, value) =>
    call('siteCreate', { body: { Site: { ...SITE, Name: value, Domain: `${mark}.example.jp` } } }),
  update: (call, thing, value) =>
    call('siteUpdate', { ...oneSite(thing), body: { Site: { Name: value } } }),
  delete: (call, thing) => call('siteDelete', oneSite(thing)),
  idOf: (answer) => Object(answer).Site.ID,
  async find(call, thing) {
    const site =
      thing.id === undefined
        ? readOf(await call('siteList')).Sites.find(
            ({ Domain }: { Domain: string }) => Domain === `${thing.mark}.example.jp`,
          )
        : readOf(await call('siteRead', oneSite(thing)))?.Site
    return site && { id: site.ID, value: site.Name }
  },
}

const KEYS = [0, 1, 2]

/** With its keys in one call; the value is the note of the first key. */
const accounts: Kind = {
  name: 'account',
  create(call, { mark }, note) {
    const keys = KEYS.map((n) => ({
      ...{ token: `${mark}-key${n}`, secret: mark, permission: 'view' },
      ...(n === 0 && { note }),
    }))
    const body = { version: 1, accounts: [{ code: mark, name: mark, keys }] }
    return call('worldApply', { query: { mode: 'add' }, body })
  },
  update: (call, { mark }, note) =>
    call('keyUpdate', {
      params: { code: mark, token: `${mark}-key0` },
      body: { permission: 'view', note, expires_at: null, allowed_addresses: [] },
    }),
  idOf: () => 'known by its code',
  async find(call, { mark }) {
    const keys = readOf(await call('keyList', { params: { code: mark } }))?.keys
    if (keys === undefined) return undefined
    if (keys.length !== KEYS.length) throw new Error(`it has ${keys.length} keys`)
    const first = keys.find(({ token }: { token: string }) => token === `${mark}-key0`)
    return { id: mark, value: first?.note }
  },
}

/** Files of one project. A value is repeated, so that a part of it is not the whole. */
export function fileKind(project: string): Kind {
  const one = (thing: Thing) => ({ params: { project_id: project, file_id: thing.mark } })
  const upload = async (call: Call, thing: Thing, value: string) => {
    const granted = await call('fileUploadRequest', one(thing))
    if (granted.status !== 200) return granted
    return call('fileContentPut', {
      ...one(thing),
      headers: {
        authorization: `Bearer ${parsed(granted).IoTPlatform.token}`,
        'content-type': 'multipart/form-data; boundary=b',
      },
      text: `--b\r\nContent-Disposition: form-data; name="attachment"\r\n\r\n${contentOf(value)}\r\n--b--\r\n`,
    })
  }
  return {
    name: 'file',
    async create(call, thing, value) {
      const named = await call('fileStat', one(thing))
      return named.status === 200 ? upload(call, thing, value) : named
    },
    update: upload,
    idOf: () => 'known by its name',
    async find(call, thing): Promise<Found | undefined> {
      const granted = readOf(await call('fileDownload', one(thing)))
      if (granted === undefined) return undefined
      const token = granted.IoTPlatform.url.split('/').at(-1)
      const { status, text, problem } = await call('fileContentGet', { params: { token } })
      if (status !== 200 || problem) throw new Error(`its content is ${status} ${problem ?? text}`)
      const value = thing.possible.find((one) => one !== undefined && contentOf(one) === text)
      return {
        id: thing.mark,
        value: value ?? `${text.length} bytes that are none of its contents`,
      }
    },
  }
}

const contentOf = (value: string) => `${value} `.repeat(2000)

export const kinds: readonly Kind[] = [sims, projects, gateways, sites, accounts]
