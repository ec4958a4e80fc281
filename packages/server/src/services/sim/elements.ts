/** The port to the elements of real networks, which another slice keeps. */
import type { Tx } from '../../storage/database.ts'

/** How an element names itself in a packet. */
export interface ElementKey {
  readonly address: string | undefined
  readonly name: string | undefined
}

export interface KnownElement {
  readonly name: string
  readonly address: string
  readonly carriers: Readonly<Record<string, string>>
}

/** So many accounting packets of an element were taken. */
export interface HeardPackets {
  readonly element: string
  readonly packets: number
  readonly at: Date
}

export interface Elements {
  /** Those with one of these names or addresses. */
  find(tx: Tx, keys: readonly ElementKey[]): Promise<KnownElement[]>
  heard(tx: Tx, heard: readonly HeardPackets[]): Promise<void>
}

/** Where no real network is. */
export const NO_ELEMENTS: Elements = {
  find: async () => [],
  heard: async () => undefined,
}

/** The address goes before the name. */
export function elementOf(known: readonly KnownElement[], key: ElementKey) {
  return (
    known.find(({ address }) => address === key.address) ??
    known.find(({ name }) => name === key.name)
  )
}

/** Carriers by country and network; a network that the table does not know stands for itself. */
export function carrierOf({ carriers }: KnownElement, mccMnc: string | undefined) {
  return mccMnc === undefined ? undefined : (carriers[mccMnc] ?? mccMnc)
}
