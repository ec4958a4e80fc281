/**
 * Words that must not be in the tree. They are put together here, so that neither a check nor a
 * plain search finds this file.
 */
import { type Check, isTest, matchingLines } from './finding.ts'

export const MARKERS = [`TO${'DO'}`, `FIX${'ME'}`, `X${'XX'}`, `HA${'CK'}`]

export const VENDORS = [
  `saku${'ra'}`,
  `sacl${'oud'}`,
  `sla${'ck'}`,
  `kd${'di'}`,
  `doco${'mo'}`,
  `soft${'bank'}`,
]

const MARKER = new RegExp(`\\b(${MARKERS.join('|')})\\b`)
const VENDOR = new RegExp(VENDORS.join('|'), 'i')

export const leavesNoMarkers: Check = (path, text) => {
  if (!/\.(ts|tsx|md)$/.test(path)) return []
  return matchingLines(path, text, MARKER, (word) => `${word}: finish it, or open an issue`)
}

/** What only one company calls so is data of a profile; a test of a profile is named after it. */
export const namesNoVendor: Check = (path, text) => {
  if (!/\.tsx?$/.test(path) || (isTest(path) && VENDOR.test(path))) return []
  return matchingLines(path, text, VENDOR, (word) => `${word}: vendor words belong to profiles/`)
}
