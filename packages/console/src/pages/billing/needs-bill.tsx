/** Bills are shown to keys with the permission `bill`; to others it is said plainly that they are not. */
import type { ComponentChildren } from 'preact'
import { type Key, useKey } from '../../key.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { billingText } from './texts.ts'

export function NeedsBill({ children }: { children: (key: Key) => ComponentChildren }) {
  const key = useKey()
  if (key.data?.external.includes('bill')) return <>{children(key.data)}</>
  return (
    <Page title={billingText('title')}>
      <Loaded query={key}>
        {() => (
          <EmptyState title={billingText('noPermission')}>
            <p class="note">{billingText('noPermissionHint')}</p>
          </EmptyState>
        )}
      </Loaded>
    </Page>
  )
}
