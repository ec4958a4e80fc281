/** Every operation there is, by family. The server, the generators and the walks over all of them read this. */
import type { Contract, Family } from './kernel/contract.ts'
import { accountContract } from './services/account/contract.ts'
import { identityContract } from './services/account/identity-contract.ts'
import { ownQuotaContract } from './services/account/quota-contract.ts'
import { auditContract, ownAuditContract } from './services/audit/contract.ts'
import { billingContract } from './services/billing/contract.ts'
import { paymentContract } from './services/billing/payment-contract.ts'
import { clockContract } from './services/control/clock-contract.ts'
import { faultContract } from './services/control/fault-contract.ts'
import { requestContract } from './services/control/request-contract.ts'
import { snapshotContract } from './services/control/snapshot-contract.ts'
import { elementRequestContract } from './services/element-requests/contract.ts'
import { encryptionContract } from './services/encryption/contract.ts'
import {
  BILLING,
  CLOUD,
  FILES,
  IAM,
  IOT,
  MAINTENANCE,
  OPERATOR,
  SMS,
  WEBACCEL,
} from './services/families.ts'
import { appliedContract } from './services/gateway/applied-contract.ts'
import { gatewayContract } from './services/gateway/contract.ts'
import { monitorContract } from './services/gateway/monitor-contract.ts'
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
import { mailContract } from './services/mail/contract.ts'
import { announcementContract } from './services/maintenance/announcement-contract.ts'
import { maintenanceContract } from './services/maintenance/contract.ts'
import { radiusClientContract } from './services/network/clients-contract.ts'
import { networkElementContract } from './services/network/contract.ts'
import { operatorContract } from './services/operator/contract.ts'
import { pricingContract } from './services/pricing/contract.ts'
import { radiusContract } from './services/radius/contract.ts'
import { accountFiguresContract } from './services/sim/account-contract.ts'
import { simContract } from './services/sim/contract.ts'
import { devicesContract } from './services/sim/devices-contract.ts'
import { smsContract } from './services/sms/contract.ts'
import { smsOutboxContract } from './services/sms/outbox-contract.ts'
import { kannelReportContract, smsReportContract } from './services/sms/report-contract.ts'
import { autoCertificateContract } from './services/webaccel/auto-certificate-contract.ts'
import { webaccelContract } from './services/webaccel/contract.ts'
import { deliveryContract } from './services/webaccel/delivery-contract.ts'
import { edgeContract, edgeFeedContract } from './services/webaccel/edge-contract.ts'
import { zonesContract } from './services/zones/contract.ts'

export interface Slice {
  readonly name: string
  readonly family: Family
  readonly contract: Contract
}

/** Kept together by family. */
export const slices: readonly Slice[] = [
  { name: 'account', family: CLOUD, contract: accountContract },
  { name: 'zones', family: CLOUD, contract: zonesContract },
  { name: 'items', family: CLOUD, contract: itemsContract },
  { name: 'sim', family: CLOUD, contract: simContract },
  { name: 'gateway', family: CLOUD, contract: gatewayContract },
  { name: 'gateway parts', family: CLOUD, contract: partsContract },
  { name: 'gateway monitors', family: CLOUD, contract: monitorContract },
  { name: 'applied settings', family: CLOUD, contract: appliedContract },
  { name: 'switch', family: CLOUD, contract: switchContract },
  { name: 'iot', family: CLOUD, contract: iotContract },
  { name: 'files', family: CLOUD, contract: fileContract },
  { name: 'sms', family: CLOUD, contract: smsContract },
  { name: 'own audit', family: CLOUD, contract: ownAuditContract },
  { name: 'own quotas', family: CLOUD, contract: ownQuotaContract },
  { name: 'pricing', family: CLOUD, contract: pricingContract },
  { name: 'billing', family: BILLING, contract: billingContract },
  { name: 'maintenance', family: MAINTENANCE, contract: maintenanceContract },
  { name: 'identity', family: IAM, contract: identityContract },
  { name: 'webaccel', family: WEBACCEL, contract: webaccelContract },
  { name: 'automatic certificates', family: WEBACCEL, contract: autoCertificateContract },
  { name: 'deliveries', family: WEBACCEL, contract: deliveryContract },
  { name: 'upload', family: FILES, contract: uploadContract },
  { name: 'download', family: FILES, contract: downloadContract },
  { name: 'deviceMessages', family: IOT, contract: deviceMessageContract },
  { name: 'incomingWebhooks', family: IOT, contract: incomingContract },
  { name: 'smsReports', family: SMS, contract: smsReportContract },
  { name: 'kannelReports', family: SMS, contract: kannelReportContract },
  { name: 'operator', family: OPERATOR, contract: operatorContract },
  { name: 'devices', family: OPERATOR, contract: devicesContract },
  { name: 'network-elements', family: OPERATOR, contract: networkElementContract },
  { name: 'element-requests', family: OPERATOR, contract: elementRequestContract },
  { name: 'radius-clients', family: OPERATOR, contract: radiusClientContract },
  { name: 'radius', family: OPERATOR, contract: radiusContract },
  { name: 'edges', family: OPERATOR, contract: edgeContract },
  { name: 'edge-feed', family: OPERATOR, contract: edgeFeedContract },
  { name: 'account-figures', family: OPERATOR, contract: accountFiguresContract },
  { name: 'notices', family: OPERATOR, contract: noticeContract },
  { name: 'encryption', family: OPERATOR, contract: encryptionContract },
  { name: 'mail', family: OPERATOR, contract: mailContract },
  { name: 'audit', family: OPERATOR, contract: auditContract },
  { name: 'clock', family: OPERATOR, contract: clockContract },
  { name: 'snapshots', family: OPERATOR, contract: snapshotContract },
  { name: 'faults', family: OPERATOR, contract: faultContract },
  { name: 'requests', family: OPERATOR, contract: requestContract },
  { name: 'payments', family: OPERATOR, contract: paymentContract },
  { name: 'maintenances', family: OPERATOR, contract: announcementContract },
  { name: 'smsOutbox', family: OPERATOR, contract: smsOutboxContract },
  { name: 'messages', family: OPERATOR, contract: operatorMessageContract },
  { name: 'webhookOutbox', family: OPERATOR, contract: webhookOutboxContract },
]

export const families: readonly Family[] = [...new Set(slices.map(({ family }) => family))]

/** What clients call, as opposed to operators. */
export const interfaceOperations: ReadonlySet<string> = new Set(
  slices
    .filter(({ family }) => family !== OPERATOR)
    .flatMap(({ contract }) => Object.keys(contract)),
)
