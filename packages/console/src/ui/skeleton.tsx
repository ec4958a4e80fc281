/** The shape of what is awaited, so that the page does not jump when it comes. */
import { uiText } from './texts.ts'

/** The words are for those who do not see the bars. */
export function Skeleton({ lines = 4 }: { lines?: number }) {
  return (
    <div class="skeleton" role="status">
      <span class="unseen">{uiText('loading')}</span>
      {Array.from({ length: lines }, (_, at) => (
        <i key={String(at)} />
      ))}
    </div>
  )
}

/** Of a whole page, while its program is fetched. */
export function PageSkeleton() {
  return (
    <div class="page-skeleton">
      <Skeleton lines={1} />
      <div class="card">
        <Skeleton lines={6} />
      </div>
    </div>
  )
}
