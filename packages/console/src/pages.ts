/**
 * All pages, by group. A page is fetched when it is first opened, so that the first load stays small. How to
 * add one: README.md of this package.
 */
import type { ComponentType } from 'preact'
import type { Text } from './i18n.ts'

export interface PageInput {
  /** The values of the `{names}` in its path. */
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
}

export interface PageEntry {
  readonly path: string
  /** Its name in the menu; a page without one is reached from another page. */
  readonly title?: Text
  readonly load: () => Promise<ComponentType<PageInput>>
}

export interface PageGroup {
  readonly key: string
  readonly title: Text
  /** Who sees it: whoever has an API key, or the operator token, or either. */
  readonly needs: 'key' | 'operator' | 'either'
  readonly pages: readonly PageEntry[]
}

export const pageGroups: readonly PageGroup[] = [
  {
    key: 'overview',
    title: ['Overview', '概要'],
    needs: 'either',
    pages: [
      {
        path: '/',
        title: ['Overview', '概要'],
        load: async () => (await import('./pages/overview/overview.tsx')).Overview,
      },
    ],
  },
  {
    key: 'iot',
    title: ['IoT', 'IoT'],
    needs: 'key',
    pages: [
      {
        path: '/iot',
        title: ['IoT', 'IoT'],
        load: async () => (await import('./pages/iot/projects.tsx')).Projects,
      },
      {
        path: '/iot/{id}',
        load: async () => (await import('./pages/iot/project-detail.tsx')).ProjectDetail,
      },
    ],
  },
  {
    key: 'sms',
    title: ['SMS', 'SMS'],
    needs: 'key',
    pages: [
      {
        path: '/sms',
        title: ['SMS', 'SMS'],
        load: async () => (await import('./pages/sms/services.tsx')).SmsServices,
      },
      {
        path: '/sms/{id}',
        load: async () => (await import('./pages/sms/service-detail.tsx')).SmsDetail,
      },
    ],
  },
  {
    key: 'billing',
    title: ['Billing', '請求'],
    needs: 'key',
    pages: [
      {
        path: '/billing',
        title: ['Bills', '請求'],
        load: async () => (await import('./pages/billing/bill-list.tsx')).BillList,
      },
      {
        path: '/billing/bills/{id}',
        load: async () => (await import('./pages/billing/bill-detail.tsx')).BillDetail,
      },
      {
        path: '/billing/prices',
        title: ['Prices', '料金表'],
        load: async () => (await import('./pages/billing/price-list.tsx')).PriceList,
      },
    ],
  },
  {
    key: 'maintenance',
    title: ['Maintenance', 'メンテナンス'],
    needs: 'key',
    pages: [
      {
        path: '/maintenance',
        title: ['Maintenance', 'メンテナンス'],
        load: async () => (await import('./pages/maintenance/maintenance.tsx')).Maintenance,
      },
    ],
  },
  {
    key: 'webaccel',
    title: ['Web accelerator', 'ウェブアクセラレータ'],
    needs: 'key',
    pages: [
      {
        path: '/webaccel',
        title: ['Web accelerator', 'ウェブアクセラレータ'],
        load: async () => (await import('./pages/webaccel/sites.tsx')).Sites,
      },
      {
        path: '/webaccel/{id}',
        load: async () => (await import('./pages/webaccel/site-detail.tsx')).SiteDetail,
      },
    ],
  },
]
