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
]
