/** What strict decoders of existing clients expect of each kind of resource. */
import { type Shape, TIME_OR_NULL } from './shapes.ts'

export const LABELS = { Name: 'string', Description: 'string', Tags: ['string'] } as const
export const PAGE = {
  From: 'integer',
  Count: 'integer',
  Total: 'integer',
  is_ok: 'boolean',
} as const
export const NULLABLE_OBJECT: Shape = { either: [{}, 'null'] }

export const ITEM = {
  ID: 'string',
  Name: 'string',
  Description: { either: ['string', 'null'] },
  Settings: 'null',
  SettingsHash: 'null',
  Status: NULLABLE_OBJECT,
  ServiceClass: 'string',
  Availability: 'string',
  CreatedAt: 'time',
  ModifiedAt: 'time',
  Provider: { ID: 'integer', Class: 'string', Name: 'string', ServiceClass: 'string' },
  Icon: 'null',
  Tags: ['string'],
} satisfies Shape

export const SIM: Shape = {
  iccid: 'string',
  imsi: ['string'],
  session_status: 'string',
  imei_lock: 'boolean',
  registered: 'boolean',
  activated: 'boolean',
  resource_id: 'string',
  registered_date: TIME_OR_NULL,
  activated_date: TIME_OR_NULL,
  deactivated_date: TIME_OR_NULL,
  'simgroup_id?': 'string',
  traffic_bytes_of_current_month: {
    either: [{ uplink_bytes: 'integer', downlink_bytes: 'integer' }, []],
  },
}

export const SUBNET: Shape = {
  NetworkAddress: 'string',
  NetworkMaskLen: 'integer',
  DefaultRoute: 'string',
  Internet: { BandWidthMbps: 'integer' },
}

export const APPLIANCE = {
  ...LABELS,
  ID: 'string',
  Class: 'string',
  Plan: { ID: 'integer' },
  SettingsHash: { either: ['string', 'null'] },
  Remark: { Zone: { ID: 'string' } },
  Availability: 'string',
  CreatedAt: 'time',
  Icon: 'null',
} satisfies Shape

export const RUNNING: Shape = {
  ...APPLIANCE,
  Remark: { Zone: { ID: 'string' }, MobileGateway: { GlobalAddress: 'string' } },
  Instance: { Status: 'string', StatusChangedAt: TIME_OR_NULL },
  Interfaces: [
    { IPAddress: { either: ['string', 'null'] }, Switch: { ID: 'string', Scope: 'string' } },
  ],
}

export const SWITCH: Shape = {
  ...LABELS,
  ID: 'string',
  Scope: 'string',
  Subnet: 'null',
  CreatedAt: 'time',
}

export const SITE: Shape = {
  ID: 'string',
  Name: 'string',
  DomainType: 'string',
  Status: 'string',
  RequestProtocol: 'string',
  DefaultCacheTTL: 'integer',
  CreatedAt: 'time',
  HasCertificate: 'boolean',
  CertValidNotBefore: { either: ['integer', 'null'] },
  CertValidNotAfter: { either: ['integer', 'null'] },
}

export const REGION: Shape = { ID: 'integer', NameServers: ['string'] }

export const IDENTITY: Shape = {
  resource_id: 'integer',
  auth_type: 'string',
  limited_to_project_id: 'integer',
}

export const BILL: Shape = {
  ...{ BillID: 'integer', Amount: 'integer', Date: 'time', PayLimit: 'time', Paid: 'boolean' },
  ...{ MemberID: 'string', PaymentClassID: 'integer' },
}

export const DETAIL: Shape = {
  ...{ ContractID: 'string', ServiceClassID: 'integer', Usage: 'integer', Amount: 'integer' },
  Index: 'integer',
}

export const PRICE: Shape = {
  ...{ ServiceClassID: 'integer', ServiceClassName: 'string', ServiceClassPath: 'string' },
  ...{ DisplayName: 'string', IsPublic: 'boolean' },
  Price: {
    ...{ Base: 'integer', Daily: 'integer', Hourly: 'integer', Monthly: 'integer' },
    Zone: { either: ['string', 'null'] },
  },
}
