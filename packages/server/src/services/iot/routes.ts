import type { Handlers } from '../../kernel/contract.ts'
import type { Context } from '../context.ts'
import type { Networks } from '../sim/public.ts'
import { checkDraft } from './adapter-rules.ts'
import { AdapterStore } from './adapter-store.ts'
import { type AdapterTools, createAdapter, deleteAdapter } from './adapters.ts'
import type { iotContract } from './contract.ts'
import { ProjectSims } from './project-sims.ts'
import { getProject } from './projects.ts'
import { adapterToWire, draftFromWire, placeToWire, simToWire } from './wire.ts'

export function iotHandlers(
  networks: Networks,
  tools: AdapterTools,
): Handlers<typeof iotContract, Context> {
  const open = async (id: string, context: Context) => {
    const project = await getProject(id, context)
    return { project, sims: new ProjectSims(context.tx, project, networks) }
  }
  return {
    async projectSimConnect({ params }, context) {
      const { project, sims } = await open(params.project_id, context)
      await sims.connect(params.sim_id, tools.random, context.now)
      return { IoTPlatform: placeToWire(project) }
    },

    async projectSimIpSet({ params }, context) {
      const { sims } = await open(params.project_id, context)
      return { IoTPlatform: simToWire(await sims.setIp(params.sim_id, context.now)) }
    },

    async projectSimList({ params }, context) {
      const { sims } = await open(params.project_id, context)
      return { IoTPlatform: (await sims.list()).map(simToWire) }
    },

    async projectSimIpRelease({ params }, context) {
      const { sims } = await open(params.project_id, context)
      return { IoTPlatform: simToWire(await sims.releaseIp(params.sim_id, context.now)) }
    },

    async projectSimDisconnect({ params }, context) {
      const { project, sims } = await open(params.project_id, context)
      await sims.disconnect(params.sim_id, context.now)
      return { IoTPlatform: { sim_id: params.sim_id, ...placeToWire(project) } }
    },

    async adapterCreate({ params, body }, context) {
      const draft = draftFromWire(body.IoTPlatform)
      // Before the project is looked for: a broken body is refused whatever it is for.
      checkDraft(draft)
      const project = await getProject(params.project_id, context)
      const adapter = await createAdapter(context.tx, project, draft, tools, context.now)
      return { IoTPlatform: adapterToWire(adapter, project, context.origin) }
    },

    async adapterList({ params }, context) {
      const project = await getProject(params.project_id, context)
      const adapters = await new AdapterStore(context.tx, tools.box).list(project.id)
      return {
        IoTPlatform: adapters.map((adapter) => adapterToWire(adapter, project, context.origin)),
      }
    },

    async adapterDelete({ params }, context) {
      const project = await getProject(params.project_id, context)
      await deleteAdapter(context.tx, project, params.service_adapter_id, tools, context.now)
      return { IoTPlatform: { service_id: params.service_adapter_id } }
    },
  }
}
