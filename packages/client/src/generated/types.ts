// Generated from the contracts of the server by `npm run generate`; do not edit.
import type { Search } from '../search.ts'

export type Zone = 'is1a' | 'is1b' | 'tk1a' | 'tk1v' | 'is1z' | 'is1c' | 'tk1b'

/** What any operation may refuse with, besides its own codes. */
export type GeneralCode = 'request_timeout' | 'request_too_large' | 'expectation_failed' | 'too_many_request' | 'internal_server_error'

export interface Account {
  id: string
  code: string
  name: string
  class: string
  member: { code: string; class: string }
  contact: { email: string; language: 'en' | 'ja' } | null
  created_at: string
}

export interface AdapterCreateIoTPlatform {
  id: string
  name: string
  type: 'incoming-webhook' | 'outgoing-webhook' | 'websocket'
  vmgw: string
  token: string
  url: string
  settings: Settings
}

export interface Affect {
  account: string
  resource_class: 'server' | 'appliance'
  resource_id: string
}

export interface Appliance {
  ID: string
  Class: 'mobilegateway'
  Name: string
  Description: string
  Plan: { ID: number }
  Settings: { MobileGateway: Record<string, unknown> } | null
  SettingsHash: string | null
  Remark: Remark
  Availability: 'migrating' | 'available'
  Instance: { Status: 'up' | 'down'; StatusChangedAt: string | null } | null
  ServiceClass: string
  CreatedAt: string
  Icon: { ID: string } | null
  Switch: null
  Interfaces: readonly (Record<string, unknown> | null)[]
  Tags: readonly string[]
}

export interface Bill {
  BillID: number
  Date: string
  Amount: number
  MemberID: string
  Paid: boolean
  PayLimit: string
  PaymentClassID: number
}

export interface Certificate {
  ID: string
  SiteID: string
  CertificateChain: string
  SerialNumber: string
  NotBefore: string | number
  NotAfter: string | number
  Issuer: Issuer
  Subject: Subject
  DNSNames: readonly string[]
  SHA256Fingerprint: string
  CreatedAt: string
  UpdatedAt: string
}

export interface CommonServiceItem {
  ID: string
  Name: string
  Description: string | null
  Settings: null
  SettingsHash: null
  Status: Record<string, unknown> | null
  ServiceClass: string
  Availability: string
  CreatedAt: string
  ModifiedAt: string
  Provider: Provider
  Icon: { ID: string } | null
  Tags: readonly string[]
}

export interface ESME { messageId: string; otp: string; status: string }

export interface Fault {
  id: string
  operation: string
  account?: string
  nth?: number
  times?: number
  probability?: number
  from?: string
  until?: string
  phase?: 'before' | 'after'
  effect: {
    status: 400 | 401 | 403 | 404 | 408 | 409 | 413 | 429 | 500 | 503
    retry_after_seconds?: number
  } | { latency_ms: number } | { reset: true } | { truncate_bytes: number }
  hits: number
}

export interface IoTPlatform { sim_id: string; ip_address: string | null; device_id: string }

export interface Issuer {
  Country: string
  Organization: string
  OrganizationalUnit: string
  CommonName: string
}

export interface ItemCreateCommonServiceItem {
  Name?: string | null
  Description?: string | null
  Tags?: readonly string[] | null
  Icon?: { ID?: string | number } | null
  Provider: { Class: string }
  ServiceClass?: string | null
  Status?: { ICCID?: string | null } | null
  Remark?: { PassCode?: string | null } | null
}

export interface Key {
  token: string
  permission: string
  external: readonly string[]
  rights: { en: string; ja: string }
  note: string
  allowed_addresses: readonly string[]
  created_at: string
  expires_at: string | null
  last_used_at: string | null
}

export interface Log {
  date?: string
  session_status?: string
  resource_id?: string
  imei?: string
  imsi?: string
}

export interface Maintenance {
  maintenance_id: string
  zone: 'is1a' | 'is1b' | 'tk1a' | 'tk1v' | 'is1z' | 'is1c' | 'tk1b'
  start_at: string
  end_at: string
  title: string
  info_url?: string
  service?: string
  affects?: readonly Affect[]
}

export interface Message {
  messageId: string
  destination: string
  text: string
  segments: number
  encoding: string
  otp: string
  status: string
  sentAt: string
  doneAt: string | null
  retryCount: number
  transport: 'outbox' | 'kannel' | 'http'
  reference: string | null
  uncertain: boolean
  reports: readonly Report[]
}

export interface MobileGateway {
  InternetConnection?: { Enabled: 'True' | 'False' } | null
  InterDeviceCommunication?: { Enabled: 'True' | 'False' } | null
  Interfaces?: readonly ({ IPAddress: readonly string[]; NetworkMaskLen: number } | null)[] | null
  StaticRoutes?: readonly { Prefix: string; NextHop: string }[] | null
}

export interface NetworkElement {
  name: string
  address: string
  carriers: Record<string, string>
  coa_port: number
  last_seen: string | null
  accepted: number
  refused: number
  accounting_packets: number
  sessions: number
}

export interface Notice {
  id: number
  account_id: string
  gateway_id: string
  channel: 'email' | 'chat'
  target: string | null
  text: string
  language: 'en' | 'ja' | null
  message_id: string | null
  status: 'kept' | 'waiting' | 'sent' | 'failed'
  attempts: number
  reason: string | null
  created_at: string
  done_at: string | null
}

export interface OperatorBillListBill {
  bill_id: number
  account_id: string
  member_code: string
  month: string
  amount: number
  state: 'pending' | 'unpaid' | 'paid'
  pay_limit: string
}

export interface OperatorMessageSendMessage {
  id: string
  device_id: string
  type: 'object'
  datetime: string
  payload: readonly Payload[]
}

export interface Payload {
  tag: string
  type: 'uint8' | 'uint16' | 'uint32' | 'uint64' | 'int8' | 'int16' | 'int32' | 'int64' | 'float32' | 'float64' | 'bool' | 'string' | 'binary'
  value: string | number | boolean
}

export interface Provider {
  ID: number | string
  Class: string
  Name: string
  ServiceClass: string
}

export interface Quota {
  name: 'sims' | 'gateways' | 'projects' | 'sites' | 'messages_per_day' | 'requests_per_second' | 'file_bytes'
  limit: number | null
  used: number | null
}

export interface Region {
  ID: number
  Name: string
  Description: string
  NameServers: readonly string[]
}

export interface Remark {
  Servers: readonly Record<string, unknown>[]
  Switch: { Scope: string }
  Zone: { ID: string }
}

export interface Report {
  id: string
  status: 'Delivered' | 'Failed' | 'Submitted' | 'Buffered'
  at: string
  receivedAt: string
}

export interface Rotation {
  to: string
  requested_at: string
  finished_at: string | null
  resealed: number
  failed: number
}

export interface Settings {
  'incoming-webhook': { secret?: string | null } | readonly unknown[]
  'outgoing-webhook': { secret?: string | null } | readonly unknown[]
  websocket: { secret?: string | null } | readonly unknown[]
}

export interface Site {
  ID: string
  Name: string
  DomainType: string
  Domain: string
  ASCIIDomain: string
  Subdomain: string
  OriginProtocol: string
  RequestProtocol: string
  OriginType: string
  Origin?: string
  HostHeader?: string
  BucketName?: string
  S3Endpoint?: string
  S3Region?: string
  AccessKeyID?: string
  DocIndex?: string
  VarySupport: string
  NormalizeAE: string
  CORSRules: readonly { AllowsAnyOrigin?: boolean; AllowedOrigins?: readonly string[] }[]
  Status: string
  OriginGuardToken: string
  NextOriginGuardToken: string
  DefaultCacheTTL: number
  CreatedAt: string
  HasCertificate: boolean
  HasOldCertificate: boolean
  GibSentInLastWeek: number
  CertType: string
  CertOpStatus: string
  CertValidNotBefore: string | number | null
  CertValidNotAfter: string | number | null
  OnetimeURLSecrets: readonly string[]
}

export interface SiteLogUploadConfig {
  Bucket: string
  Endpoint: string
  Region: string
  AccessKeyID: string
  SecretAccessKey?: string
  Status: string
}

export interface Snapshot { name: string; created_at: string; bytes: number }

export interface Subject {
  Country: string
  Organization: string
  OrganizationalUnit: string
  CommonName: string
  Locality: string
  Province: string
  StreetAddress: string
  PostalCode: string
  SerialNumber: string
}

export interface Switch {
  ID: string
  Name: string
  Description: string
  Tags: readonly string[]
  Icon: { ID: string } | null
  Scope: 'user'
  Subnet: null
  Subnets: readonly never[]
  UserSubnet: { DefaultRoute: string; NetworkMaskLen: number } | null
  ServerCount: 0
  ApplianceCount: number
  Zone: { ID: string; Name: string }
  CreatedAt: string
  ModifiedAt: string
}

