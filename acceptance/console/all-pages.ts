/** The paths of all pages, for the walk over them and for the screenshots. */
export interface PagePlace {
  readonly name: string
  readonly path: string
}

export const allPages: readonly PagePlace[] = [
  { name: 'overview', path: '/' },
  { name: 'iot', path: '/iot' },
  { name: 'sms', path: '/sms' },
  { name: 'sms-service', path: '/sms/900000099201' },
  { name: 'billing', path: '/billing' },
  { name: 'bill', path: '/billing/bills/1000001' },
  { name: 'prices', path: '/billing/prices' },
  { name: 'maintenance', path: '/maintenance?month=2026-04' },
  { name: 'webaccel', path: '/webaccel' },
  { name: 'site-usage', path: '/webaccel/900000099101' },
  { name: 'site-settings', path: '/webaccel/900000099101?tab=settings' },
  { name: 'site-certificate', path: '/webaccel/900000099101?tab=certificate' },
  { name: 'site-access', path: '/webaccel/900000099101?tab=access' },
  { name: 'site-cache', path: '/webaccel/900000099101?tab=cache' },
]
