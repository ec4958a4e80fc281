/** The three states of a question: waiting, refused, answered. */
import type { ComponentChildren } from 'preact'
import type { Query } from '../data/query.ts'
import { ErrorBox } from './error-box.tsx'
import { Skeleton } from './skeleton.tsx'

export interface LoadedProps<T> {
  readonly query: Query<T>
  readonly children: (data: T) => ComponentChildren
}

export function Loaded<T>({ query, children }: LoadedProps<T>) {
  const { data, error, reload } = query
  return (
    <>
      {error !== undefined && <ErrorBox error={error} onRetry={reload} />}
      {data !== undefined && children(data)}
      {data === undefined && error === undefined && <Skeleton />}
    </>
  )
}
