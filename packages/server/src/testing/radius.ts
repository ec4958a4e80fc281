/** A cloud with gateways, and network elements that ask and report as FreeRADIUS does. */
import type { TestContext } from 'node:test'
import { NETWORK_TOKEN } from './cloud.ts'
import type { TestEngine } from './engines.ts'
import { openGateways } from './gateways.ts'

export const IMEISV = '3500000000000017'
/** Cards of a range have such IMSIs. */
export const imsiOfCard = (n: number): string => `44010${String(n).padStart(10, '0')}`

const CARRIERS = { 44010: 'carrier-a', 44020: 'carrier-b' }
export const ELEMENTS = ['pgw-1', 'pgw-2'].map((name, index) => ({
  ...{ name, address: `192.0.2.${10 + index}`, secret: 'shared-secret', carriers: CARRIERS },
}))

export type Attribute = string | number | undefined

/** As `rlm_rest` sends it. */
export function toPacket(attributes: Readonly<Record<string, Attribute>>) {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) =>
      value === undefined
        ? []
        : [[name, { type: typeof value === 'number' ? 'integer' : 'string', value: [value] }]],
    ),
  )
}

export async function openRadius(t: TestContext, engine: TestEngine) {
  const cloud = await openGateways(t, engine)
  await cloud.operator('POST', '/world', { body: { version: 1, network_elements: ELEMENTS } })
  const headers = { authorization: `Bearer ${NETWORK_TOKEN}` }
  const send = (path: string, attributes: Readonly<Record<string, Attribute>>) =>
    cloud.inject('POST', `/_kumoi/v1/radius/${path}`, { headers, body: toPacket(attributes) })
  const seconds = () => Math.floor(cloud.clock.now().getTime() / 1000)
  return {
    ...cloud,
    send,
    seconds,
    authorize: (n: number, more: Readonly<Record<string, Attribute>> = {}) =>
      send('authorize', {
        'NAS-Identifier': 'pgw-1',
        '3GPP-IMSI': imsiOfCard(n),
        '3GPP-IMEISV': IMEISV,
        '3GPP-SGSN-MCC-MNC': '44010',
        ...more,
      }),
    account: (
      n: number,
      id: string,
      status: string,
      more: Readonly<Record<string, Attribute>> = {},
    ) =>
      send('accounting', {
        'NAS-Identifier': 'pgw-1',
        '3GPP-IMSI': imsiOfCard(n),
        '3GPP-SGSN-MCC-MNC': '44010',
        'Acct-Session-Id': id,
        'Acct-Status-Type': status,
        'Event-Timestamp-Seconds': seconds(),
        ...more,
      }),
    /** A SIM that is activated, in a gateway that is up. */
    async connectable(n: number): Promise<{ sim: string; gateway: string }> {
      const gateway = await cloud.ready()
      const sim = await cloud.sim(n)
      await cloud.add(gateway, sim)
      return { sim, gateway }
    },
    sessions: async () => (await cloud.operator('GET', '/sessions')).body.sessions,
    element: async (name: string) =>
      (await cloud.operator('GET', `/network-elements/${name}`)).body.network_element,
  }
}
