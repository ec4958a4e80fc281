import type { Handlers } from '../../kernel/contract.ts'
import { BadRequest, Unavailable } from '../../kernel/errors.ts'
import { idFromNumber } from '../../kernel/ids.ts'
import { parseCidr } from '../../kernel/ipv4.ts'
import type { Wake } from '../../kernel/job.ts'
import type { GatewayHabits } from '../../kernel/profile.ts'
import { selectFields } from '../../kernel/search-query.ts'
import { secondsAfter } from '../../kernel/units.ts'
import { checkQuota } from '../account/public.ts'
import type { Context } from '../context.ts'
import { Meter } from '../metering/public.ts'
import { gatewayIn } from '../pricing/public.ts'
import { SettingStore } from '../settings/public.ts'
import { GatewaySims, type Networks } from '../sim/public.ts'
import { firstHost, lastHost, startingHost } from './address-rules.ts'
import { AddressStore } from './address-store.ts'
import type { gatewayContract } from './contract.ts'
import { MonitorStore } from './monitor-store.ts'
import { PartsStore } from './parts-store.ts'
import {
  applySettings,
  change,
  checkDeletable,
  connect,
  disconnect,
  type Gateway,
  type GatewayChange,
  powerOff,
  powerOn,
  reset,
} from './rules.ts'
import { gatewayFields } from './search-fields.ts'
import { GatewayStore } from './store.ts'
import { SwitchStore } from './switch-store.ts'
import { changeFromWire, deletedToWire, envelope, gatewayToWire, newToWire } from './wire.ts'

