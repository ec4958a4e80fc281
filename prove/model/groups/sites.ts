/** Sites of the web accelerator: one domain, one site, over all accounts. */
import {
  type Body,
  type Command,
  type Context,
  call,
  caller,
  type Expected,
  firstMaker,
  type Maker,
  maker,
  type Slots,
  someCaller,
} from '../command.ts'
import {
  identify,
  isProvisional,
  type Level,
  type Model,
  provisional,
  type Site,
} from '../state.ts'
import { isFull } from './quotas.ts'

export const WEB = '/is1a/api/webaccel/1.0'
const PLACES = 3

interface Call {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly level: Level
  readonly body?: object
  readonly isBad?: boolean
  on(site: Site, model: Model, id: string): Expected
}

/** Another account's site is 403 in this group, and every call needs the permission. */
export function onSite(context: Context, { path, isBad = false, on, ...rest }: Call): Command {
  const id = context.slots.get(`site:${context.choices.below(PLACES)}`)
  return call({
    ...{ ...rest, path: `${WEB}/site/${id}${path}`, external: 'cdn', caller: someCaller(context) },
    play(model, account) {
      if (isBad) return { status: 400 }
      const site = model.sites.get(id)
      if (site === undefined) return { status: 404 }
      return site.account === account ? on(site, model, id) : { status: 403 }
    },
  })
}

function create(context: Context): Command {
  const { choices, slots, step } = context
  const place = choices.below(PLACES)
  const [name, domain] = [`site-${place}-${step}`, `d${place}.example.jp`]
  const key = provisional(name)
  return call({
    ...{ name: 'siteCreate', method: 'POST', path: `${WEB}/site`, level: 'create' },
    ...{ external: 'cdn', caller: someCaller(context) },
    body: {
      Site: {
        ...{ Name: name, DomainType: 'own_domain', Domain: domain, OriginType: '0' },
        ...{ OriginProtocol: 'https', Origin: 'origin.example.jp' },
      },
    },
    play(model, account): Expected {
      // A full account gets no answer about the domain.
      if (isFull(model, account, 'sites')) return { status: 409 }
      if ([...model.sites.values()].some((site) => site.domain === domain)) return { status: 400 }
      const site: Site = {
        ...{ account, name, domain, isEnabled: false, ttl: undefined, acl: '' },
        ...{ certificate: undefined, oldCertificate: undefined },
      }
      model.sites.set(key, site)
      return {
        status: 200,
        shows: { Site: shown(site) },
        learn: ({ Site }) => identify(model.sites, key, Site.ID),
      }
    },
    keep: ({ Site }) => slots.set(`site:${place}`, Site.ID),
  })
}

const shown = ({ name, domain, isEnabled, ttl, certificate }: Site) => ({
  ...{ Name: name, Domain: domain, Status: isEnabled ? 'enabled' : 'disabled' },
  ...(ttl === undefined ? {} : { DefaultCacheTTL: ttl }),
  HasCertificate: certificate !== undefined,
})

const remove = (context: Context) =>
  onSite(context, {
    ...{ name: 'siteDelete', method: 'DELETE', path: '', level: 'create' },
    on(site, model, id) {
      model.sites.delete(id)
      return { status: 200, shows: { Site: { Name: site.name } } }
    },
  })

function update(context: Context): Command {
  const ttl = context.choices.pick([-1, 0, 604_800, 604_801])
  const name = `named-${context.step}`
  return onSite(context, {
    ...{ name: 'siteUpdate', method: 'PUT', path: '', level: 'arrange', isBad: ttl > 604_800 },
    body: { Site: { Name: name, DefaultCacheTTL: ttl } },
    on(site) {
      Object.assign(site, { name, ttl })
      return { status: 200, shows: { Site: shown(site) } }
    },
  })
}

function setStatus(context: Context): Command {
  const isEnabled = context.choices.oneIn(2)
  return onSite(context, {
    ...{ name: 'siteStatusSet', method: 'PUT', path: '/status', level: 'arrange' },
    body: { Site: { Status: isEnabled ? 'enabled' : 'disabled' } },
    on(site) {
      if (site.isEnabled === isEnabled) return { status: 400 }
      site.isEnabled = isEnabled
      return { status: 200, shows: { Site: shown(site) } }
    },
  })
}

const readSite = (context: Context) =>
  onSite(context, {
    ...{ name: 'siteRead', method: 'GET', path: '', level: 'view' },
    on: (site) => ({ status: 200, shows: { Site: shown(site) } }),
  })

/** No edge is there, so it is done at once. */
function purge(context: Context): Command {
  const domain = `d${context.choices.below(PLACES)}.example.jp`
  return call({
    ...{ name: 'cacheDelete', method: 'POST', path: `${WEB}/deletecache`, level: 'arrange' },
    ...{ external: 'cdn', caller: someCaller(context) },
    body: { URL: [`https://${domain}/page`] },
    play: () => ({ status: 200, shows: { Results: (list: Body) => list.length === 1 } }),
  })
}

export const siteMakers: readonly Maker[] = [
  ...[firstMaker(2, create), maker(1, remove), maker(2, update), maker(2, setStatus)],
  ...[maker(2, readSite), maker(1, purge)],
]

/** All of an account; those whose creation was not answered can be named from then on. */
export function readSites(slots: Slots): Command {
  return call({
    ...{ name: 'siteList', method: 'GET', path: `${WEB}/site`, level: 'view', external: 'cdn' },
    caller: caller('acme-token'),
    play(model, account) {
      const own = [...model.sites].filter(([, site]) => site.account === account)
      const byDomain = new Map(own.map(([id, site]) => [site.domain, { id, site }]))
      return {
        status: 200,
        shows: {
          Total: own.length,
          Sites: (list: Body[]) =>
            list.length === own.length &&
            list.every(({ ID, Name, Domain, Status }) => {
              const found = byDomain.get(Domain)
              const status = found?.site.isEnabled === true ? 'enabled' : 'disabled'
              const isKnown = found !== undefined && !isProvisional(found.id)
              return found?.site.name === Name && status === Status && (!isKnown || found.id === ID)
            }),
        },
        learn({ Sites }) {
          for (const { ID, Name } of Sites) identify(model.sites, provisional(Name), ID)
        },
      }
    },
    keep({ Sites }: Body) {
      for (const { ID, Domain } of Sites) slots.set(`site:${Domain.slice(1, 2)}`, ID)
    },
  })
}
