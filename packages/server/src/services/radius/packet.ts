/** Who a packet comes from, whom it is about, and what it reports. */
import type { Entry } from '../sim/public.ts'
import type { Attributes } from './attributes.ts'
import { imeiOf, mccMncOf, packetTime, type StatusType, subscriberKey, usedBytes } from './rules.ts'

export function elementKeyOf(attributes: Attributes) {
  return {
    name: attributes.text('NAS-Identifier'),
    address: attributes.text('NAS-IP-Address'),
  }
}

/** Of a question: who asks for whom. */
export function questionOf(attributes: Attributes) {
  return {
    element: elementKeyOf(attributes),
    subscriber: subscriberOf(attributes),
    acctSessionId: attributes.text('Acct-Session-Id') ?? '',
    imei: imeiOf(attributes.text('3GPP-IMEISV')),
    mccMnc: mccMncOf(attributes.text('3GPP-SGSN-MCC-MNC')),
  }
}

export function entryOf(attributes: Attributes, status: StatusType, now: Date): Entry {
  const event = attributes.eventSeconds()
  const { at, isTimed } = packetTime(event, attributes.number('Acct-Delay-Time'), now)
  const { element, subscriber, acctSessionId, imei, mccMnc } = questionOf(attributes)
  if (status === 'on' || status === 'off') {
    // One that says when it was is known by it when it comes again.
    const mark = event === undefined ? undefined : `${status} ${event} ${acctSessionId}`
    return { type: 'restart', element, at, mark, now }
  }
  const used = usedBytes({
    input: attributes.number('Acct-Input-Octets'),
    inputGigawords: attributes.number('Acct-Input-Gigawords'),
    output: attributes.number('Acct-Output-Octets'),
    outputGigawords: attributes.number('Acct-Output-Gigawords'),
  })
  const ip = attributes.address('Framed-IP-Address')
  const packet = { kind: status, used, at, isTimed, imei, ip }
  return { type: 'packet', element, subscriber, acctSessionId, mccMnc, packet, now }
}

function subscriberOf(attributes: Attributes) {
  return subscriberKey(attributes.text('3GPP-IMSI'), attributes.text('Calling-Station-Id'))
}