export interface GatewayParts {
  readonly networks: Networks
  /** How long a new gateway is being made. */
  readonly provisioningSeconds: number
  readonly habits: GatewayHabits
  readonly wake?: Wake
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a list of handlers, each of a few lines
export function gatewayHandlers(parts: GatewayParts): Handlers<typeof gatewayContract, Context> {
  const { networks, habits, wake } = parts
  return {
    async gatewayList({ query }, context) {
      const { zone, now } = context
      const { total, gateways } = await storeOf(context).list(query, gatewayFields(zone, now))
      const ids = gateways.flatMap(({ switchId }) => switchId ?? [])
      const switches = await switchesOf(context).listByIds([...new Set(ids)])
      const found = gateways.map((gateway, position) => {
        const connected = switches.find(({ id }) => id === gateway.switchId)
        const wire = gatewayToWire(gateway, connected, now)
        const selected = selectFields(wire, query.include, query.exclude)
        return { ...selected, Index: query.from + position }
      })
      return { From: query.from, Count: found.length, Total: total, Appliances: found }
    },

    async gatewayRead({ params }, context) {
      return { Appliance: await present(await storeOf(context).get(params.appliance_id), context) }
    },

    async gatewayCreate({ body: { Appliance: draft } }, context) {
      // What is made has no older settings; a hash that comes along is noise.
      const wanted = changeFromWire({ ...draft, SettingsHash: null })
      await checkQuota(context.tx, context.caller, 'gateways', context.now)
      const gateway = await create(wanted, draft.Plan.ID, parts, context)
      const { id: resourceId, accountId, name, zone } = gateway
      const use = { accountId, resourceId, name, product: gatewayIn(zone) }
      await new Meter(context.tx, wake).begin(use, context.now)
      return {
        Appliance: newToWire(gateway),
        Success: 'Accepted',
        ...envelope('202 Accepted'),
      }
    },

    async gatewayUpdate({ params, body }, context) {
      const store = storeOf(context)
      const gateway = change(await store.get(params.appliance_id), changeFromWire(body.Appliance))
      await store.update(gateway)
      await new Meter(context.tx).rename(gateway.id, gateway.name)
      return { Appliance: await present(gateway, context), Success: true, ...envelope('200 OK') }
    },

    async gatewayConfigure({ params }, context) {
      const store = storeOf(context)
      await store.update(applySettings(await store.get(params.appliance_id)))
      return { Success: true, ...envelope('200 OK') }
    },

    async gatewayDelete({ params }, context) {
      const { tx, caller, now } = context
      const store = storeOf(context)
      const gateway = await store.get(params.appliance_id)
      checkDeletable(gateway, habits, now)
      await new GatewaySims(tx, caller.accountId, networks).removeAll(gateway.id, now)
      await new PartsStore(tx, gateway.id).deleteAll()
      await new MonitorStore(tx, gateway.id).deleteAll()
      await store.delete(gateway.id)
      await new Meter(tx).end(gateway.id, now)
      return { Appliance: deletedToWire(gateway, now), Success: true }
    },

    async gatewayPowerOn({ params }, context) {
      const store = storeOf(context)
      await store.update(powerOn(await store.get(params.appliance_id), context.now))
      return { Success: true }
    },

    async gatewayPowerOff({ params }, context) {
      await switchPower(powerOff, params.appliance_id, networks, context)
      return { Success: true }
    },

    async gatewayReset({ params }, context) {
      await switchPower(reset, params.appliance_id, networks, context)
      return { Success: true }
    },

    async gatewaySwitchConnect({ params }, context) {
      const store = storeOf(context)
      const gateway = await store.get(params.appliance_id)
      const { id } = await switchesOf(context).get(params.switch_id)
      connect(gateway, id, habits, context.now)
      if (!(await store.connect(gateway.id, id))) {
        throw new BadRequest(
          `Switch ${id} serves another gateway.`,
          `スイッチ ${id} は別のゲートウェイに接続されています。`,
        )
      }
      return { Success: true }
    },

    async gatewaySwitchDisconnect({ params }, context) {
      const store = storeOf(context)
      const gateway = disconnect(await store.get(params.appliance_id))
      await store.disconnect(gateway.id)
      return { Success: true }
    },
  }
}

function storeOf({ tx, caller, zone }: Context): GatewayStore {
  return new GatewayStore(tx, caller.accountId, zone)
}

function switchesOf({ tx, caller, zone }: Context): SwitchStore {
  return new SwitchStore(tx, caller.accountId, zone)
}

async function present(gateway: Gateway, context: Context) {
  const ids = gateway.switchId === undefined ? [] : [gateway.switchId]
  const [connected] = await switchesOf(context).listByIds(ids)
  return gatewayToWire(gateway, connected, context.now)
}

/** Through a state in which no session of its SIMs can live. */
async function switchPower(
  rule: (gateway: Gateway, now: Date) => Gateway,
  id: string,
  networks: Networks,
  context: Context,
): Promise<void> {
  const { tx, caller, now } = context
  const store = storeOf(context)
  const gateway = rule(await store.get(id), now)
  await store.update(gateway)
  await new GatewaySims(tx, caller.accountId, networks).endSessions(gateway.id, now)
}

/** The address is the gateway's from the beginning; it is shown when the gateway is there. */
async function create(
  wanted: GatewayChange,
  planId: number,
  { provisioningSeconds, habits }: GatewayParts,
  context: Context,
): Promise<Gateway> {
  const { tx, caller, zone, now } = context
  const id = idFromNumber<'gateway'>(await tx.next('resource'))
  const pool = parseCidr(await new SettingStore(tx).get('public_addresses'))
  if (pool === undefined) throw new Error('The setting public_addresses is no network.')
  const availableAt = secondsAfter(now, provisioningSeconds)
  const blank = { ...BLANK, id, accountId: caller.accountId, zone, planId, availableAt }
  const draft: Omit<Gateway, 'publicAddress'> = {
    ...blank,
    power: habits.bootByThemselves ? 'up' : 'down',
    powerChangedAt: availableAt,
    publicSubnet: pool,
    createdAt: now,
  }
  const addresses = new AddressStore(tx)
  const start = startingHost(pool, id)
  const searched = [
    () => Promise.resolve(start),
    () => addresses.findFree(start, lastHost(pool)),
    () => addresses.findFree(firstHost(pool), start - 1),
  ]
  for (const search of searched) {
    const publicAddress = await search()
    if (publicAddress === undefined) continue
    const gateway = change({ ...draft, publicAddress }, wanted)
    if (await storeOf(context).insert(gateway)) return gateway
  }
  throw new Unavailable('No public address is free.', '空いているグローバルアドレスがありません。')
}

const BLANK = {
  name: '',
  description: '',
  tags: [],
  iconId: undefined,
  settings: undefined,
  appliedSettings: undefined,
  switchId: undefined,
} as const
