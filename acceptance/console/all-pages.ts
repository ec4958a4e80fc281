/** The paths of all pages, for the walk over them and for the screenshots. */
export interface PagePlace {
  readonly name: string
  /** `{sim}` and `{gateway}` are filled with the ids of the demo world. */
  readonly path: string
}

export const allPages: readonly PagePlace[] = [
  { name: 'overview', path: '/' },
  { name: 'sims', path: '/sims' },
  { name: 'sims-register', path: '/sims/register' },
  { name: 'sim', path: '/sims/{sim}' },
  { name: 'sim-traffic', path: '/sims/{sim}?tab=traffic' },
  { name: 'sim-sessions', path: '/sims/{sim}?tab=sessions' },
  { name: 'sim-network', path: '/sims/{sim}?tab=network' },
  { name: 'sim-refused', path: '/sims/{sim}?tab=refused' },
  { name: 'gateways', path: '/gateways' },
  { name: 'gateway', path: '/gateways/{gateway}' },
  { name: 'gateway-settings', path: '/gateways/{gateway}?tab=settings' },
  { name: 'gateway-sims', path: '/gateways/{gateway}?tab=sims' },
  { name: 'gateway-routes', path: '/gateways/{gateway}?tab=routes' },
  { name: 'gateway-dns', path: '/gateways/{gateway}?tab=dns' },
  { name: 'gateway-traffic', path: '/gateways/{gateway}?tab=traffic' },
  { name: 'operator-requests', path: '/operator/requests' },
  { name: 'operator-events', path: '/operator/events' },
  { name: 'operator-clock', path: '/operator/clock' },
  { name: 'operator-faults', path: '/operator/faults' },
  { name: 'operator-snapshots', path: '/operator/snapshots' },
  { name: 'operator-accounts', path: '/operator/accounts?account=demo' },
  { name: 'operator-devices', path: '/operator/devices' },
]
