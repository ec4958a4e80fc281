/** Which requests the inspector shows. The address holds the choice. */
import type { Element } from '@kumoi/client'

export type RequestRow = Element<'requestList'>

export const STATUSES = ['all', 'done', 'refused', 'failed'] as const
export type StatusChoice = (typeof STATUSES)[number]

export interface RequestFilter {
  readonly words: string
  readonly status: StatusChoice
  readonly operation: string
  readonly account: string
  readonly withoutReads: boolean
  readonly withConsole: boolean
}

export function filterOf(query: Readonly<Record<string, string>>): RequestFilter {
  return {
    words: query.q ?? '',
    status: STATUSES.find((one) => one === query.show) ?? 'all',
    operation: query.operation ?? '',
    account: query.account ?? '',
    withoutReads: query.changes === '1',
    withConsole: query.console === '1',
  }
}

const LEAST: Readonly<Record<StatusChoice, number>> = { all: 0, done: 0, refused: 400, failed: 500 }

/** `own` is what the console calls itself. */
export function isWanted(row: RequestRow, filter: RequestFilter, own: string): boolean {
  const { status, operation, account } = filter
  if (!filter.withConsole && row.client === own) return false
  if (filter.withoutReads && row.method === 'GET') return false
  if (row.status < LEAST[status] || (status === 'done' && row.status >= 400)) return false
  if (operation !== '' && row.operation !== operation) return false
  if (account !== '' && row.account !== account) return false
  const text = `${row.operation} ${row.path} ${row.account ?? ''} ${row.serial} ${row.status}`
  return filter.words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word))
}

/** A path and its query: where there is room for one of them only, it is the path. */
export function partsOf(path: string): readonly [bare: string, query: string] {
  const mark = path.indexOf('?')
  return mark < 0 ? [path, ''] : [path.slice(0, mark), path.slice(mark)]
}
