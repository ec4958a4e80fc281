/** Sites are shown to keys with the permission `cdn`; to others it is said plainly that they are not. */
import type { ComponentChildren } from 'preact'
import { type Key, useKey } from '../../key.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { siteText } from './texts.ts'

export function NeedsCdn({ children }: { children: (key: Key) => ComponentChildren }) {
  const key = useKey()
  if (key.data?.external.includes('cdn')) return <>{children(key.data)}</>
  return (
    <Page title={siteText('title')}>
      <Loaded query={key}>{() => <EmptyState title={siteText('noPermission')} />}</Loaded>
    </Page>
  )
}
