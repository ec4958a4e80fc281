/** SIMs and service adapters of a project. */
import { defineContract } from '../../kernel/contract.ts'
import { NO_NUL, orNull, ResourceId, Secret } from '../../kernel/fields.ts'
import { Type } from '../../kernel/type.ts'
import {
  ADAPTER_NAME_LENGTH,
  ADAPTER_SECRET_PATTERN,
  ADAPTER_TYPES,
  URL_LENGTH_MAX,
} from './adapter-rules.ts'

const ProjectPath = Type.Object({ project_id: ResourceId })
const SimPath = Type.Object({ project_id: ResourceId, sim_id: Type.String() })

const SimLink = Type.Object({
  sim_id: Type.String(),
  ip_address: Type.Union([Type.String(), Type.Null()]),
  device_id: Type.String(),
})

const noProject = 'there is no such project'
const noLink = 'there is no such project, or the SIM is not connected to it'
const path = '/commonserviceitem/{project_id}/iotplatform/vmgw'

/** Clients send an empty list where an object has no members. */
const EmptyList = Type.Array(Type.Unknown(), { maxItems: 0 })
const secret = { secret: orNull(Secret({ pattern: ADAPTER_SECRET_PATTERN })) }

const AdapterDraft = Type.Object({
  type: Type.Enum([...ADAPTER_TYPES]),
  name: orNull(
    Type.String({
      minLength: ADAPTER_NAME_LENGTH.min,
      maxLength: ADAPTER_NAME_LENGTH.max,
      pattern: NO_NUL,
    }),
  ),
  settings: orNull(
    Type.Union([
      Type.Object({
        'incoming-webhook': orNull(Type.Union([Type.Object(secret), EmptyList])),
        'outgoing-webhook': orNull(
          Type.Union([
            Type.Object({ ...secret, url: orNull(Secret({ maxLength: URL_LENGTH_MAX })) }),
            EmptyList,
          ]),
        ),
      }),
      EmptyList,
    ]),
  ),
})

const OwnSettings = Type.Union([
  Type.Object({ secret: Type.Optional(Type.Union([Secret(), Type.Null()])) }),
  EmptyList,
])

const Adapter = Type.Object({
  id: Type.String(),
  name: Type.String(),
  type: Type.Enum([...ADAPTER_TYPES]),
  vmgw: Type.String(),
  token: Secret(),
  url: Secret(),
  /** The member of its own type is an object, the others are empty lists. */
  settings: Type.Object({
    'incoming-webhook': OwnSettings,
    'outgoing-webhook': OwnSettings,
    websocket: OwnSettings,
  }),
})

export const iotContract = defineContract({
  projectSimConnect: {
    method: 'PUT',
    path: `${path}/sims/{sim_id}`,
    summary: 'Connect a SIM to the project',
    access: 'arrange',
    params: SimPath,
    reply: Type.Object({
      IoTPlatform: Type.Object({ mgw_id: Type.String(), zone: Type.String() }),
    }),
    refuses: {
      not_found: 'there is no such project or no such SIM',
      conflict: 'the SIM is connected to another project',
    },
  },
  projectSimIpSet: {
    method: 'PUT',
    path: `${path}/sims/{sim_id}/ip`,
    summary: 'Give a connected SIM an address in the project',
    access: 'arrange',
    params: SimPath,
    reply: Type.Object({ IoTPlatform: SimLink }),
    refuses: { not_found: noLink, conflict: 'the project has no free address' },
  },
  projectSimList: {
    method: 'GET',
    path: `${path}/sims`,
    summary: 'List the SIMs that are connected to the project',
    access: 'view',
    params: ProjectPath,
    reply: Type.Object({ IoTPlatform: Type.Array(SimLink) }),
    refuses: { not_found: noProject },
  },
  projectSimIpRelease: {
    method: 'DELETE',
    path: `${path}/sims/{sim_id}/ip`,
    summary: 'Release the address of a SIM; it gets the same one again',
    access: 'arrange',
    params: SimPath,
    reply: Type.Object({ IoTPlatform: SimLink }),
    refuses: { not_found: `${noLink}, or it has no address` },
  },
  projectSimDisconnect: {
    method: 'DELETE',
    path: `${path}/sims/{sim_id}`,
    summary: 'Disconnect a SIM from the project',
    access: 'arrange',
    params: SimPath,
    reply: Type.Object({
      IoTPlatform: Type.Object({
        sim_id: Type.String(),
        mgw_id: Type.String(),
        zone: Type.String(),
      }),
    }),
    refuses: { not_found: noLink, conflict: 'the SIM has an address' },
  },
  adapterCreate: {
    method: 'POST',
    path: `${path}/services`,
    summary: 'Create a service adapter',
    access: 'arrange',
    params: ProjectPath,
    body: Type.Object({ IoTPlatform: AdapterDraft }),
    status: 201,
    reply: Type.Object({ IoTPlatform: Adapter }),
    refuses: {
      bad_request: 'type, name, secret or url breaks its rule',
      not_found: noProject,
    },
  },
  adapterList: {
    method: 'GET',
    path: `${path}/services`,
    summary: 'List the service adapters of the project',
    access: 'view',
    params: ProjectPath,
    reply: Type.Object({ IoTPlatform: Type.Array(Adapter) }),
    refuses: { not_found: noProject },
  },
  adapterDelete: {
    method: 'DELETE',
    path: `${path}/services/{service_adapter_id}`,
    summary: 'Delete a service adapter',
    access: 'arrange',
    params: Type.Object({ project_id: ResourceId, service_adapter_id: Type.String() }),
    reply: Type.Object({ IoTPlatform: Type.Object({ service_id: Type.String() }) }),
    refuses: { not_found: 'there is no such project or no such adapter' },
  },
})
