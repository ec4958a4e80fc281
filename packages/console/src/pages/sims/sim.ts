/** A SIM as lists and details of the interface show it. */
import type { Element, Reply } from '@kumoi/client'

export type SimItem = Element<'itemList'>
export type SimDetail = Reply<'simStatus'>['sim']

/** The detail that the list carries when it is asked for. */
export function detailOf({ Status }: SimItem): Partial<SimDetail> {
  return Object(Object(Status).sim)
}

export function iccidOf({ Status }: { readonly Status?: unknown }): string {
  return String(Object(Status).ICCID ?? '')
}

/** What the parts of a SIM's page are given. */
export interface SimPart {
  readonly sim: SimDetail
  /** Asks for the state again, after something was done. */
  readonly onChange: () => void
}
