/** What slices use to price what they have counted. */
export { priceOf, WEBACCEL_TRAFFIC } from './rules.ts'
