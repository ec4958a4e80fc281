import type { Handlers } from '../../kernel/contract.ts'
import { Conflict } from '../../kernel/errors.ts'
import { idFromNumber } from '../../kernel/ids.ts'
import { selectFields } from '../../kernel/search-query.ts'
import type { Context } from '../context.ts'
import { changeLabels } from './rules.ts'
import { switchFields } from './search-fields.ts'
import type { switchContract } from './switch-contract.ts'
import { checkUserSubnet, type Switch } from './switch-rules.ts'
import { SwitchStore } from './switch-store.ts'
import { type SwitchChange, switchFromWire, switchToWire } from './switch-wire.ts'

export const switchHandlers: Handlers<typeof switchContract, Context> = {
  async switchList({ query }, context) {
    const store = storeOf(context)
    const { total, switches } = await store.list(query, switchFields)
    const connected = await store.listConnected(switches.map(({ id }) => id))
    const found = switches.map((item, position) => {
      const wire = switchToWire(item, connected.has(item.id))
      return {
        ...selectFields(wire, query.include, query.exclude),
        Index: query.from + position,
      }
    })
    return { From: query.from, Count: found.length, Total: total, Switches: found }
  },

  async switchRead({ params }, context) {
    const store = storeOf(context)
    return { Switch: await present(await store.get(params.switch_id), store) }
  },

  async switchCreate({ body }, context) {
    const { tx, caller, zone, now } = context
    const id = idFromNumber<'switch'>(await tx.next('resource'))
    const blank = { id, accountId: caller.accountId, zone, ...BLANK, createdAt: now }
    const made = change({ ...blank, modifiedAt: now }, switchFromWire(body.Switch), now)
    const store = storeOf(context)
    await store.insert(made)
    return { Switch: await present(made, store), Success: true }
  },

  async switchUpdate({ params, body }, context) {
    const store = storeOf(context)
    const old = await store.get(params.switch_id)
    const changed = change(old, switchFromWire(body.Switch), context.now)
    await store.update(changed)
    return { Switch: await present(changed, store), Success: true }
  },

  async switchDelete({ params }, context) {
    const store = storeOf(context)
    const item = await store.get(params.switch_id)
    if (!(await store.delete(item.id))) {
      throw new Conflict(
        `A gateway is connected to switch ${item.id}.`,
        `スイッチ ${item.id} にゲートウェイが接続されています。`,
      )
    }
    return { Switch: switchToWire(item, false), Success: true }
  },

  // Servers are no part of this cloud, but clients ask for them before they delete a switch.
  async switchServerList({ params }, context) {
    await storeOf(context).get(params.switch_id)
    return { From: 0, Count: 0, Total: 0, Servers: [] }
  },
}

const BLANK = {
  name: '',
  description: '',
  tags: [],
  iconId: undefined,
  userSubnet: undefined,
} as const

function storeOf({ tx, caller, zone }: Context): SwitchStore {
  return new SwitchStore(tx, caller.accountId, zone)
}

async function present(item: Switch, store: SwitchStore) {
  return switchToWire(item, (await store.listConnected([item.id])).has(item.id))
}

function change(old: Switch, wanted: SwitchChange, now: Date): Switch {
  const userSubnet =
    wanted.userSubnet === undefined
      ? old.userSubnet
      : wanted.userSubnet === null
        ? undefined
        : checkUserSubnet(wanted.userSubnet)
  return { ...changeLabels(old, wanted), userSubnet, modifiedAt: now }
}
