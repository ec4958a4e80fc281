/** Every operation there is, by family. The server, the generators and the walks over all of them read this. */
import type { Contract, Family } from './kernel/contract.ts'
import { accountContract } from './services/account/contract.ts'
import { clockContract } from './services/control/clock-contract.ts'
import { faultContract } from './services/control/fault-contract.ts'
import { requestContract } from './services/control/request-contract.ts'
import { snapshotContract } from './services/control/snapshot-contract.ts'
import { gatewayContract } from './services/gateway/contract.ts'
import { noticeContract } from './services/gateway/notice-contract.ts'
import { partsContract } from './services/gateway/parts-contract.ts'
import { switchContract } from './services/gateway/switch-contract.ts'
import { downloadContract, uploadContract } from './services/iot/content-contract.ts'
import { iotContract } from './services/iot/contract.ts'
import { fileContract } from './services/iot/file-contract.ts'
import {
  deviceMessageContract,
  incomingContract,
  operatorMessageContract,
  webhookOutboxContract,
} from './services/iot/message-contract.ts'
import { itemsContract } from './services/items/contract.ts'
import { operatorContract } from './services/operator/contract.ts'
import { simContract } from './services/sim/contract.ts'
import { devicesContract } from './services/sim/devices-contract.ts'
import { smsContract } from './services/sms/contract.ts'
import { smsOutboxContract } from './services/sms/outbox-contract.ts'
import { webaccelContract } from './services/webaccel/contract.ts'

export const CLOUD: Family = {
  name: 'cloud',
  title: 'Cloud resources',
  base: '/zone/{zone}/api/cloud/1.1',
  beautify: true,
}

export const OPERATOR: Family = {
  name: 'operator',
  title: 'Operator API',
  base: '/_kumoi/v1',
  root: true,
  beautify: true,
}

/** Interface, Versioning: always served under the is1a zone. */
export const WEBACCEL: Family = {
  name: 'webaccel',
  title: 'Web accelerator',
  base: '/zone/{zone}/api/webaccel/1.0',
  beautify: false,
  zones: ['is1a'],
}

/** Contents of files, by tokens that the calls of the interface hand out. */
export const FILES: Family = {
  name: 'files',
  title: 'File contents',
  base: '/v1',
  root: true,
  beautify: false,
}

/** Messages of devices, by tokens and secrets that other calls hand out. */
export const IOT: Family = {
  name: 'iot',
  title: 'Messages of devices',
  base: '/iot/v1',
  root: true,
  beautify: false,
}

export interface Slice {
  readonly name: string
  readonly family: Family
  readonly contract: Contract
}

/** Kept together by family. */
export const slices: readonly Slice[] = [
  { name: 'account', family: CLOUD, contract: accountContract },
  { name: 'items', family: CLOUD, contract: itemsContract },
  { name: 'sim', family: CLOUD, contract: simContract },
  { name: 'gateway', family: CLOUD, contract: gatewayContract },
  { name: 'gateway parts', family: CLOUD, contract: partsContract },
  { name: 'switch', family: CLOUD, contract: switchContract },
  { name: 'iot', family: CLOUD, contract: iotContract },
  { name: 'files', family: CLOUD, contract: fileContract },
  { name: 'sms', family: CLOUD, contract: smsContract },
  { name: 'webaccel', family: WEBACCEL, contract: webaccelContract },
  { name: 'upload', family: FILES, contract: uploadContract },
  { name: 'download', family: FILES, contract: downloadContract },
  { name: 'deviceMessages', family: IOT, contract: deviceMessageContract },
  { name: 'incomingWebhooks', family: IOT, contract: incomingContract },
  { name: 'operator', family: OPERATOR, contract: operatorContract },
  { name: 'devices', family: OPERATOR, contract: devicesContract },
  { name: 'notices', family: OPERATOR, contract: noticeContract },
  { name: 'clock', family: OPERATOR, contract: clockContract },
  { name: 'snapshots', family: OPERATOR, contract: snapshotContract },
  { name: 'faults', family: OPERATOR, contract: faultContract },
  { name: 'requests', family: OPERATOR, contract: requestContract },
  { name: 'smsOutbox', family: OPERATOR, contract: smsOutboxContract },
  { name: 'messages', family: OPERATOR, contract: operatorMessageContract },
  { name: 'webhookOutbox', family: OPERATOR, contract: webhookOutboxContract },
]

/** What clients call, as opposed to operators. */
export const interfaceOperations: ReadonlySet<string> = new Set(
  slices
    .filter(({ family }) => family !== OPERATOR)
    .flatMap(({ contract }) => Object.keys(contract)),
)
