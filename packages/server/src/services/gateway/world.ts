/**
 * The `gateways` of a world file: gateways that an account has from the start, with SIMs in them. They
 * are made by the interface's own operation, so that a world cannot make what a caller could not; only
 * the time that making one takes is left out, and it is up from the start.
 */
import { labelFields } from '../../kernel/fields.ts'
import { INTERFACE_PROFILE } from '../../kernel/profile.ts'
import { parseSearch } from '../../kernel/search-query.ts'
import { type Static, Type } from '../../kernel/type.ts'
import type { Zone } from '../../kernel/zone.ts'
import type { Tx } from '../../storage/database.ts'
import { AccountStore } from '../account/public.ts'
import type { Context } from '../context.ts'
import { SettingStore } from '../settings/public.ts'
import { findSim, GatewaySims, listSims, type Networks } from '../sim/public.ts'
import { type Change, countChanges, WorldProblem, type WorldSection } from '../world-section.ts'
import { gatewayHandlers } from './routes.ts'
import { listGateways } from './store.ts'

const closed = { additionalProperties: false }
/** The usual plan; the interface knows it by this number. */
const PLAN_ID = 2

const entryIn = (zones: readonly Zone[]) =>
  Type.Object(
    {
      account: Type.String(),
      zone: Type.Enum([...zones]),
      Appliance: Type.Object({ ...labelFields, Name: Type.String({ minLength: 1 }) }, closed),
      /** The ICCIDs of its SIMs. */
      sims: Type.Optional(Type.Array(Type.String())),
    },
    closed,
  )
type GatewayEntry = Static<ReturnType<typeof entryIn>>

export function gatewaysSection(networks: Networks, zones: readonly Zone[]): WorldSection {
  return {
    key: 'gateways',
    schema: Type.Array(entryIn(zones)),
    async apply(value, tx, now) {
      const changes: Change[] = []
      // The schema above has been checked by whoever calls apply.
      for (const [index, entry] of (value as GatewayEntry[]).entries()) {
        const context = await contextOf(entry, index, tx, now)
        changes.push(await applyGateway(entry, index, context, networks))
      }
      return countChanges(changes)
    },
    export: exportGateways,
  }
}

/** One that the zone has by this name stays as it is, SIMs included. */
async function applyGateway(
  { Appliance: wanted, sims = [] }: GatewayEntry,
  index: number,
  context: Context,
  networks: Networks,
): Promise<Change> {
  const { tx, caller, now } = context
  const handlers = gatewayHandlers({
    networks,
    provisioningSeconds: 0,
    habits: INTERFACE_PROFILE.gateways,
  })
  const query = parseSearch({ Filter: { Name: [wanted.Name] } })
  const found = await handlers.gatewayList({ params: {}, query, body: undefined }, context)
  if (found.Total > 0) return 'unchanged'
  const body = { Appliance: { ...wanted, Class: 'mobilegateway' as const, Plan: { ID: PLAN_ID } } }
  const made = await handlers.gatewayCreate({ params: {}, query: undefined, body }, context)
  const limit = await new SettingStore(tx).get('sims_per_gateway')
  for (const [place, iccid] of sims.entries()) {
    const sim = await findSim(tx, { iccid })
    if (sim?.accountId !== caller.accountId || sim.gatewayId !== undefined) {
      const en = 'is no SIM of this account, or is in another gateway.'
      const ja = 'はこのアカウントの SIM でないか、別のゲートウェイに所属しています。'
      throw new WorldProblem([index, 'sims', place], en, ja)
    }
    const inGateway = new GatewaySims(tx, caller.accountId, networks)
    await inGateway.add(sim.id, made.Appliance.ID, limit, now)
  }
  return 'created'
}

/** As if the account itself had called. */
async function contextOf(
  { account: code, zone }: GatewayEntry,
  index: number,
  tx: Tx,
  now: Date,
): Promise<Context> {
  const account = await new AccountStore(tx).find(code)
  if (account === undefined) {
    throw new WorldProblem([index, 'account'], `${code} does not exist.`, `${code} はありません。`)
  }
  const key = { token: 'world', permission: 'create', external: [] } as const
  const caller = { accountId: account.id, accountCode: code, ...key }
  return { tx, caller, zone, now, origin: '', asNumbers: false }
}

async function exportGateways(tx: Tx): Promise<GatewayEntry[] | undefined> {
  const codes = new Map((await new AccountStore(tx).list()).map(({ id, code }) => [id, code]))
  const sims = Map.groupBy(await listSims(tx), ({ gatewayId }) => gatewayId)
  const entries = (await listGateways(tx)).map((gateway) => ({
    account: codes.get(gateway.accountId) ?? '',
    zone: gateway.zone,
    Appliance: {
      Name: gateway.name,
      Description: gateway.description,
      Tags: [...gateway.tags],
    },
    sims: (sims.get(gateway.id) ?? []).map(({ iccid }) => iccid),
  }))
  return entries.length === 0 ? undefined : entries
}
