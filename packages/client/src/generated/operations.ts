// Generated from the contracts of the server by `npm run generate`; do not edit.

/** Where the operations of a family begin: below the base address, or at the root of its origin. */
export const families = {
  cloud: { base: '/zone/{zone}/api/cloud/1.1', root: false },
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
  smsSendGenerated: {
    method: 'PUT',
    path: '/commonserviceitem/{sms_id}/esme/2fa/otp',
    family: 'cloud',
  },
  smsSendGiven: { method: 'PUT', path: '/commonserviceitem/{sms_id}/esme/2fa', family: 'cloud' },
  smsLogList: { method: 'GET', path: '/commonserviceitem/{sms_id}/esme/logs', family: 'cloud' },
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
  smsOutboxList: { method: 'GET', path: '/outbox/sms', family: 'operator' },
  smsOutboxDeliver: {
    method: 'POST',
    path: '/outbox/sms/{message_id}/deliver',
    family: 'operator',
  },
  smsOutboxFail: { method: 'POST', path: '/outbox/sms/{message_id}/fail', family: 'operator' },
} as const

export type OperationName = keyof typeof operations