export interface SwitchCreateSwitch {
  Name?: string | null
  Description?: string | null
  Tags?: readonly string[] | null
  Icon?: { ID?: string | number } | null
  UserSubnet?: { DefaultRoute: string; NetworkMaskLen: number } | null
}

export interface TrafficMonitoringConfig {
  traffic_quota_in_mb: number
  auto_traffic_shaping?: boolean | null
  bandwidth_limit_in_kbps?: number | null
  email_config?: { enabled: boolean } | null
  chat_config?: { enabled: boolean; chat_url?: string | null } | null
}

export interface Webhook {
  id: string
  message_id: string
  project_id: string
  service_id: string
  status: 'waiting' | 'delivered' | 'dead'
  attempts: number
  reason: string | null
  response_code: number | null
  created_at: string
  done_at: string | null
  log: readonly WebhookOutboxListLog[]
}

export interface WebhookOutboxListLog {
  attempt: number
  time: string
  outcome: 'sent' | 'failed' | 'refused'
  response_code: number | null
}

/** Each operation by its name: what it takes, what it answers with and the codes of its refusals. */
export interface Operations {
  /** Read whose key this is and what it may do. */
  authStatus: {
    reply: {
      Account: { ID: string; Code: string; Name: string; Class: string }
      Member: { Code: string; Class: string; Errors: readonly string[] }
      User: string | null
      AuthMethod: string
      AuthClass: string
      Permission: string
      ExternalPermission: string
      RESTFilter: string | null
      IsAPIKey: boolean
      OperationPenalty: string
    }
    refuses: 'unauthorized' | 'forbidden' | 'not_found'
  }
  /** List the zones. */
  zoneList: {
    search: Search
    reply: {
      From: number
      Count: number
      Total: number
      Zones: readonly {
        Index: number
        ID?: number
        DisplayOrder?: number
        Name?: string
        Description?: string
        IsDummy?: boolean
        Region?: Region
      }[]
    }
    refuses: 'bad_request' | 'unauthorized' | 'forbidden' | 'not_found'
  }
  /** Read one zone. */
  zoneRead: {
    params: { zone_id: string }
    reply: {
      Zone: {
        ID: number
        DisplayOrder: number
        Name: string
        Description: string
        IsDummy: boolean
        Region: Region
      }
    }
    refuses: 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** List the regions that zones are in. */
  regionList: {
    search: Search
    reply: {
      From: number
      Count: number
      Total: number
      Regions: readonly {
        Index: number
        ID?: number
        Name?: string
        Description?: string
        NameServers?: readonly string[]
      }[]
    }
    refuses: 'bad_request' | 'unauthorized' | 'forbidden' | 'not_found'
  }
  /** Read one region. */
  regionRead: {
    params: { region_id: string }
    reply: { Region: Region }
    refuses: 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** List the items of the account. */
  itemList: {
    search: Search
    reply: {
      From: number
      Count: number
      Total: number
      CommonServiceItems: readonly {
        Index: number
        ID?: string
        Name?: string
        Description?: string | null
        Settings?: null
        SettingsHash?: null
        Status?: Record<string, unknown> | null
        ServiceClass?: string
        Availability?: string
        CreatedAt?: string
        ModifiedAt?: string
        Provider?: Provider
        Icon?: { ID: string } | null
        Tags?: readonly string[]
      }[]
    }
    refuses: 'bad_request' | 'unauthorized' | 'forbidden' | 'not_found'
  }
  /** Read one item. */
  itemRead: {
    params: { id: string }
    reply: { CommonServiceItem: CommonServiceItem }
    refuses: 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** Create an item: a SIM, a project or a short message service. */
  itemCreate: {
    body: { CommonServiceItem: ItemCreateCommonServiceItem }
    reply: { CommonServiceItem: CommonServiceItem; Success: true }
    refuses: 'bad_request' | 'not_found' | 'conflict' | 'too_many_request' | 'unauthorized' | 'forbidden'
  }
  /** Create an item: a SIM, a project or a short message service. */
  itemCreateByPut: {
    body: { CommonServiceItem: ItemCreateCommonServiceItem }
    reply: { CommonServiceItem: CommonServiceItem; Success: true }
    refuses: 'bad_request' | 'not_found' | 'conflict' | 'too_many_request' | 'unauthorized' | 'forbidden'
  }
  /** Change the name, description, tags or icon of an item. */
  itemUpdate: {
    params: { id: string }
    body: {
      CommonServiceItem: {
        Name?: string | null
        Description?: string | null
        Tags?: readonly string[] | null
        Icon?: { ID?: string | number } | null
      }
    }
    reply: { CommonServiceItem: CommonServiceItem; Success: true }
    refuses: 'bad_request' | 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** Delete an item. */
  itemDelete: {
    params: { id: string }
    reply: { CommonServiceItem?: CommonServiceItem; Success?: true }
    refuses: 'bad_request' | 'not_found' | 'conflict' | 'unauthorized' | 'forbidden'
  }
  /** Read the state of a SIM. */
  simStatus: {
    params: { sim_id: string }
    reply: {
      sim: {
        iccid: string
        imsi: readonly string[]
        ip?: string
        session_status: string
        imei_lock: boolean
        imei?: string
        registered: boolean
        activated: boolean
        resource_id: string
        registered_date: string | null
        activated_date: string | null
        deactivated_date: string | null
        simgroup_id?: string
        traffic_bytes_of_current_month: { uplink_bytes: number; downlink_bytes: number } | readonly never[]
        connected_imei?: string
      }
    }
    refuses: 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** Activate a registered SIM. */
  simActivate: {
    params: { sim_id: string }
    reply: Record<string, unknown>
    refuses: 'not_found' | 'conflict' | 'unauthorized' | 'forbidden'
  }
  /** Deactivate a SIM; its session ends. */
  simDeactivate: {
    params: { sim_id: string }
    reply: Record<string, unknown>
    refuses: 'not_found' | 'conflict' | 'unauthorized' | 'forbidden'
  }
  /** Drop the session of a SIM and let the device come back. */
  simReconnect: {
    params: { sim_id: string }
    reply: Record<string, unknown>
    refuses: 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** Read which carriers a SIM may use. */
  simCarriersRead: {
    params: { sim_id: string }
    reply: {
      network_operator_config: readonly { name: string; country_code: string; allow: boolean }[]
    }
    refuses: 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** Say which carriers a SIM may use. */
  simCarriersSet: {
    params: { sim_id: string }
    body: { network_operator_config: readonly { name: string; allow: boolean }[] }
    reply: Record<string, unknown>
    refuses: 'bad_request' | 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** Give a SIM that is in a gateway a fixed address. */
  simIpSet: {
    params: { sim_id: string }
    body: { sim: { ip: string } }
    reply: Record<string, unknown>
    refuses: 'bad_request' | 'not_found' | 'conflict' | 'unauthorized' | 'forbidden'
  }
  /** Take the fixed address of a SIM away. */
  simIpClear: {
    params: { sim_id: string }
    reply: Record<string, unknown>
    refuses: 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** Lock a SIM to one device. */
  simImeiLock: {
    params: { sim_id: string }
    body: { sim: { imei: string } }
    reply: Record<string, unknown>
    refuses: 'bad_request' | 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** Let a SIM work in any device. */
  simImeiUnlock: {
    params: { sim_id: string }
    reply: Record<string, unknown>
    refuses: 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** Read when the sessions of a SIM began and ended, newest first. */
  simSessionLog: {
    params: { sim_id: string }
    search: Search
    reply: { logs: readonly Log[]; Count: number }
    refuses: 'bad_request' | 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** Read the traffic of a SIM in steps of five minutes. */
  simMetrics: {
    params: { sim_id: string }
    query: { Start?: string | null; End?: string | null }
    reply: { Data: Record<string, { UplinkBps: number; DownlinkBps: number }> }
    refuses: 'bad_request' | 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** Read the traffic of a SIM in steps of five minutes. */
  simMetricsMonitor: {
    params: { sim_id: string }
    query: { Start?: string | null; End?: string | null }
    reply: { Data: Record<string, { UplinkBps: number; DownlinkBps: number }> }
    refuses: 'bad_request' | 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** List the gateways of the account in this zone. */
  gatewayList: {
    search: Search
    reply: {
      From: number
      Count: number
      Total: number
      Appliances: readonly {
        Index: number
        ID?: string
        Class?: 'mobilegateway'
        Name?: string
        Description?: string
        Plan?: { ID: number }
        Settings?: { MobileGateway: Record<string, unknown> } | null
        SettingsHash?: string | null
        Remark?: Remark
        Availability?: 'migrating' | 'available'
        Instance?: { Status: 'up' | 'down'; StatusChangedAt: string | null } | null
        ServiceClass?: string
        CreatedAt?: string
        Icon?: { ID: string } | null
        Switch?: null
        Interfaces?: readonly (Record<string, unknown> | null)[]
        Tags?: readonly string[]
      }[]
    }
    refuses: 'bad_request' | 'unauthorized' | 'forbidden' | 'not_found'
  }
  /** Read one gateway. */
  gatewayRead: {
    params: { appliance_id: string }
    reply: { Appliance: Appliance }
    refuses: 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** Create a gateway; it is being made for a while. */
  gatewayCreate: {
    body: {
      Appliance: {
        Name?: string | null
        Description?: string | null
        Tags?: readonly string[] | null
        Icon?: { ID?: string | number } | null
        Settings?: { MobileGateway?: MobileGateway | null } | null
        Class: 'mobilegateway'
        Plan: { ID: number }
        Remark?: {
          Servers?: readonly Record<string, unknown>[] | null
          Switch?: { Scope: 'shared' } | null
        } | null
      }
    }
    reply: {
      Appliance: Appliance
      Success: 'Accepted'
      ReturnCode: 0
      ResponseHeaders: { Status: string; Cause: null }
      Out: null
    }
    refuses: 'bad_request' | 'conflict' | 'service_unavailable' | 'unauthorized' | 'forbidden' | 'not_found'
  }
  /** Change the labels of a gateway and store its settings. */
  gatewayUpdate: {
    params: { appliance_id: string }
    body: {
      Appliance: {
        Name?: string | null
        Description?: string | null
        Tags?: readonly string[] | null
        Icon?: { ID?: string | number } | null
        Settings?: { MobileGateway?: MobileGateway | null } | null
        SettingsHash?: string | null
      }
    }
    reply: {
      Appliance: Appliance
      Success: true
      ReturnCode: 0
      ResponseHeaders: { Status: string; Cause: null }
      Out: null
    }
    refuses: 'bad_request' | 'not_found' | 'original_hash_mismatch' | 'unauthorized' | 'forbidden'
  }
  /** Apply the stored settings of a gateway to the network. */
  gatewayConfigure: {
    params: { appliance_id: string }
    reply: {
      Success: true
      ReturnCode: 0
      ResponseHeaders: { Status: string; Cause: null }
      Out: null
    }
    refuses: 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** Delete a gateway. */
  gatewayDelete: {
    params: { appliance_id: string }
    reply: { Appliance: Appliance; Success: true }
    refuses: 'not_found' | 'server_power_must_be_down' | 'unauthorized' | 'forbidden'
  }
  /** Turn a gateway on. */
  gatewayPowerOn: {
    params: { appliance_id: string }
    reply: { Success: true }
    refuses: 'not_found' | 'conflict' | 'still_creating' | 'unauthorized' | 'forbidden'
  }
  /** Turn a gateway off; the sessions of its SIMs end. */
  gatewayPowerOff: {
    params: { appliance_id: string }
    reply: { Success: true }
    refuses: 'bad_request' | 'not_found' | 'conflict' | 'still_creating' | 'unauthorized' | 'forbidden'
  }
  /** Restart a gateway; the sessions of its SIMs end. */
  gatewayReset: {
    params: { appliance_id: string }
    reply: { Success: true }
    refuses: 'not_found' | 'conflict' | 'still_creating' | 'unauthorized' | 'forbidden'
  }
  /** Connect the private interface of a gateway to a switch. */
  gatewaySwitchConnect: {
    params: { appliance_id: string; switch_id: string }
    reply: { Success: true }
    refuses: 'bad_request' | 'not_found' | 'conflict' | 'server_power_must_be_down' | 'unauthorized' | 'forbidden'
  }
  /** Disconnect the private interface of a gateway. */
  gatewaySwitchDisconnect: {
    params: { appliance_id: string }
    reply: { Success: true }
    refuses: 'not_found' | 'conflict' | 'unauthorized' | 'forbidden'
  }
  /** Read the resolvers of a gateway. */
  gatewayDnsRead: {
    params: { appliance_id: string }
    reply: { sim_group: { dns_1: string; dns_2?: string } | readonly never[] }
    refuses: 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** Set the resolvers of a gateway. */
  gatewayDnsUpdate: {
    params: { appliance_id: string }
    body: { sim_group: { dns_1: string; dns_2?: string | null } }
    reply: Record<string, unknown>
    refuses: 'bad_request' | 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** List the SIM routes of a gateway. */
  gatewayRouteList: {
    params: { appliance_id: string }
    reply: {
      sim_routes: readonly { iccid: string; resource_id: string; prefix: string }[]
    }
    refuses: 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** Replace the SIM routes of a gateway. */
  gatewayRouteUpdate: {
    params: { appliance_id: string }
    body: {
      sim_routes: readonly { resource_id: string; prefix: string }[] | null
    }
    reply: Record<string, unknown>
    refuses: 'bad_request' | 'not_found' | 'conflict' | 'unauthorized' | 'forbidden'
  }
  /** Read the traffic control of a gateway. */
  gatewayTrafficControlRead: {
    params: { appliance_id: string }
    reply: { traffic_monitoring_config: TrafficMonitoringConfig }
    refuses: 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** Set the traffic control of a gateway. */
  gatewayTrafficControlUpdate: {
    params: { appliance_id: string }
    body: { traffic_monitoring_config: TrafficMonitoringConfig }
    reply: Record<string, unknown>
    refuses: 'bad_request' | 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** End the traffic control of a gateway. */
  gatewayTrafficControlDelete: {
    params: { appliance_id: string }
    reply: Record<string, unknown>
    refuses: 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** Read the traffic of a gateway in this month. */
  gatewayTrafficRead: {
    params: { appliance_id: string }
    reply: {
      traffic_status: {
        uplink_bytes: string
        downlink_bytes: string
        traffic_shaping: boolean
      }
    }
    refuses: 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** List the SIMs of a gateway. */
  gatewaySimList: {
    params: { appliance_id: string }
    search: Search
    reply: {
      sim: readonly {
        iccid?: string
        imsi?: readonly string[]
        ip?: string
        session_status?: string
        imei_lock?: boolean
        imei?: string
        registered?: boolean
        activated?: boolean
        resource_id?: string
        registered_date?: string | null
        activated_date?: string | null
        deactivated_date?: string | null
        simgroup_id?: string
        traffic_bytes_of_current_month?: { uplink_bytes: number; downlink_bytes: number } | readonly never[]
        connected_imei?: string
      }[]
      Total: number
      From: number
      Count: number
    }
    refuses: 'bad_request' | 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** Put a SIM into a gateway. */
  gatewaySimAdd: {
    params: { appliance_id: string }
    body: { sim: { resource_id: string } }
    reply: Record<string, unknown>
    refuses: 'bad_request' | 'not_found' | 'conflict' | 'unauthorized' | 'forbidden'
  }
  /** Take a SIM out of a gateway. */
  gatewaySimRemove: {
    params: { appliance_id: string; sim_id: string }
    reply: Record<string, unknown>
    refuses: 'not_found' | 'conflict' | 'unauthorized' | 'forbidden'
  }
  /** Read the session log of a gateway, newest first. */
  gatewaySessionLog: {
    params: { appliance_id: string }
    search: Search
    reply: { logs: readonly Log[]; Count: number }
    refuses: 'bad_request' | 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** Read the traffic of the public interface in steps of five minutes. */
  gatewayMonitor: {
    params: { appliance_id: string }
    query: { Start?: string | null; End?: string | null }
    reply: { Data: Record<string, { Send: number; Receive: number }> }
    refuses: 'bad_request' | 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** Read the traffic of one interface in steps of five minutes. */
  gatewayInterfaceMonitor: {
    params: { appliance_id: string; interface: '0' | '1' }
    query: { Start?: string | null; End?: string | null }
    reply: { Data: Record<string, { Send: number; Receive: number }> }
    refuses: 'bad_request' | 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** Read the settings that were last applied to the network. */
  gatewayAppliedRead: {
    params: { appliance_id: string }
    reply: {
      Settings: { MobileGateway: Record<string, unknown> } | null
      SettingsHash: string | null
    }
    refuses: 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** List the switches of the account in this zone. */
  switchList: {
    search: Search
    reply: {
      From: number
      Count: number
      Total: number
      Switches: readonly {
        Index: number
        ID?: string
        Name?: string
        Description?: string
        Tags?: readonly string[]
        Icon?: { ID: string } | null
        Scope?: 'user'
        Subnet?: null
        Subnets?: readonly never[]
        UserSubnet?: { DefaultRoute: string; NetworkMaskLen: number } | null
        ServerCount?: 0
        ApplianceCount?: number
        Zone?: { ID: string; Name: string }
        CreatedAt?: string
        ModifiedAt?: string
      }[]
    }
    refuses: 'bad_request' | 'unauthorized' | 'forbidden' | 'not_found'
  }
  /** Read one switch. */
  switchRead: {
    params: { switch_id: string }
    reply: { Switch: Switch }
    refuses: 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** Create a switch. */
  switchCreate: {
    body: { Switch: SwitchCreateSwitch }
    reply: { Switch: Switch; Success: true }
    refuses: 'bad_request' | 'unauthorized' | 'forbidden' | 'not_found'
  }
  /** Change the labels or the subnet of a switch. */
  switchUpdate: {
    params: { switch_id: string }
    body: { Switch: SwitchCreateSwitch }
    reply: { Switch: Switch; Success: true }
    refuses: 'bad_request' | 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** Delete a switch. */
  switchDelete: {
    params: { switch_id: string }
    reply: { Switch: Switch; Success: true }
    refuses: 'not_found' | 'conflict' | 'unauthorized' | 'forbidden'
  }
  /** List the servers at a switch: there are none. */
  switchServerList: {
    params: { switch_id: string }
    reply: {
      From: number
      Count: number
      Total: number
      Servers: readonly never[]
    }
    refuses: 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** Connect a SIM to the project. */
  projectSimConnect: {
    params: { project_id: string; sim_id: string }
    reply: { IoTPlatform: { mgw_id: string; zone: string } }
    refuses: 'not_found' | 'conflict' | 'unauthorized' | 'forbidden'
  }
  /** Give a connected SIM an address in the project. */
  projectSimIpSet: {
    params: { project_id: string; sim_id: string }
    reply: { IoTPlatform: IoTPlatform }
    refuses: 'not_found' | 'conflict' | 'unauthorized' | 'forbidden'
  }
  /** List the SIMs that are connected to the project. */
  projectSimList: {
    params: { project_id: string }
    reply: { IoTPlatform: readonly IoTPlatform[] }
    refuses: 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** Release the address of a SIM; it gets the same one again. */
  projectSimIpRelease: {
    params: { project_id: string; sim_id: string }
    reply: { IoTPlatform: IoTPlatform }
    refuses: 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** Disconnect a SIM from the project. */
  projectSimDisconnect: {
    params: { project_id: string; sim_id: string }
    reply: { IoTPlatform: { sim_id: string; mgw_id: string; zone: string } }
    refuses: 'not_found' | 'conflict' | 'unauthorized' | 'forbidden'
  }
  /** Create a service adapter. */
  adapterCreate: {
    params: { project_id: string }
    body: {
      IoTPlatform: {
        type: 'incoming-webhook' | 'outgoing-webhook' | 'websocket'
        name?: string | null
        settings?: {
          'incoming-webhook'?: { secret?: string | null } | readonly unknown[] | null
          'outgoing-webhook'?: { secret?: string | null; url?: string | null } | readonly unknown[] | null
        } | readonly unknown[] | null
      }
    }
    reply: { IoTPlatform: AdapterCreateIoTPlatform }
    refuses: 'bad_request' | 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** List the service adapters of the project. */
  adapterList: {
    params: { project_id: string }
    reply: { IoTPlatform: readonly AdapterCreateIoTPlatform[] }
    refuses: 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** Delete a service adapter. */
  adapterDelete: {
    params: { project_id: string; service_adapter_id: string }
    reply: { IoTPlatform: { service_id: string } }
    refuses: 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** Make a file, or read what it is. */
  fileStat: {
    params: { project_id: string; file_id: string }
    reply: {
      IoTPlatform: {
        name: string
        vmgw: string
        mime_type: string
        size: number
        created_at: string
        updated_at: string
      }
    }
    refuses: 'bad_request' | 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** Ask for an address and a token to upload with. */
  fileUploadRequest: {
    params: { project_id: string; file_id: string }
    reply: { IoTPlatform: { url: string; token: string } }
    refuses: 'bad_request' | 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** Ask for an address to download from. */
  fileDownload: {
    params: { project_id: string; file_id: string }
    reply: {
      IoTPlatform: {
        name: string
        vmgw: string
        mime_type: string
        url: string
        size: number
      }
    }
    refuses: 'bad_request' | 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** Send a one-time password that the service makes. */
  smsSendGenerated: {
    params: { sms_id: string }
    body: {
      ESME: {
        destination: string
        sender: string
        domain_name?: string | null
        otpOperation: 'generate'
      }
    }
    reply: { ESME: ESME }
    refuses: 'bad_request' | 'not_found' | 'too_many_request' | 'unauthorized' | 'forbidden'
  }
  /** Send a one-time password that the caller gives. */
  smsSendGiven: {
    params: { sms_id: string }
    body: {
      ESME: {
        destination: string
        sender: string
        domain_name?: string | null
        otpOperation: 'input'
        otp: string
      }
    }
    reply: { ESME: ESME }
    refuses: 'bad_request' | 'not_found' | 'too_many_request' | 'unauthorized' | 'forbidden'
  }
  /** List the messages that were sent, newest first. */
  smsLogList: {
    params: { sms_id: string }
    search: Search
    reply: {
      ESME: {
        logs: readonly {
          messageId?: string
          status?: string
          otp?: string
          destination?: string
          sentAt?: string
          doneAt?: string | null
          retryCount?: number
        }[]
        Count: number
      }
    }
    refuses: 'bad_request' | 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** List who changed what in your account, newest first. */
  ownAuditList: {
    query: {
      Operation?: string
      Serial?: string
      Since?: string
      Until?: string
      Before?: number
    }
    reply: {
      AuditEntries: readonly {
        ID: number
        Time: string
        Caller: string
        Address: string | null
        Client: string | null
        Operation: string
        Target: Record<string, string>
        Status: number
        Code: string | null
        Serial: string
      }[]
      Next: number | null
    }
    refuses: 'bad_request' | 'unauthorized' | 'forbidden' | 'not_found'
  }
  /** List the limits of the account, and what it has used of them. */
  ownQuotaList: {
    reply: {
      Quotas: readonly {
        Name: 'sims' | 'gateways' | 'projects' | 'sites' | 'messages_per_day' | 'requests_per_second' | 'file_bytes'
        Limit: number | null
        Used: number | null
      }[]
    }
    refuses: 'unauthorized' | 'forbidden' | 'not_found'
  }
  /** List the prices: the public ones without credentials, with them those of the account. */
  priceList: {
    search: Search
    reply: {
      From: number
      Count: number
      Total: number
      ServiceClasses: readonly {
        Index: number
        ServiceClassID?: number
        ServiceClassName?: string
        ServiceClassPath?: string
        DisplayName?: string
        IsPublic?: boolean
        Price?: {
          Base: number
          Hourly: number
          Daily: number
          Monthly: number
          Zone: string
        }
      }[]
    }
    refuses: 'bad_request' | 'unauthorized' | 'forbidden' | 'not_found'
  }
  /** List the bills of the account, newest month first. */
  billList: {
    params: { account_id: string }
    reply: { ResponsedAt: string; Count: number; Bills: readonly Bill[] }
    refuses: 'forbidden' | 'unauthorized' | 'not_found'
  }
  /** List the bills of a year of use. */
  billListOfYear: {
    params: { account_id: string; year: string }
    reply: { ResponsedAt: string; Count: number; Bills: readonly Bill[] }
    refuses: 'forbidden' | 'not_found' | 'unauthorized'
  }
  /** List the bills of a month of use. */
  billListOfMonth: {
    params: { account_id: string; year: string; month: string }
    reply: { ResponsedAt: string; Count: number; Bills: readonly Bill[] }
    refuses: 'forbidden' | 'not_found' | 'unauthorized'
  }
  /** Read one bill, in the form of a list. */
  billRead: {
    params: { bill_id: string }
    reply: { ResponsedAt: string; Count: number; Bills: readonly Bill[] }
    refuses: 'forbidden' | 'not_found' | 'unauthorized'
  }
  /** List the coupons of the account: there are none. */
  couponList: {
    params: { account_id: string }
    reply: { From: number; Count: number; Total: number; Coupon: readonly never[] }
    refuses: 'forbidden' | 'unauthorized' | 'not_found'
  }
  /** List the details of a bill. */
  billDetailList: {
    params: { member_code: string; bill_id: string }
    reply: {
      ResponsedAt: string
      Count: number
      BillDetails: readonly {
        Index: number
        ContractID: string
        ServiceClassID: number
        Usage: number
        Amount: number
      }[]
    }
    refuses: 'forbidden' | 'not_found' | 'unauthorized'
  }
  /** Read the details of a bill as CSV. */
  billDetailCsv: {
    params: { member_code: string; bill_id: string }
    reply: { ResponsedAt: string; Count: number; Filename: string; Body: string }
    refuses: 'forbidden' | 'not_found' | 'unauthorized'
  }
  /** List the maintenances of a period. */
  maintenanceList: {
    query: {
      Filter?: {
        start_at?: string | null
        end_at?: string | null
        search_type?: 'all' | 'related' | null
        page_count?: number | null
        page?: number | null
      } | null
    }
    reply: {
      meta: { total_pages: number; total_count: number }
      maintenances: readonly {
        maintenance_id: string
        zone: string
        start_at: string
        end_at: string
        title: string
        info_url: string
        service: string
        accounts: readonly {
          account_id: string
          account_name: string
          account_code: string
          resources: readonly { resource_class: string; resource_id: string }[]
        }[]
      }[]
    }
    refuses: 'bad_request' | 'unauthorized' | 'forbidden'
  }
  /** Read which key this is and which account it is limited to. */
  authContext: {
    reply: {
      resource_id: number
      auth_type: 'apikey'
      limited_to_project_id: number
    }
    refuses: 'unauthorized' | 'forbidden'
  }
  /** List the sites of the account, at most 20 an answer. */
  siteList: {
    query: { From?: number; Count?: number }
    reply: {
      Total: number
      From: number
      Count: number
      CountLimit: number
      Sites: readonly {
        Index: number
        ID: string
        Name: string
        DomainType: string
        Domain: string
        ASCIIDomain: string
        Subdomain: string
        OriginProtocol: string
        RequestProtocol: string
        OriginType: string
        Origin?: string
        HostHeader?: string
        BucketName?: string
        S3Endpoint?: string
        S3Region?: string
        AccessKeyID?: string
        DocIndex?: string
        VarySupport: string
        NormalizeAE: string
        CORSRules: readonly { AllowsAnyOrigin?: boolean; AllowedOrigins?: readonly string[] }[]
        Status: string
        OriginGuardToken: string
        NextOriginGuardToken: string
        DefaultCacheTTL: number
        CreatedAt: string
        HasCertificate: boolean
        HasOldCertificate: boolean
        GibSentInLastWeek: number
        CertType: string
        CertOpStatus: string
        CertValidNotBefore: string | number | null
        CertValidNotAfter: string | number | null
      }[]
    }
    refuses: 'bad_request' | 'unauthorized' | 'forbidden' | 'not_found'
  }
  /** Read a site. */
  siteRead: {
    params: { site_id: string }
    reply: { Site: Site }
    refuses: 'forbidden' | 'not_found' | 'unauthorized'
  }
  /** Create a site. */
  siteCreate: {
    body: {
      Site: {
        Name: string
        RequestProtocol?: '0' | '1' | '2' | null
        OriginType: '0' | '1'
        OriginProtocol?: 'http' | 'https' | null
        DefaultCacheTTL?: number | null
        VarySupport?: '0' | '1' | null
        NormalizeAE?: '1' | '3' | null
        CORSRules?: readonly {
          AllowsAnyOrigin?: boolean | null
          AllowedOrigins?: readonly string[] | null
        }[] | null
        OnetimeURLSecrets?: readonly string[] | null
        Origin?: string | null
        HostHeader?: string | null
        BucketName?: string | null
        S3Endpoint?: string | null
        S3Region?: string | null
        AccessKeyID?: string | null
        SecretAccessKey?: string | null
        DocIndex?: '0' | '1' | null
        DomainType: 'own_domain' | 'subdomain'
        Domain?: string | null
      }
    }
    reply: { Site: Site }
    refuses: 'bad_request' | 'conflict' | 'unauthorized' | 'forbidden' | 'not_found'
  }
  /** Change the listed fields of a site. */
  siteUpdate: {
    params: { site_id: string }
    body: {
      Site: {
        Name?: string
        RequestProtocol?: '0' | '1' | '2' | null
        OriginType?: '0' | '1' | null
        OriginProtocol?: 'http' | 'https' | null
        DefaultCacheTTL?: number | null
        VarySupport?: '0' | '1' | null
        NormalizeAE?: '1' | '3' | null
        CORSRules?: readonly {
          AllowsAnyOrigin?: boolean | null
          AllowedOrigins?: readonly string[] | null
        }[] | null
        OnetimeURLSecrets?: readonly string[] | null
        Origin?: string | null
        HostHeader?: string | null
        BucketName?: string | null
        S3Endpoint?: string | null
        S3Region?: string | null
        AccessKeyID?: string | null
        SecretAccessKey?: string | null
        DocIndex?: '0' | '1' | null
      }
    }
    reply: { Site: Site }
    refuses: 'bad_request' | 'forbidden' | 'not_found' | 'unauthorized'
  }
  /** Delete a site. */
  siteDelete: {
    params: { site_id: string }
    reply: { Site: Site }
    refuses: 'forbidden' | 'not_found' | 'unauthorized'
  }
  /** Enable or disable a site. */
  siteStatusSet: {
    params: { site_id: string }
    body: { Site: { Status: 'enabled' | 'disabled' } }
    reply: { Site: Site }
    refuses: 'bad_request' | 'forbidden' | 'not_found' | 'unauthorized'
  }
  /** Read the certificates of a site. */
  certificateRead: {
    params: { site_id: string }
    query: { type?: 'current' | 'old' }
    reply: {
      Certificate: { Current?: Certificate; Old?: readonly Certificate[] } | readonly Certificate[]
    }
    refuses: 'bad_request' | 'forbidden' | 'not_found' | 'unauthorized'
  }
  /** Add a certificate; the current one becomes the old generation. */
  certificateCreate: {
    params: { site_id: string }
    body: { Certificate: { CertificateChain: string; Key?: string | null } }
    reply: {
      Certificate: { Current?: Certificate; Old?: readonly Certificate[] } | readonly Certificate[]
    }
    refuses: 'bad_request' | 'forbidden' | 'not_found' | 'unauthorized'
  }
  /** Replace the current certificate; without Key the key stays. */
  certificateUpdate: {
    params: { site_id: string }
    body: { Certificate: { CertificateChain: string; Key?: string | null } }
    reply: {
      Certificate: { Current?: Certificate; Old?: readonly Certificate[] } | readonly Certificate[]
    }
    refuses: 'bad_request' | 'forbidden' | 'not_found' | 'unauthorized'
  }
  /** Delete the current certificate; the old one stays. */
  certificateDelete: {
    params: { site_id: string }
    reply: {
      Certificate: { Current?: Certificate; Old?: readonly Certificate[] } | readonly Certificate[]
    }
    refuses: 'forbidden' | 'not_found' | 'unauthorized'
  }
  /** Read the access list. */
  aclRead: {
    params: { site_id: string }
    reply: { ACL: string }
    refuses: 'forbidden' | 'not_found' | 'unauthorized'
  }
  /** Replace the access list. */
  aclSet: {
    params: { site_id: string }
    body: { ACL: string }
    reply: { ACL: string }
    refuses: 'bad_request' | 'forbidden' | 'not_found' | 'unauthorized'
  }
  /** Delete the access list. */
  aclDelete: {
    params: { site_id: string }
    reply: Record<string, unknown>
    refuses: 'forbidden' | 'not_found' | 'unauthorized'
  }
  /** Make a guard token, or promote the next one. */
  guardTokenCreate: {
    params: { site_id: string }
    reply: { OriginGuardToken: string; NextOriginGuardToken: string }
    refuses: 'forbidden' | 'not_found' | 'unauthorized'
  }
  /** Delete the guard token. */
  guardTokenDelete: {
    params: { site_id: string }
    reply: { OriginGuardToken: string; NextOriginGuardToken: string }
    refuses: 'forbidden' | 'not_found' | 'unauthorized'
  }
  /** Make the guard token that will follow. */
  nextGuardTokenCreate: {
    params: { site_id: string }
    reply: { OriginGuardToken: string; NextOriginGuardToken: string }
    refuses: 'forbidden' | 'not_found' | 'unauthorized'
  }
  /** Delete the guard token that would follow. */
  nextGuardTokenDelete: {
    params: { site_id: string }
    reply: { OriginGuardToken: string; NextOriginGuardToken: string }
    refuses: 'forbidden' | 'not_found' | 'unauthorized'
  }
  /** Read where logs go. */
  logUploadRead: {
    params: { site_id: string }
    reply: { SiteLogUploadConfig: SiteLogUploadConfig }
    refuses: 'forbidden' | 'not_found' | 'unauthorized'
  }
  /** Set where logs go. */
  logUploadSet: {
    params: { site_id: string }
    body: {
      SiteLogUploadConfig: {
        Bucket: string
        Endpoint: string
        Region: string
        AccessKeyID: string
        SecretAccessKey?: string | null
        Status?: 'enabled' | 'disabled'
      }
    }
    reply: { SiteLogUploadConfig: SiteLogUploadConfig }
    refuses: 'bad_request' | 'forbidden' | 'not_found' | 'unauthorized'
  }
  /** Send logs nowhere. */
  logUploadDelete: {
    params: { site_id: string }
    reply: Record<string, unknown>
    refuses: 'forbidden' | 'not_found' | 'unauthorized'
  }
  /** Take addresses out of the caches. */
  cacheDelete: {
    body: { URL: readonly string[] }
    reply: { Results: readonly { URL: string; Status: number; Result: string }[] }
    refuses: 'bad_request' | 'service_unavailable' | 'unauthorized' | 'forbidden' | 'not_found'
  }
  /** Take everything of a site out of the caches. */
  cacheDeleteAll: {
    body: { Site: { Domain: string } }
    reply: Record<string, unknown>
    refuses: 'bad_request' | 'not_found' | 'service_unavailable' | 'unauthorized' | 'forbidden'
  }
  /** Read what the sites have delivered in a month. */
  monthlyUsageRead: {
    query: { target?: string | number }
    reply: {
      Year: number
      Month: number
      MonthlyUsages: readonly {
        SiteID: string
        Domain: string
        ASCIIDomain: string
        Subdomain: string
        AccessCount: number
        BytesSent: number
        CacheMissBytesSent: number
        CacheHitRatio: number
        BytesCacheHitRatio: number
        Price: number
      }[]
      Success: true
    }
    refuses: 'bad_request' | 'unauthorized' | 'forbidden' | 'not_found'
  }
  /** Have the certificate of a site issued, and renewed before it ends. */
  autoCertificateEnable: {
    params: { site_id: string }
    body: { Type: 'letsencrypt' }
    reply: Record<string, unknown>
    refuses: 'bad_request' | 'forbidden' | 'not_found' | 'unauthorized'
  }
  /** Renew the certificate of a site no more; the one it has stays. */
  autoCertificateDisable: {
    params: { site_id: string }
    reply: Record<string, unknown>
    refuses: 'forbidden' | 'not_found' | 'unauthorized'
  }
  /** Read what the edges have delivered of a site, hour by hour up to now. */
  siteTrafficRead: {
    params: { site_id: string }
    query: { Hours?: number }
    reply: {
      Traffic: {
        Edges: number
        Hours: readonly {
          Hour: string
          AccessCount: number
          HitCount: number
          BytesSent: number
          CacheMissBytesSent: number
        }[]
      }
    }
    refuses: 'bad_request' | 'forbidden' | 'not_found' | 'unauthorized'
  }
  /** Ask the edges what they would do with a request, and what they have stored of its URL. */
  siteProbe: {
    params: { site_id: string }
    body: {
      Probe: {
        URL: string
        Method?: string
        Headers?: readonly { Name: string; Value: string }[]
        Address?: string
      }
    }
    reply: {
      Probe: {
        URL: string
        Edges: readonly {
          ID: string
          Name: string
          Engine: string
          Action: string | null
          Status: number | null
          Steps: readonly { Name: string; Result: string }[]
          Objects: readonly {
            Status: number
            Variant: Record<string, string>
            StoredAt: string
            FreshUntil: string
            Bytes: number
            Tier: string
          }[]
        }[]
      }
    }
    refuses: 'bad_request' | 'forbidden' | 'not_found' | 'unauthorized'
  }
  /** Tell whether the process answers. */
  healthLive: {
    reply: { status: 'live' }
    refuses: 'unauthorized' | 'forbidden'
  }
  /** Tell whether the world is applied and the database answers. */
  healthReady: {
    reply: { status: 'ready' }
    refuses: 'service_unavailable' | 'unauthorized' | 'forbidden'
  }
  /** Read the version of the server and the schema of its database. */
  serverRead: {
    reply: {
      version: string
      engine: 'sqlite' | 'postgres'
      schema: number
      known_schema: number
    }
    refuses: 'unauthorized' | 'forbidden'
  }
  /** Read figures of the process in the form of Prometheus. */
  metricsRead: {
    reply: string
    refuses: 'unauthorized' | 'forbidden'
  }
  /** Read the certificate that clients have to trust. */
  caRead: {
    reply: string
    refuses: 'not_found' | 'forbidden'
  }
  /** Export the world, without secrets. */
  worldRead: {
    reply: { version: 1 }
    refuses: 'unauthorized' | 'forbidden'
  }
  /** Apply a world file (YAML or JSON). */
  worldApply: {
    query: { mode?: 'add' | 'replace'; file?: string }
    text: string
    reply: {
      changes: Record<string, { created: number; updated: number; unchanged: number }>
    }
    refuses: 'bad_request' | 'unauthorized' | 'forbidden'
  }
  /** Empty the server, or bring it back to the world it was started with or to a snapshot. */
  reset: {
    body: { to: string }
    reply: Record<string, unknown>
    refuses: 'bad_request' | 'forbidden' | 'not_found' | 'conflict' | 'unauthorized'
  }
  /** List the accounts. */
  accountList: {
    reply: { accounts: readonly Account[] }
    refuses: 'unauthorized' | 'forbidden'
  }
  /** Create an account. */
  accountCreate: {
    body: {
      code: string
      name: string
      member?: { code: string }
      contact?: { email: string; language?: 'en' | 'ja' } | null
    }
    reply: { account: Account }
    refuses: 'bad_request' | 'conflict' | 'unauthorized' | 'forbidden'
  }
  /** Change the name of an account, or who gets its notices; null takes the contact away. */
  accountUpdate: {
    params: { code: string }
    body: {
      name?: string
      contact?: { email: string; language?: 'en' | 'ja' } | null
    }
    reply: { account: Account }
    refuses: 'bad_request' | 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** List the limits of an account, and what it has used of them. */
  quotaList: {
    params: { code: string }
    reply: { quotas: readonly Quota[] }
    refuses: 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** Change the limits of an account; what is left out stays, null takes a limit away. */
  quotaUpdate: {
    params: { code: string }
    body: {
      sims?: number | null
      gateways?: number | null
      projects?: number | null
      sites?: number | null
      messages_per_day?: number | null
      requests_per_second?: number | null
      file_bytes?: number | null
    }
    reply: { quotas: readonly Quota[] }
    refuses: 'bad_request' | 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** List the keys of an account, without secrets. */
  keyList: {
    params: { code: string }
    reply: { keys: readonly Key[] }
    refuses: 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** Create a key; its secret is shown this once. */
  keyCreate: {
    params: { code: string }
    body: {
      permission: 'view' | 'power' | 'arrange' | 'create'
      external?: readonly ('bill' | 'cdn')[]
      expires_at?: string | null
      allowed_addresses?: readonly string[]
      note?: string
    }
    reply: { key: Key; secret: string }
    refuses: 'bad_request' | 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** Change what a key may do, until when and from where; what is left out stays. */
  keyUpdate: {
    params: { code: string; token: string }
    body: {
      permission?: 'view' | 'power' | 'arrange' | 'create'
      external?: readonly ('bill' | 'cdn')[]
      expires_at?: string | null
      allowed_addresses?: readonly string[]
      note?: string
    }
    reply: { key: Key }
    refuses: 'bad_request' | 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** Give a key a new secret; it is shown this once. */
  keyRotate: {
    params: { code: string; token: string }
    reply: { key: Key; secret: string }
    refuses: 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** End a key. */
  keyRevoke: {
    params: { code: string; token: string }
    reply: Record<string, unknown>
    refuses: 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** Let a device with this card ask for a session. */
  deviceAttach: {
    params: { iccid: string }
    body: { imei: string; carrier: string }
    reply: {
      accepted: boolean
      reason: 'not_registered' | 'not_activated' | 'imei_locked' | 'carrier_not_allowed' | 'no_network' | 'gateway_down' | null
      ip: string | null
    }
    refuses: 'bad_request' | 'unauthorized' | 'forbidden'
  }
  /** Let the device with this card end its session. */
  deviceDetach: {
    params: { iccid: string }
    reply: Record<string, unknown>
    refuses: 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** Let the device with this card send and receive so many bytes more. */
  deviceTraffic: {
    params: { iccid: string }
    body: { uplink_bytes: number; downlink_bytes: number }
    reply: Record<string, unknown>
    refuses: 'bad_request' | 'not_found' | 'conflict' | 'unauthorized' | 'forbidden'
  }
  /** Read why devices with this card were not let in, newest first. */
  deviceRefusals: {
    params: { iccid: string }
    reply: {
      refusals: readonly {
        time: string
        reason: string
        imei: string
        carrier: string
        element?: string
      }[]
    }
    refuses: 'unauthorized' | 'forbidden'
  }
  /** List why devices of all cards were not let in, newest first. */
  refusalList: {
    search: Search
    reply: {
      From: number
      Count: number
      Total: number
      refusals: readonly {
        iccid: string
        time: string
        reason: string
        imei: string
        carrier: string
        element?: string
      }[]
    }
    refuses: 'bad_request' | 'unauthorized' | 'forbidden'
  }
  /** List the live sessions. */
  sessionList: {
    search: Search
    reply: {
      From: number
      Count: number
      Total: number
      sessions: readonly {
        iccid: string
        resource_id: string
        imei: string
        carrier: string
        ip: string
        since: string
        uplink_bytes: number
        downlink_bytes: number
        element?: string
        acct_session_id?: string
        seen_at?: string
        bits_per_second?: number
      }[]
    }
    refuses: 'bad_request' | 'unauthorized' | 'forbidden'
  }
  /** List the elements of the mobile network, without their secrets. */
  networkElementList: {
    reply: { network_elements: readonly NetworkElement[] }
    refuses: 'unauthorized' | 'forbidden'
  }
  /** Read an element of the mobile network, without its secret. */
  networkElementRead: {
    params: { name: string }
    reply: { network_element: NetworkElement }
    refuses: 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** Declare an element of the mobile network, or change it. */
  networkElementPut: {
    params: { name: string }
    body: {
      address: string
      secret?: string
      carriers?: Record<string, string>
      coa_port?: number
    }
    reply: { network_element: NetworkElement }
    refuses: 'bad_request' | 'conflict' | 'unauthorized' | 'forbidden'
  }
  /** Remove an element of the mobile network; its sessions end. */
  networkElementDelete: {
    params: { name: string }
    reply: Record<string, unknown>
    refuses: 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** List Disconnect and CoA requests to network elements with what these answered, newest first. */
  elementRequestList: {
    search: Search
    reply: {
      From: number
      Count: number
      Total: number
      requests: readonly {
        id: number
        element: string
        kind: 'disconnect' | 'coa'
        cause: string
        resource_id: string
        session_id: number
        acct_session_id: string
        imsi: string
        ip: string
        bits_per_second: number | null
        state: 'waiting' | 'ack' | 'nak' | 'no_answer' | 'replaced'
        error_cause: string | null
        reason: string | null
        attempts: number
        created_at: string
        answered_at: string | null
      }[]
    }
    refuses: 'bad_request' | 'unauthorized' | 'forbidden'
  }
  /** See whether requests can be sent to network elements, and how many wait. */
  elementRequestCheck: {
    reply: { ok: boolean; detail: string; waiting: number }
    refuses: 'unauthorized' | 'forbidden'
  }
  /** List the elements of the mobile network with their secrets, for the configuration of a RADIUS server. */
  radiusClientList: {
    reply: {
      clients: readonly { name: string; address: string; secret: string; coa_port: number }[]
    }
    refuses: 'unauthorized' | 'forbidden'
  }
  /** List the edges of the web accelerator. */
  edgeList: {
    reply: {
      version: number
      edges: readonly {
        id: string
        name: string
        engine: string
        software_version: string
        is_remote: boolean
        is_live: boolean
        started_at: string
        last_seen: string
        version: number | null
        settings_age_seconds: number | null
        cache_bytes: number
        cache_objects: number
        hits: number
        misses: number
      }[]
    }
    refuses: 'unauthorized' | 'forbidden'
  }
  /** Forget an edge that is gone; one that still asks is known again. */
  edgeDelete: {
    params: { edge_id: string }
    reply: Record<string, unknown>
    refuses: 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** Read the traffic of all SIMs of an account: a day by five minutes, or 30 days by day. */
  accountTrafficRead: {
    params: { code: string }
    query: { span?: 'day' | 'month' }
    reply: {
      from: string
      to: string
      running_since: string
      step_seconds: number
      steps: readonly { time: string; uplink_bytes: number; downlink_bytes: number }[]
    }
    refuses: 'bad_request' | 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** List what the devices of an account did lately, newest first. */
  accountEventList: {
    params: { code: string }
    reply: {
      events: readonly {
        time: string
        event: 'attached' | 'detached' | 'refused'
        resource_id: string
        name: string
        iccid: string
        reason: string | null
      }[]
    }
    refuses: 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** List what owners of gateways were told, or are to be told, newest first; dead letters by status failed. */
  noticeList: {
    search: Search
    reply: {
      From: number
      Count: number
      Total: number
      notices: readonly Notice[]
    }
    refuses: 'bad_request' | 'unauthorized' | 'forbidden'
  }
  /** Send a notice by mail that has failed or was kept, to the present contact of the account. */
  noticeResend: {
    params: { notice_id: string }
    reply: { notice: Notice }
    refuses: 'not_found' | 'conflict' | 'unauthorized' | 'forbidden'
  }
  /** Read the ids of the key-encryption keys, and how far a rotation is. */
  encryptionRead: {
    reply: {
      ids: readonly string[]
      rotation: Rotation | null
      removable: readonly string[]
    }
    refuses: 'unauthorized' | 'forbidden'
  }
  /** Seal every stored secret again under the newest key, in the background. */
  encryptionRotate: {
    reply: {
      ids: readonly string[]
      rotation: Rotation | null
      removable: readonly string[]
    }
    refuses: 'unauthorized' | 'forbidden'
  }
  /** Open one stored secret of each kind. */
  encryptionCheck: {
    reply: {
      ok: boolean
      kinds: readonly {
        kind: string
        result: 'opened' | 'empty' | 'failed'
        under: string | null
        reason: string | null
      }[]
    }
    refuses: 'unauthorized' | 'forbidden'
  }
  /** Read whether notices are sent by mail, and through which server. */
  mailRead: {
    reply: { enabled: boolean; server: string | null; from: string | null }
    refuses: 'unauthorized' | 'forbidden'
  }
  /** Connect to the mail server and log in, without sending anything. */
  mailCheck: {
    reply: { ok: boolean; server: string; reason: string | null }
    refuses: 'conflict' | 'unauthorized' | 'forbidden'
  }
  /** Send a test mail. */
  mailProbe: {
    body: { to: string; language?: 'en' | 'ja' }
    reply: {
      ok: boolean
      server: string
      message_id: string
      reason: string | null
    }
    refuses: 'bad_request' | 'conflict' | 'unauthorized' | 'forbidden'
  }
  /** List who changed what, newest first. */
  auditList: {
    query: {
      account?: string
      operation?: string
      serial?: string
      since?: string
      until?: string
      before?: number
    }
    reply: {
      entries: readonly {
        id: number
        number: number | null
        time: string
        caller: string
        account: string | null
        address: string
        client: string | null
        operation: string
        target: Record<string, string>
        status: number
        code: string | null
        serial: string
      }[]
      next: number | null
    }
    refuses: 'bad_request' | 'unauthorized' | 'forbidden'
  }
  /** Export the chained entries as JSON lines, oldest first; `after` goes on after a number. */
  auditExport: {
    query: { account?: string; after?: number }
    reply: string
    refuses: 'bad_request' | 'unauthorized' | 'forbidden'
  }
  /** Check that no entry of the audit trail is missing or was changed. */
  auditVerify: {
    reply: {
      ok: boolean
      problem: { number: number; kind: 'missing' | 'changed' } | null
      checked: number
      deleted: number
      last: { number: number; hash: string }
      waiting: number
    }
    refuses: 'unauthorized' | 'forbidden'
  }
  /** Read the clock. */
  clockRead: {
    reply: { mode: string; now: string; scale: number }
    refuses: 'unauthorized' | 'forbidden'
  }
  /** Change the mode of the clock, or the time that it shows. */
  clockSet: {
    body: { mode?: 'real' | 'scaled' | 'frozen'; now?: string; scale?: number }
    reply: { mode: string; now: string; scale: number }
    refuses: 'bad_request' | 'forbidden' | 'conflict' | 'unauthorized'
  }
  /** Move the clock, and run all that falls due on the way. */
  clockAdvance: {
    body: { by?: string; to?: string }
    reply: { now: string; fired: readonly { name: string; at: string }[] }
    refuses: 'bad_request' | 'forbidden' | 'conflict' | 'unauthorized'
  }
  /** List what is waiting for its time. */
  clockTimers: {
    reply: { timers: readonly { name: string; at: string }[] }
    refuses: 'unauthorized' | 'forbidden'
  }
  /** List the snapshots. */
  snapshotList: {
    reply: { snapshots: readonly Snapshot[] }
    refuses: 'unauthorized' | 'forbidden'
  }
  /** Save the whole state under a name, in place of what had it. */
  snapshotSave: {
    body: { name: string }
    reply: { snapshot: Snapshot }
    refuses: 'bad_request' | 'forbidden' | 'conflict' | 'unauthorized'
  }
  /** Replace the whole state by a snapshot. */
  snapshotLoad: {
    params: { name: string }
    reply: Record<string, unknown>
    refuses: 'forbidden' | 'not_found' | 'conflict' | 'unauthorized'
  }
  /** Delete a snapshot. */
  snapshotDelete: {
    params: { name: string }
    reply: Record<string, unknown>
    refuses: 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** Read a snapshot as a file of JSON lines. */
  snapshotExport: {
    params: { name: string }
    reply: string
    refuses: 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** Keep a file that was exported as a snapshot. */
  snapshotImport: {
    params: { name: string }
    text: string
    reply: { snapshot: Snapshot }
    refuses: 'bad_request' | 'forbidden' | 'conflict' | 'unauthorized'
  }
  /** List the faults that are armed, and how often each has struck. */
  faultList: {
    reply: { faults: readonly Fault[] }
    refuses: 'unauthorized' | 'forbidden'
  }
  /** Arm a fault. */
  faultAdd: {
    body: {
      operation: string
      account?: string
      nth?: number
      times?: number
      probability?: number
      from?: string
      until?: string
      phase?: 'before' | 'after'
      effect: {
        status: 400 | 401 | 403 | 404 | 408 | 409 | 413 | 429 | 500 | 503
        retry_after_seconds?: number
      } | { latency_ms: number } | { reset: true } | { truncate_bytes: number }
    }
    reply: { fault: Fault }
    refuses: 'bad_request' | 'forbidden' | 'unauthorized'
  }
  /** Read a fault. */
  faultRead: {
    params: { id: string }
    reply: { fault: Fault }
    refuses: 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** Disarm a fault. */
  faultDelete: {
    params: { id: string }
    reply: Record<string, unknown>
    refuses: 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** Disarm all faults. */
  faultClear: {
    reply: Record<string, unknown>
    refuses: 'unauthorized' | 'forbidden'
  }
  /** List the requests of late, newest first. */
  requestList: {
    reply: {
      requests: readonly {
        serial: string
        time: string
        method: string
        path: string
        operation: string
        account: string | null
        client: string | null
        status: number
        duration_ms: number
      }[]
    }
    refuses: 'unauthorized' | 'forbidden'
  }
  /** Read one request with its bodies, secrets hidden, and as a curl line. */
  requestRead: {
    params: { serial: string }
    reply: {
      request: {
        serial: string
        time: string
        method: string
        path: string
        operation: string
        account: string | null
        client: string | null
        status: number
        duration_ms: number
        rows_changed: Record<string, number>
        unread_fields: readonly string[]
        request_body: unknown
        answer_body: unknown
        curl: string
      }
    }
    refuses: 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** Read the requests of late as an HTTP archive (HAR), secrets hidden. */
  requestArchive: {
    reply: string
    refuses: 'unauthorized' | 'forbidden'
  }
  /** Follow requests and changes of state as events; Last-Event-ID goes on after that one. */
  eventStream: {
    reply: string
    refuses: 'unauthorized' | 'forbidden'
  }
  /** List the bills of all accounts, newest month first. */
  operatorBillList: {
    query: { From?: number; Count?: number }
    reply: { total: number; bills: readonly OperatorBillListBill[] }
    refuses: 'bad_request' | 'unauthorized' | 'forbidden'
  }
  /** Say that a bill is paid. */
  billPay: {
    params: { bill_id: string }
    reply: { bill: OperatorBillListBill }
    refuses: 'not_found' | 'conflict' | 'unauthorized' | 'forbidden'
  }
  /** Say that a bill is not paid after all. */
  billUnpay: {
    params: { bill_id: string }
    reply: { bill: OperatorBillListBill }
    refuses: 'not_found' | 'conflict' | 'unauthorized' | 'forbidden'
  }
  /** List all announced maintenances. */
  announcementList: {
    reply: { maintenances: readonly Maintenance[] }
    refuses: 'unauthorized' | 'forbidden'
  }
  /** Announce a maintenance. */
  announcementCreate: {
    body: {
      maintenance_id?: string
      zone: 'is1a' | 'is1b' | 'tk1a' | 'tk1v' | 'is1z' | 'is1c' | 'tk1b'
      start_at: string
      end_at: string
      title: string
      info_url?: string
      service?: string
      affects?: readonly Affect[]
    }
    reply: { maintenance: Maintenance }
    refuses: 'bad_request' | 'conflict' | 'unauthorized' | 'forbidden'
  }
  /** Announce a maintenance anew. */
  announcementUpdate: {
    params: { maintenance_id: string }
    body: {
      zone: 'is1a' | 'is1b' | 'tk1a' | 'tk1v' | 'is1z' | 'is1c' | 'tk1b'
      start_at: string
      end_at: string
      title: string
      info_url?: string
      service?: string
      affects?: readonly Affect[]
    }
    reply: { maintenance: Maintenance }
    refuses: 'bad_request' | 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** Withdraw a maintenance. */
  announcementDelete: {
    params: { maintenance_id: string }
    reply: Record<string, unknown>
    refuses: 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** List the short messages of all accounts, newest first. */
  smsOutboxList: {
    search: Search
    reply: { messages: readonly Message[] }
    refuses: 'bad_request' | 'unauthorized' | 'forbidden'
  }
  /** Check what carries short messages, without sending one. */
  smsTransportCheck: {
    reply: {
      transport: 'outbox' | 'kannel' | 'http'
      address: string | null
      state: 'ready' | 'unreachable' | 'unauthorized' | 'unexpected'
      detail: string
    }
    refuses: 'unauthorized' | 'forbidden'
  }
  /** Count the short messages of an account in the last 30 days by what became of them. */
  accountSmsRead: {
    params: { code: string }
    reply: {
      since: string
      accepted: number
      delivered: number
      failed: number
      complete: boolean
    }
    refuses: 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** Report a short message as delivered. */
  smsOutboxDeliver: {
    params: { message_id: string }
    reply: { message: Message }
    refuses: 'not_found' | 'conflict' | 'unauthorized' | 'forbidden'
  }
  /** Report a short message as failed. */
  smsOutboxFail: {
    params: { message_id: string }
    reply: { message: Message }
    refuses: 'not_found' | 'conflict' | 'unauthorized' | 'forbidden'
  }
  /** Send a message as the device: every adapter of its project gets it. */
  operatorMessageSend: {
    params: { iccid: string }
    body: {
      device_id?: string
      type?: 'object'
      datetime?: string
      payload: readonly Payload[]
    }
    reply: { message: OperatorMessageSendMessage }
    refuses: 'bad_request' | 'not_found' | 'conflict' | 'request_too_large' | 'unauthorized' | 'forbidden'
  }
  /** Fetch what is for the device, oldest first, after the message `since`. */
  operatorMessageFetch: {
    params: { iccid: string }
    query: { since?: string | null }
    reply: { messages: readonly OperatorMessageSendMessage[] }
    refuses: 'bad_request' | 'not_found' | 'conflict' | 'unauthorized' | 'forbidden'
  }
  /** List the messages of a project, newest first, in both directions. */
  projectMessageList: {
    params: { project_id: string }
    query: { before?: string | null; device_id?: string | null }
    reply: {
      messages: readonly {
        message: OperatorMessageSendMessage
        direction: 'up' | 'down'
        received_at: string
        webhooks: readonly {
          id: string
          service_id: string
          status: 'waiting' | 'delivered' | 'dead'
        }[]
      }[]
      next: string | null
    }
    refuses: 'bad_request' | 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** Hand out a new secret for the device with this card; the one of before is void. */
  deviceSecretCreate: {
    params: { iccid: string }
    reply: { secret: string }
    refuses: 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** List what outgoing webhooks were to receive, newest first; dead letters by status dead. */
  webhookOutboxList: {
    search: Search
    reply: {
      From: number
      Count: number
      Total: number
      webhooks: readonly Webhook[]
    }
    refuses: 'bad_request' | 'unauthorized' | 'forbidden'
  }
  /** Read one of them, with the message that it carries. */
  webhookOutboxRead: {
    params: { webhook_id: string }
    reply: {
      webhook: {
        id: string
        message_id: string
        project_id: string
        service_id: string
        status: 'waiting' | 'delivered' | 'dead'
        attempts: number
        reason: string | null
        response_code: number | null
        created_at: string
        done_at: string | null
        log: readonly WebhookOutboxListLog[]
        message: OperatorMessageSendMessage
      }
    }
    refuses: 'not_found' | 'unauthorized' | 'forbidden'
  }
  /** Try a webhook again, a dead or a delivered one. */
  webhookOutboxRedeliver: {
    params: { webhook_id: string }
    reply: { webhook: Webhook }
    refuses: 'not_found' | 'conflict' | 'unauthorized' | 'forbidden'
  }
}
