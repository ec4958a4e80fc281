/** Finds the page of a route, fetches it and draws it. */
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { PageInput } from '../page-input.ts'
import { type PageEntry, type PageGroup, pageGroups } from '../pages.ts'
import { matchPath, type Route } from '../router.ts'
import { apiPath, operatorPath, session } from '../session.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorBox } from '../ui/error-box.tsx'
import { PageSkeleton } from '../ui/skeleton.tsx'
import { mayOpen } from './menu.tsx'
import { shellText } from './texts.ts'

interface Found {
  readonly group: PageGroup
  readonly entry: PageEntry
  readonly params: Record<string, string>
}

export function findPage(path: string): Found | undefined {
  for (const group of pageGroups) {
    for (const entry of group.pages) {
      const params = matchPath(entry.path, path)
      if (params !== undefined) return { group, entry, params }
    }
  }
  return undefined
}

export function OpenPage({ route }: { route: Route }) {
  const found = findPage(route.path)
  if (found === undefined) {
    return (
      <EmptyState icon="search" title={shellText('notFound')}>
        <a href="#/">{shellText('toOverview')}</a>
      </EmptyState>
    )
  }
  if (!mayOpen(found.group, session.value)) return <NotOpen needs={found.group.needs} />
  // One that shows another thing begins anew, with nothing of the thing before.
  return <Fetched key={route.path} {...found} query={route.query} />
}

function NotOpen({ needs }: Pick<PageGroup, 'needs'>) {
  const isOperators = needs === 'operator'
  const isHere = (isOperators ? operatorPath() : apiPath()) !== undefined
  if (!isHere) {
    return <EmptyState title={shellText(isOperators ? 'operatorElsewhere' : 'apiElsewhere')} />
  }
  return (
    <EmptyState title={shellText(isOperators ? 'needsOperator' : 'needsKey')}>
      <a href="#/sign-in">{shellText('signIn')}</a>
    </EmptyState>
  )
}

const fetched = new Map<PageEntry, ComponentType<PageInput>>()

function Fetched({ entry, params, query }: Found & Pick<PageInput, 'query'>) {
  const [state, setState] = useState<{ error?: unknown; page?: ComponentType<PageInput> }>(() => {
    const page = fetched.get(entry)
    return page === undefined ? {} : { page }
  })
  useEffect(() => {
    entry.load().then(
      (page) => {
        fetched.set(entry, page)
        setState({ page })
      },
      (error: unknown) => setState({ error }),
    )
  }, [entry])
  if (state.error !== undefined) return <ErrorBox error={state.error} />
  const Body = state.page
  if (Body === undefined) return <PageSkeleton />
  return <Body params={params} query={query} />
}
