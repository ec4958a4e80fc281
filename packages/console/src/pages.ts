/**
 * All pages, by group. A page is fetched when it is first opened, so that the first load stays small. How to
 * add one: README.md of this package.
 */
import type { ComponentType } from 'preact'
import type { Text } from './i18n.ts'
import type { PageInput } from './page-input.ts'

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
    key: 'connectivity',
    title: ['Connectivity', '接続'],
    needs: 'key',
    pages: [
      {
        path: '/sims',
        title: ['SIMs', 'SIM'],
        load: async () => (await import('./pages/sims/sim-list.tsx')).SimList,
      },
      {
        path: '/sims/register',
        load: async () => (await import('./pages/sims/register-many.tsx')).RegisterMany,
      },
      {
        path: '/sims/{id}',
        load: async () => (await import('./pages/sims/sim-detail.tsx')).SimPage,
      },
      {
        path: '/gateways',
        title: ['Gateways', 'ゲートウェイ'],
        load: async () => (await import('./pages/gateways/gateway-list.tsx')).GatewayList,
      },
      {
        path: '/gateways/{id}',
        load: async () => (await import('./pages/gateways/gateway-detail.tsx')).GatewayPage,
      },
    ],
  },
  {
    key: 'messaging',
    title: ['Messaging', 'メッセージ'],
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
    key: 'delivery',
    title: ['Delivery', '配信'],
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
  {
    key: 'account',
    title: ['Account', 'アカウント'],
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
      {
        path: '/maintenance',
        title: ['Maintenance', 'メンテナンス'],
        load: async () => (await import('./pages/maintenance/maintenance.tsx')).Maintenance,
      },
      {
        path: '/audit',
        title: ['Audit trail', '監査証跡'],
        load: async () => (await import('./pages/audit/audit.tsx')).OwnAudit,
      },
      {
        path: '/quotas',
        title: ['Quotas', '上限'],
        load: async () => (await import('./pages/quotas/quotas.tsx')).OwnQuotas,
      },
    ],
  },
  {
    key: 'operator',
    title: ['Operator', 'オペレーター'],
    needs: 'operator',
    pages: [
      {
        path: '/operator/requests',
        title: ['Requests', 'リクエスト'],
        load: async () => (await import('./pages/operator/requests.tsx')).Requests,
      },
      {
        path: '/operator/events',
        title: ['Events', 'イベント'],
        load: async () => (await import('./pages/operator/events.tsx')).Events,
      },
      {
        path: '/operator/clock',
        title: ['Clock', '時計'],
        load: async () => (await import('./pages/operator/clock.tsx')).ClockPage,
      },
      {
        path: '/operator/faults',
        title: ['Faults', '障害注入'],
        load: async () => (await import('./pages/operator/faults.tsx')).Faults,
      },
      {
        path: '/operator/snapshots',
        title: ['Snapshots', 'スナップショット'],
        load: async () => (await import('./pages/operator/snapshots.tsx')).Snapshots,
      },
      {
        path: '/operator/world',
        title: ['World file', 'ワールドファイル'],
        load: async () => (await import('./pages/operator/world.tsx')).WorldPage,
      },
      {
        path: '/operator/accounts',
        title: ['Accounts and keys', 'アカウントとキー'],
        load: async () => (await import('./pages/operator/accounts.tsx')).Accounts,
      },
      {
        path: '/operator/audit',
        title: ['Audit trail of all', '全体の監査証跡'],
        load: async () => (await import('./pages/audit/audit.tsx')).AllAudit,
      },
      {
        path: '/operator/notices',
        title: ['Notices', '通知'],
        load: async () => (await import('./pages/operator/notices.tsx')).Notices,
      },
      {
        path: '/operator/network',
        title: ['Network elements', 'ネットワーク装置'],
        load: async () => (await import('./pages/operator/network.tsx')).NetworkPage,
      },
      {
        path: '/operator/edges',
        title: ['Edges', 'エッジ'],
        load: async () => (await import('./pages/operator/edges.tsx')).EdgesPage,
      },
      {
        path: '/operator/devices',
        title: ['Devices', 'デバイス'],
        load: async () => (await import('./pages/operator/devices.tsx')).Devices,
      },
    ],
  },
]
