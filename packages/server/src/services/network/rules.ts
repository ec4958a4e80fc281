/** Elements of a real mobile network (NAS), which ask and report by RADIUS (docs/networks.md). */
import { parseIpv4 } from '../../kernel/ipv4.ts'

export const ELEMENTS_MAX = 256
/** Entries of an element's table of carriers. */
export const ELEMENT_CARRIERS_MAX = 1000
export const COA_PORT_DEFAULT = 3799
/** It stands in paths, and is what an element may call itself in NAS-Identifier. */
export const ELEMENT_NAME_PATTERN = '^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$'
/** A country and a network: three digits, and two or three. */
export const MCC_MNC_PATTERN = '^[0-9]{5,6}$'
/** What needs no quoting in the configuration of any RADIUS server. */
export const SHARED_SECRET_PATTERN = '^[A-Za-z0-9!#%&()*+,./:;<=>?@^_|~-]{6,128}$'

export interface NetworkElement {
  readonly name: string
  /** IPv4: what it sends in NAS-IP-Address, and where requests to it are sent. */
  readonly address: string
  /** Shared with the RADIUS server. */
  readonly secret: string
  /** The carrier by the country and network that a device is in. */
  readonly carriers: Readonly<Record<string, string>>
  /** Where it listens for requests to it. */
  readonly coaPort: number
}

/** Without its secret: what every request needs, and what may be shown. */
export type PublicElement = Omit<NetworkElement, 'secret'>

/** What was heard of an element since it is known. */
export interface ElementCounts {
  readonly lastSeenAt: Date | undefined
  readonly accepted: number
  readonly refused: number
  readonly accountingPackets: number
}

export const NO_COUNTS: ElementCounts = {
  ...{ lastSeenAt: undefined, accepted: 0, refused: 0, accountingPackets: 0 },
}

export interface Problem {
  /** Below the element. */
  readonly path: readonly string[]
  readonly en: string
  readonly ja: string
}

/** What is wrong with an element that is declared; `known` are the carriers that there are. */
export function elementProblem(
  { address, carriers }: Pick<NetworkElement, 'address' | 'carriers'>,
  known: readonly string[],
): Problem | undefined {
  if (parseIpv4(address) === undefined) {
    const en = 'must be an IPv4 address such as 192.0.2.10.'
    return { path: ['address'], en, ja: 'は 192.0.2.10 のような IPv4 アドレスです。' }
  }
  const entries = Object.entries(carriers)
  if (entries.length > ELEMENT_CARRIERS_MAX) {
    const en = `has more than ${ELEMENT_CARRIERS_MAX} entries.`
    return { path: ['carriers'], en, ja: `は ${ELEMENT_CARRIERS_MAX} 件以下です。` }
  }
  for (const [code, carrier] of entries) {
    if (!isMccMnc.test(code)) {
      const en = 'is no country and network code: five or six digits, such as 44010.'
      return { path: ['carriers', code], en, ja: 'は 44010 のような 5 桁か 6 桁の番号です。' }
    }
    if (!known.includes(carrier)) {
      const en = `names no carrier; there are: ${known.join(', ')}`
      return { path: ['carriers', code], en, ja: `は不明です。利用可能: ${known.join(', ')}` }
    }
  }
  return undefined
}

const isMccMnc = new RegExp(MCC_MNC_PATTERN)
