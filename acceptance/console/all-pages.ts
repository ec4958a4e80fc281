/** The paths of all pages, for the walk over them and for the screenshots. */
export interface PagePlace {
  readonly name: string
  /** `{sim}`, `{gateway}` and `{project}` are filled with the ids of the demo world. */
  readonly path: string
  /** Its rows come by themselves, after the page. */
  readonly isLive?: true
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
  { name: 'gateway-sessions', path: '/gateways/{gateway}?tab=sessions' },
  { name: 'gateway-routes', path: '/gateways/{gateway}?tab=routes' },
  { name: 'gateway-dns', path: '/gateways/{gateway}?tab=dns' },
  { name: 'gateway-traffic', path: '/gateways/{gateway}?tab=traffic' },
  { name: 'iot', path: '/iot' },
  { name: 'project-sims', path: '/iot/{project}' },
  { name: 'project-adapters', path: '/iot/{project}?tab=adapters' },
  { name: 'project-messages', path: '/iot/{project}?tab=messages' },
  { name: 'project-webhooks', path: '/iot/{project}?tab=webhooks' },
  { name: 'project-files', path: '/iot/{project}?tab=files' },
  { name: 'sms', path: '/sms' },
  { name: 'sms-service', path: '/sms/900000099201' },
  { name: 'billing', path: '/billing' },
  { name: 'bill', path: '/billing/bills/10000003' },
  { name: 'prices', path: '/billing/prices' },
  { name: 'maintenance', path: '/maintenance?month=2026-04' },
  { name: 'audit', path: '/audit' },
  { name: 'quotas', path: '/quotas' },
  { name: 'webaccel', path: '/webaccel' },
  { name: 'site-usage', path: '/webaccel/900000099101' },
  { name: 'site-settings', path: '/webaccel/900000099101?tab=settings' },
  { name: 'site-certificate', path: '/webaccel/900000099101?tab=certificate' },
  { name: 'site-access', path: '/webaccel/900000099101?tab=access' },
  { name: 'site-cache', path: '/webaccel/900000099101?tab=cache' },
  { name: 'operator-requests', path: '/operator/requests', isLive: true },
  { name: 'operator-events', path: '/operator/events', isLive: true },
  { name: 'operator-clock', path: '/operator/clock' },
  { name: 'operator-faults', path: '/operator/faults' },
  { name: 'operator-snapshots', path: '/operator/snapshots' },
  { name: 'operator-world', path: '/operator/world' },
  { name: 'operator-accounts', path: '/operator/accounts?account=demo' },
  { name: 'operator-audit', path: '/operator/audit' },
  { name: 'operator-notices', path: '/operator/notices' },
  { name: 'operator-network', path: '/operator/network' },
  { name: 'operator-edges', path: '/operator/edges' },
  { name: 'operator-devices', path: '/operator/devices' },
]

/** The path of a page, with the ids that idsOf finds. */
export function filledPath(path: string, ids: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, key) => ids[key] ?? '')
}
