/** One bill: what it is for, as a list and as CSV. */
import type { Bill, Element } from '@kumoi/client'
import { useAction } from '../../data/action.ts'
import { useQuery } from '../../data/query.ts'
import { formatBytes, formatDate, formatNumber, formatYen } from '../../format.ts'
import { type Key, operatorReason } from '../../key.ts'
import type { PageInput } from '../../page-input.ts'
import { saveAs } from '../../save-as.ts'
import { cloud } from '../../session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Card, Facts, Page } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { billAllowed } from './allowed.ts'
import { formatMonth, productName, stateOf, TONES } from './bills.ts'
import { NeedsBill } from './needs-bill.tsx'
import { namesInCsv, type Resource, resourcesOf } from './resources.ts'
import { billingText } from './texts.ts'

export function BillDetail({ params }: PageInput) {
  return <NeedsBill>{(key) => <Shown access={key} id={params.id ?? ''} />}</NeedsBill>
}

async function readBill(access: Key, id: string, signal: AbortSignal) {
  const calls = cloud().orThrow
  const params = { member_code: access.memberCode, bill_id: id }
  const [bill, details, csv, prices] = await Promise.all([
    calls.billRead({ params: { bill_id: id } }, { signal }),
    calls.billDetailList({ params }, { signal }),
    calls.billDetailCsv({ params }, { signal }),
    calls.priceList({}, { signal }),
  ])
  const ids = [...new Set(details.BillDetails.map(({ ContractID }) => ContractID))]
  const resources = await resourcesOf(ids, access, signal)
  const names = namesInCsv(csv.Body)
  const products = new Map(prices.ServiceClasses.map((one) => [one.ServiceClassID, one]))
  const lines = details.BillDetails.map((one) => ({
    ...one,
    product: products.get(one.ServiceClassID),
    resource: resourceOf(one.ContractID, resources, names),
  }))
  return { bill: bill.Bills[0], now: bill.ResponsedAt, lines }
}

function resourceOf(
  id: string,
  resources: ReadonlyMap<string, Resource>,
  names: ReadonlyMap<string, string>,
): Resource {
  return resources.get(id) ?? { name: names.get(id) ?? '' }
}

function Shown({ access, id }: { access: Key; id: string }) {
  const found = useQuery((signal) => readBill(access, id, signal), [access.memberCode, id])
  const save = useAction(async () => {
    const params = { member_code: access.memberCode, bill_id: id }
    const { Filename, Body } = await cloud().orThrow.billDetailCsv({ params })
    saveAs(Filename, 'text/csv', Body)
  })
  const bill = found.data?.bill
  const state = bill && found.data && stateOf(bill, found.data.now)
  return (
    <Page
      title={billingText('bill', { id })}
      note={bill && formatMonth(bill.Date)}
      actions={
        <>
          {bill && state && <Marking bill={bill} state={state} reload={found.reload} />}
          <Button kind="primary" isBusy={save.isBusy} onClick={() => void save.run()}>
            {billingText('csv')}
          </Button>
        </>
      }
    >
      {save.error !== undefined && <ErrorBox error={save.error} />}
      <Loaded query={found}>
        {({ lines }) => (
          <>
            {bill && state && (
              <Card title={billingText('bill', { id })}>
                <Facts
                  rows={[
                    [billingText('amount'), formatYen(bill.Amount)],
                    [billingText('state'), <Badge tone={TONES[state]}>{billingText(state)}</Badge>],
                    [billingText('payLimit'), formatDate(bill.PayLimit)],
                  ]}
                />
              </Card>
            )}
            <Lines lines={lines} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

interface MarkingProps {
  readonly bill: Bill
  readonly state: ReturnType<typeof stateOf>
  readonly reload: () => void
}

function Marking({ bill, state, reload }: MarkingProps) {
  const name = bill.Paid ? 'unpay' : 'pay'
  const mark = useAction(
    async () => {
      const { billPay, billUnpay } = cloud().orThrow
      await (bill.Paid ? billUnpay : billPay)({ params: { bill_id: String(bill.BillID) } })
      reload()
    },
    billingText(`did_${name}`),
  )
  return (
    <>
      {mark.error !== undefined && <ErrorBox error={mark.error} />}
      <Button
        isBusy={mark.isBusy}
        onClick={() => void mark.run()}
        reason={operatorReason() ?? billAllowed(name, state)}
      >
        {billingText(name)}
      </Button>
    </>
  )
}

type Line = Awaited<ReturnType<typeof readBill>>['lines'][number]

function Lines({ lines }: { lines: readonly Line[] }) {
  return (
    <Table
      caption={billingText('details')}
      rows={lines}
      keyOf={({ Index }) => String(Index)}
      empty={billingText('noDetails')}
      columns={[
        {
          key: 'product',
          title: billingText('product'),
          cell: ({ product, ServiceClassID }) =>
            product === undefined ? ServiceClassID : productName(product),
        },
        {
          key: 'resource',
          title: billingText('resource'),
          cell: (line) => <ResourceName line={line} />,
        },
        {
          key: 'usage',
          title: billingText('usage'),
          align: 'end',
          cell: (line) => usageOf(line),
        },
        {
          key: 'amount',
          title: billingText('amount'),
          align: 'end',
          cell: ({ Amount }) => formatYen(Amount),
        },
      ]}
    />
  )
}

function ResourceName({ line: { ContractID, resource } }: { line: Line }) {
  const name = resource.name || ContractID
  return (
    <>
      {resource.path === undefined ? name : <a href={`#${resource.path}`}>{name}</a>}
      {resource.name !== '' && <div class="note mono">{ContractID}</div>}
    </>
  )
}

/** Seconds of what is priced by time, bytes of traffic, else pieces. */
function usageOf({ Usage, product }: Line): string {
  const { Hourly = 0, Daily = 0, Monthly = 0 } = product?.Price ?? {}
  if (Hourly + Daily + Monthly > 0) return `${formatNumber(Usage / 3600, 1)} h`
  return isTraffic(product) ? formatBytes(Usage) : formatNumber(Usage)
}

function isTraffic(product: Element<'priceList'> | undefined): boolean {
  return /traffic|transfer/.test(product?.ServiceClassPath ?? '')
}
