import type { Handlers } from '../../kernel/contract.ts'
import { BadRequest, Conflict, NotFound } from '../../kernel/errors.ts'
import type { Wake } from '../../kernel/job.ts'
import { metricsSpan } from '../../kernel/steps.ts'
import type { Context } from '../context.ts'
import { ItemStore } from '../items/public.ts'
import { Meter } from '../metering/public.ts'
import { SIM_BASE } from '../pricing/public.ts'
import { parseFixedIp } from './address-rules.ts'
import { chooseCarriers } from './carrier-rules.ts'
import type { Carriers } from './carriers.ts'
import type { simContract } from './contract.ts'
import { LogStore } from './log-store.ts'
import type { Networks } from './networks.ts'
import { activate, deactivate, lockToImei, type Sim } from './rules.ts'
import { NO_TRAFFIC } from './session-rules.ts'
import { SessionStore } from './session-store.ts'
import { Sessions } from './sessions.ts'
import { SimStore } from './store.ts'
import { TrafficStore } from './traffic-store.ts'
import { carriersToWire, logsToWire, simToWire, stepsToWire } from './wire.ts'

type SimHandlers = Handlers<typeof simContract, Context>

export function simHandlers(
  networks: Networks,
  carriers: Carriers,
  isStrict: boolean,
  wake: Wake,
): SimHandlers {
  /** Changes the SIM, and its session where the change no longer allows it. */
  const change = async (
    id: string,
    { tx, caller, now }: Context,
    make: (sim: Sim) => Sim | Promise<Sim>,
  ) => {
    const sims = new SimStore(tx, caller.accountId)
    const changed = await make(await sims.get(id))
    await sims.update(changed)
    await new Sessions(tx, networks).settle(changed, now)
    return {}
  }

  return {
    ...readHandlers(carriers),
    ...addressHandlers(networks),

    async simActivate({ params }, context) {
      const { tx, caller, now } = context
      await change(params.sim_id, context, (sim) => activate(sim, now))
      const { id, name } = await new ItemStore(tx, caller.accountId).get(params.sim_id)
      const use = { accountId: caller.accountId, resourceId: id, name, product: SIM_BASE }
      await new Meter(tx, wake).begin(use, now)
      return {}
    },

    async simDeactivate({ params }, context) {
      const { tx, now } = context
      await change(params.sim_id, context, (sim) => deactivate(sim, now))
      await new Meter(tx).end(params.sim_id, now)
      return {}
    },

    async simReconnect({ params }, { tx, caller, now }) {
      const sim = await new SimStore(tx, caller.accountId).get(params.sim_id)
      await new Sessions(tx, networks).reconnect(sim, now)
      return {}
    },

    simCarriersSet: ({ params, body }, context) =>
      change(params.sim_id, context, async (sim) => ({
        ...sim,
        carriers: chooseCarriers(body.network_operator_config, await carriers.list(context.tx)),
      })),

    simImeiLock: ({ params, body }, context) =>
      change(params.sim_id, context, (sim) => lockToImei(sim, body.sim.imei, isStrict)),

    simImeiUnlock: ({ params }, context) =>
      change(params.sim_id, context, (sim) => ({ ...sim, imei: undefined })),
  }
}

function addressHandlers(networks: Networks): Pick<SimHandlers, 'simIpSet' | 'simIpClear'> {
  return {
    async simIpSet({ params, body }, { tx, caller, now }) {
      const ip = parseFixedIp(body.sim.ip)
      const sims = new SimStore(tx, caller.accountId)
      const sim = checkIpWanted(await sims.find(params.sim_id), params.sim_id)
      const network = await networks.of(tx, sim)
      if (network?.ownAddress === ip || !(await sims.setIp(sim, ip))) {
        throw new BadRequest(
          `sim.ip ${body.sim.ip} is taken in gateway ${sim.gatewayId}.`,
          `sim.ip ${body.sim.ip} はゲートウェイ ${sim.gatewayId} で使用済みです。`,
        )
      }
      await new Sessions(tx, networks).settle({ ...sim, ip }, now)
      return {}
    },

    async simIpClear({ params }, { tx, caller, now }) {
      const sims = new SimStore(tx, caller.accountId)
      const sim = await sims.get(params.sim_id)
      await sims.clearIp(sim)
      await new Sessions(tx, networks).settle({ ...sim, ip: undefined }, now)
      return {}
    },
  }
}

type Reads = 'simStatus' | 'simCarriersRead' | 'simSessionLog' | 'simMetrics' | 'simMetricsMonitor'

function readHandlers(carriers: Carriers): Pick<SimHandlers, Reads> {
  const simMetrics: SimHandlers['simMetrics'] = async ({ params, query }, { tx, caller, now }) => {
    const span = metricsSpan(query, now)
    const sim = await new SimStore(tx, caller.accountId).get(params.sim_id)
    return { Data: stepsToWire(await new TrafficStore(tx).listSteps(sim.id, span)) }
  }
  return {
    async simStatus({ params }, { tx, caller, now }) {
      const sim = await new SimStore(tx, caller.accountId).get(params.sim_id)
      const session = await new SessionStore(tx).find(sim.id)
      const month = await new TrafficStore(tx).monthOfSims([sim.id], now)
      return { sim: simToWire(sim, session, month.get(sim.id) ?? NO_TRAFFIC) }
    },

    async simCarriersRead({ params }, { tx, caller }) {
      const sim = await new SimStore(tx, caller.accountId).get(params.sim_id)
      return { network_operator_config: carriersToWire(sim, await carriers.list(tx)) }
    },

    async simSessionLog({ params, query }, { tx, caller }) {
      const sim = await new SimStore(tx, caller.accountId).get(params.sim_id)
      const logs = logsToWire(await new LogStore(tx).listOfSim(sim.id, query), query)
      return { logs, Count: logs.length }
    },

    simMetrics,
    simMetricsMonitor: simMetrics,
  }
}

/** The interface's refusals of an address, from the third on, in the order of docs/sims.md. */
function checkIpWanted(sim: Sim | undefined, id: string): Sim {
  if (sim === undefined) {
    throw new Conflict(`SIM ${id} is not registered.`, `SIM ${id} は登録されていません。`)
  }
  if (sim.gatewayId === undefined) {
    throw new NotFound(
      `SIM ${id} is not in a gateway.`,
      `SIM ${id} はゲートウェイに所属していません。`,
    )
  }
  if (sim.ip !== undefined) {
    throw new Conflict(
      `SIM ${id} has an address already.`,
      `SIM ${id} にはすでに IP アドレスが設定されています。`,
    )
  }
  return sim
}
