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
  simStatus: { method: 'GET', path: '/commonserviceitem/{sim_id}/sim/status', family: 'cloud' },
  simActivate: { method: 'PUT', path: '/commonserviceitem/{sim_id}/sim/activate', family: 'cloud' },
  simDeactivate: {
    method: 'PUT',
    path: '/commonserviceitem/{sim_id}/sim/deactivate',
    family: 'cloud',
  },
  simReconnect: {
    method: 'PUT',
    path: '/commonserviceitem/{sim_id}/sim/reconnect',
    family: 'cloud',
  },
  simCarriersRead: {
    method: 'GET',
    path: '/commonserviceitem/{sim_id}/sim/network_operator_config',
    family: 'cloud',
  },
  simCarriersSet: {
    method: 'PUT',
    path: '/commonserviceitem/{sim_id}/sim/network_operator_config',
    family: 'cloud',
  },
  simIpSet: { method: 'PUT', path: '/commonserviceitem/{sim_id}/sim/ip', family: 'cloud' },
  simIpClear: { method: 'DELETE', path: '/commonserviceitem/{sim_id}/sim/ip', family: 'cloud' },
  simImeiLock: { method: 'PUT', path: '/commonserviceitem/{sim_id}/sim/imeilock', family: 'cloud' },
  simImeiUnlock: {
    method: 'DELETE',
    path: '/commonserviceitem/{sim_id}/sim/imeilock',
    family: 'cloud',
  },
  simSessionLog: {
    method: 'GET',
    path: '/commonserviceitem/{sim_id}/sim/sessionlog',
    family: 'cloud',
  },
  simMetrics: { method: 'GET', path: '/commonserviceitem/{sim_id}/sim/metrics', family: 'cloud' },
  simMetricsMonitor: {
    method: 'GET',
    path: '/commonserviceitem/{sim_id}/sim/metrics/monitor',
    family: 'cloud',
  },
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
  deviceAttach: { method: 'POST', path: '/devices/{iccid}/attach', family: 'operator' },
  deviceDetach: { method: 'POST', path: '/devices/{iccid}/detach', family: 'operator' },
  deviceTraffic: { method: 'POST', path: '/devices/{iccid}/traffic', family: 'operator' },
  deviceRefusals: { method: 'GET', path: '/devices/{iccid}/refusals', family: 'operator' },
  sessionList: { method: 'GET', path: '/sessions', family: 'operator' },
} as const

export type OperationName = keyof typeof operations
