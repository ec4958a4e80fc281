/** The part of the scenario with an element of a real network, while the SIM is in a gateway that is up. */
import { NETWORK_TOKEN } from '../../packages/server/src/testing/cloud.ts'
import { ELEMENTS, IMEISV, imsiOfCard, toPacket } from '../../packages/server/src/testing/radius.ts'
import { type Step, step } from './step.ts'

const { name = '', ...element } = ELEMENTS[0] ?? {}
const one = { params: { name } }
const headers = { authorization: `Bearer ${NETWORK_TOKEN}` }
const attributes = {
  'NAS-Identifier': name,
  '3GPP-IMSI': imsiOfCard(1),
  '3GPP-IMEISV': IMEISV,
  '3GPP-SGSN-MCC-MNC': '44010',
  'Acct-Session-Id': 'a',
}
const report = (status: string, more: Record<string, number> = {}) => ({
  headers,
  body: toPacket({ ...attributes, 'Acct-Status-Type': status, ...more }),
})

export const networkSteps: readonly Step[] = [
  step('networkElementPut', { ...one, body: element }),
  step('networkElementList'),
  step('networkElementRead', one),
  step('radiusClientList'),
  step('radiusAuthorize', { headers, body: toPacket(attributes) }),
  step('radiusAccounting', report('Start')),
  step('radiusAccounting', report('Interim-Update', { 'Acct-Input-Octets': 1 })),
  step('radiusAccounting', report('Stop', { 'Acct-Input-Octets': 2, 'Acct-Output-Gigawords': 1 })),
  step('elementRequestList', { query: { Count: 5 } }),
  step('elementRequestCheck'),
  step('networkElementDelete', one),
]
