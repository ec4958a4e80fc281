import type { Element } from '@kumoi/client'
import { useQuery } from '../../data/query.ts'
import { formatYen } from '../../format.ts'
import type { PageInput } from '../../page-input.ts'
import { setQuery } from '../../router.ts'
import { cloud } from '../../session.ts'
import { Field } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { productName } from './bills.ts'
import { billingText } from './texts.ts'

type Product = Element<'priceList'>

export function PriceList({ query }: PageInput) {
  const prices = useQuery(
    async (signal) => (await cloud().orThrow.priceList({}, { signal })).ServiceClasses,
    [],
  )
  const wanted = (query.q ?? '').trim().toLowerCase()
  return (
    <Page title={billingText('prices')} note={billingText('pricesNote')}>
      <div class="filters">
        <Field
          label={billingText('search')}
          type="search"
          value={query.q ?? ''}
          onInput={(q) => setQuery({ q })}
        />
      </div>
      <Loaded query={prices}>
        {(list) => (
          <Table
            caption={billingText('prices')}
            rows={list.filter((one) => matches(one, wanted))}
            keyOf={({ Index }) => String(Index)}
            empty={billingText('noPrice')}
            columns={columns()}
          />
        )}
      </Loaded>
    </Page>
  )
}

function matches(one: Product, wanted: string): boolean {
  const texts = [one.DisplayName, one.ServiceClassName, one.ServiceClassPath, one.Price?.Zone]
  return [...texts, String(one.ServiceClassID)].some((text) => text?.toLowerCase().includes(wanted))
}

function columns(): Column<Product>[] {
  const price = (key: 'Base' | 'Hourly' | 'Daily' | 'Monthly', title: string): Column<Product> => ({
    ...{ key, title, align: 'end' },
    cell: ({ Price }) => (Price?.[key] ? formatYen(Price[key]) : '–'),
  })
  return [
    {
      key: 'product',
      title: billingText('product'),
      cell: (one) => (
        <>
          {productName(one)}
          <div class="note">{one.ServiceClassPath}</div>
        </>
      ),
    },
    {
      key: 'id',
      title: billingText('classId'),
      cell: ({ ServiceClassID }) => <code>{ServiceClassID}</code>,
    },
    { key: 'zone', title: billingText('zone'), cell: ({ Price }) => Price?.Zone || '–' },
    price('Base', billingText('each')),
    price('Hourly', billingText('hourly')),
    price('Daily', billingText('daily')),
    price('Monthly', billingText('monthly')),
  ]
}
