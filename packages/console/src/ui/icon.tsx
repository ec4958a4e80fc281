/** The icons of the menu and of the palette: 24 by 24, one line, in the colour of the text beside them. */

const PATHS = {
  overview: 'M4 13h6V4H4zM14 20h6v-9h-6zM4 20h6v-3H4zM14 7h6V4h-6z',
  sim: 'M7 3h7l4 4v14H7zM10 12h5v5h-5zM12.5 12v5M10 14.5h5',
  gateway:
    'M4 14h16v6H4zM7.5 17h.01M11 17h.01M12 10.5V14M9 8.5a4.2 4.2 0 0 1 6 0M6.5 6a7.8 7.8 0 0 1 11 0',
  iot: 'M8 8h8v8H8zM10.5 4v4M13.5 4v4M10.5 16v4M13.5 16v4M4 10.5h4M4 13.5h4M16 10.5h4M16 13.5h4',
  sms: 'M4 5h16v11H11l-5 4v-4H4zM8 9h8M8 12h5',
  site: 'M3.5 12h17M12 3.5c5 5 5 12 0 17M12 3.5c-5 5-5 12 0 17M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17z',
  bill: 'M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6',
  price: 'M4 4h8l8.5 8.5-8 8L4 12zM8 8h.01',
  maintenance: 'M4 6h16v14H4zM4 10h16M8 3.5V7M16 3.5V7M8 14h3',
  requests: 'M4 8h14M14 4l4 4-4 4M20 16H6M10 12l-4 4 4 4',
  events: 'M3 12h4l3-8 4 16 3-8h4',
  clock: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 7.5V12l3 2',
  fault: 'M13 3 5 14h6l-1 7 8-11h-6z',
  snapshot: 'M4 7h4l1.5-2.5h5L16 7h4v12H4zM12 9.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7z',
  key: 'M8 11.5a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM11 12.5 20 3.5M16.5 7l3 3M14 9.5l2 2',
  mail: 'M4 6h16v12H4zM4 7l8 6 8-6',
  device: 'M7 3h10v18H7zM11 18h2',
  network: 'M12 10v10M8 20h8M9 9.5a4 4 0 0 1 6 0M6.5 7a7.5 7.5 0 0 1 11 0M12 11h.01',
  world: 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6',
  action: 'M12 5v14M5 12h14',
  audit: 'M6 3h12v9M6 3v18h6M9 8h6M9 12h4M14 17.5l2.5 2.5 4-5',
  quota: 'M4 18a8.5 8.5 0 1 1 16 0M12 16l4-6',
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5 20 20',
  page: 'M6 3h12v18H6zM9 8h6M9 12h6M9 16h3',
} as const

export type IconName = keyof typeof PATHS

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}

const OF_PAGES: Readonly<Record<string, IconName>> = {
  '/': 'overview',
  '/sims': 'sim',
  '/gateways': 'gateway',
  '/iot': 'iot',
  '/sms': 'sms',
  '/webaccel': 'site',
  '/billing': 'bill',
  '/billing/prices': 'price',
  '/maintenance': 'maintenance',
  '/audit': 'audit',
  '/operator/audit': 'audit',
  '/quotas': 'quota',
  '/operator/requests': 'requests',
  '/operator/events': 'events',
  '/operator/clock': 'clock',
  '/operator/faults': 'fault',
  '/operator/snapshots': 'snapshot',
  '/operator/accounts': 'key',
  '/operator/devices': 'device',
  '/operator/edges': 'site',
  '/operator/network': 'network',
  '/operator/notices': 'mail',
  '/operator/world': 'world',
}

/** The icon of a page in the menu, by its path. */
export const iconOf = (path: string): IconName => OF_PAGES[path] ?? 'page'
