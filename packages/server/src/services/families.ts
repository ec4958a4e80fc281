/** Where operations are served: a family shares a version in the path and the conventions that go with it. */
import type { Family } from '../kernel/contract.ts'

export const CLOUD: Family = {
  name: 'cloud',
  title: 'Cloud resources',
  base: '/zone/{zone}/api/cloud/1.1',
  beautify: true,
}

export const OPERATOR: Family = {
  name: 'operator',
  title: 'Operator API',
  base: '/_kumoi/v1',
  root: true,
  beautify: true,
}

/** Interface, Versioning: always served under the is1a zone. */
export const WEBACCEL: Family = {
  name: 'webaccel',
  title: 'Web accelerator',
  base: '/zone/{zone}/api/webaccel/1.0',
  beautify: false,
  digest: true,
  zones: ['is1a'],
}

export const BILLING: Family = {
  name: 'billing',
  title: 'Billing',
  base: '/zone/{zone}/api/system/1.0',
  beautify: true,
}

/** Whose key this is, for clients that ask it there; no zone in the path. */
export const IAM: Family = {
  name: 'iam',
  title: 'Identity',
  base: '/api/iam/1.0',
  beautify: true,
}

/** No zone in the path. */
export const MAINTENANCE: Family = {
  name: 'maintenance',
  title: 'Host maintenance',
  base: '/api/global/1.0',
  beautify: true,
}

/** Contents of files, by tokens that the calls of the interface hand out. */
export const FILES: Family = {
  name: 'files',
  title: 'File contents',
  base: '/v1',
  root: true,
  beautify: false,
}

/** Reports on short messages, by the gateways that carry them. */
export const SMS: Family = {
  name: 'sms',
  title: 'Reports on short messages',
  base: '/sms/v1',
  root: true,
  beautify: false,
}

/** Messages of devices, by tokens and secrets that other calls hand out. */
export const IOT: Family = {
  name: 'iot',
  title: 'Messages of devices',
  base: '/iot/v1',
  root: true,
  beautify: false,
}
