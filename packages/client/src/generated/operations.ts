// Generated from the contracts of the server by `npm run generate`; do not edit.

/** Where the operations of a family begin: below the base address, or at the root of its origin. */
export const families = {
  cloud: { base: '/zone/{zone}/api/cloud/1.1', root: false },
  webaccel: { base: '/zone/{zone}/api/webaccel/1.0', root: false },
  operator: { base: '/_kumoi/v1', root: true },
} as const

export const operations = {
  authStatus: { method: 'GET', path: '/auth-status', family: 'cloud' },
  itemList: { method: 'GET', path: '/commonserviceitem', family: 'cloud' },
  itemRead: { method: 'GET', path: '/commonserviceitem/{id}', family: 'cloud' },
  itemCreate: { method: 'POST', path: '/commonserviceitem', family: 'cloud' },
  itemCreateByPut: { method: 'PUT', path: '/commonserviceitem', family: 'cloud' },
  itemUpdate: { method: 'PUT', path: '/commonserviceitem/{id}', family: 'cloud' },
  itemDelete: { method: 'DELETE', path: '/commonserviceitem/{id}', family: 'cloud' },
  siteList: { method: 'GET', path: '/site', family: 'webaccel' },
  siteRead: { method: 'GET', path: '/site/{site_id}', family: 'webaccel' },
  siteCreate: { method: 'POST', path: '/site', family: 'webaccel' },
  siteUpdate: { method: 'PUT', path: '/site/{site_id}', family: 'webaccel' },
  siteDelete: { method: 'DELETE', path: '/site/{site_id}', family: 'webaccel' },
  siteStatusSet: { method: 'PUT', path: '/site/{site_id}/status', family: 'webaccel' },
  certificateRead: { method: 'GET', path: '/site/{site_id}/certificate', family: 'webaccel' },
  certificateCreate: { method: 'POST', path: '/site/{site_id}/certificate', family: 'webaccel' },
  certificateUpdate: { method: 'PUT', path: '/site/{site_id}/certificate', family: 'webaccel' },
  certificateDelete: { method: 'DELETE', path: '/site/{site_id}/certificate', family: 'webaccel' },
  aclRead: { method: 'GET', path: '/site/{site_id}/acl', family: 'webaccel' },
  aclSet: { method: 'PUT', path: '/site/{site_id}/acl', family: 'webaccel' },
  aclDelete: { method: 'DELETE', path: '/site/{site_id}/acl', family: 'webaccel' },
  guardTokenCreate: {
    method: 'POST',
    path: '/site/{site_id}/origin-guard-token',
    family: 'webaccel',
  },
  guardTokenDelete: {
    method: 'DELETE',
    path: '/site/{site_id}/origin-guard-token',
    family: 'webaccel',
  },
  nextGuardTokenCreate: {
    method: 'POST',
    path: '/site/{site_id}/origin-guard-token/next',
    family: 'webaccel',
  },
  nextGuardTokenDelete: {
    method: 'DELETE',
    path: '/site/{site_id}/origin-guard-token/next',
    family: 'webaccel',
  },
  logUploadRead: { method: 'GET', path: '/site/{site_id}/log-upload-config', family: 'webaccel' },
  logUploadSet: { method: 'PUT', path: '/site/{site_id}/log-upload-config', family: 'webaccel' },
  logUploadDelete: {
    method: 'DELETE',
    path: '/site/{site_id}/log-upload-config',
    family: 'webaccel',
  },
  cacheDelete: { method: 'POST', path: '/deletecache', family: 'webaccel' },
  cacheDeleteAll: { method: 'POST', path: '/deleteallcache', family: 'webaccel' },
  monthlyUsageRead: { method: 'GET', path: '/monthlyusage', family: 'webaccel' },
  healthLive: { method: 'GET', path: '/health/live', family: 'operator' },
  healthReady: { method: 'GET', path: '/health/ready', family: 'operator' },
  metricsRead: { method: 'GET', path: '/metrics', family: 'operator' },
  caRead: { method: 'GET', path: '/ca.pem', family: 'operator' },
  worldRead: { method: 'GET', path: '/world', family: 'operator' },
  worldApply: { method: 'POST', path: '/world', family: 'operator' },
  reset: { method: 'POST', path: '/reset', family: 'operator' },
  clockRead: { method: 'GET', path: '/clock', family: 'operator' },
  accountList: { method: 'GET', path: '/accounts', family: 'operator' },
  accountCreate: { method: 'POST', path: '/accounts', family: 'operator' },
  keyList: { method: 'GET', path: '/accounts/{code}/keys', family: 'operator' },
  keyCreate: { method: 'POST', path: '/accounts/{code}/keys', family: 'operator' },
  keyRotate: { method: 'POST', path: '/accounts/{code}/keys/{token}/rotate', family: 'operator' },
  keyRevoke: { method: 'DELETE', path: '/accounts/{code}/keys/{token}', family: 'operator' },
} as const

export type OperationName = keyof typeof operations
