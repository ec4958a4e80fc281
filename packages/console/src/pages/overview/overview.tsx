import { Page } from '../../ui/page.tsx'
import { overviewText } from './texts.ts'

export function Overview() {
  return <Page title={overviewText('title')}>…</Page>
}
