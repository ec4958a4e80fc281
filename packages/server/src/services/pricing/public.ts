/** What slices use to name what they sell, and to price what they have counted. */
export {
  gatewayIn,
  IOT_ADAPTER,
  IOT_PROJECT,
  SIM_BASE,
  SMS_MESSAGE,
  simTrafficOf,
  WEBACCEL_TRAFFIC,
} from './catalogue-rules.ts'
export { PriceList } from './price-list.ts'
export { chargeFor, MEASURES, type Measure, type Product } from './rules.ts'
