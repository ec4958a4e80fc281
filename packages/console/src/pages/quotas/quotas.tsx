/** The quotas of the account whose key is used. */
import { useQuery } from '../../data/query.ts'
import { cloud } from '../../session.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { QuotaTable } from './quota-table.tsx'
import { quotaText } from './texts.ts'

export function OwnQuotas() {
  const quotas = useQuery(async (signal) => {
    const { Quotas } = await cloud().orThrow.ownQuotaList({}, { signal })
    return Quotas.map(({ Name, Limit, Used }) => ({ name: Name, limit: Limit, used: Used }))
  }, [])
  return (
    <Page title={quotaText('quotas')}>
      <p>{quotaText('own')}</p>
      <Loaded query={quotas}>{(list) => <QuotaTable quotas={list} />}</Loaded>
    </Page>
  )
}
