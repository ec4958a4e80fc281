/** What the lines of a bill are for: names, and where they are shown. */
import { parseCsv } from '../../csv.ts'
import type { Key } from '../../key.ts'
import { cloud } from '../../session.ts'

export interface Resource {
  readonly name: string
  /** Left out for what is gone, or is in another zone. */
  readonly path?: string
}

const PAGES: Readonly<Record<string, string>> = { sim: '/sims', iotplatform: '/iot', esme: '/sms' }

/** As many as one question may name. */
const AT_ONCE = 50
/** Columns of the CSV: the resource, and the name that it had when the bill was made. */
const ID_AT = 7
const NAME_AT = 13

/** The names that a bill itself has, which outlive what they name. */
export function namesInCsv(csv: string): ReadonlyMap<string, string> {
  const rows = parseCsv(csv).slice(1)
  return new Map(rows.map((row) => [row[ID_AT] ?? '', row[NAME_AT] ?? '']))
}

/** The names that they have now, with their pages, of those that are still there. */
export async function resourcesOf(
  ids: readonly string[],
  { external }: Pick<Key, 'external'>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Resource>> {
  const calls = cloud().orThrow
  const found = new Map<string, Resource>()
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const Filter = { ID: ids.slice(at, at + AT_ONCE) }
    const search = { Filter, Include: ['ID', 'Name', 'Provider.Class'], Count: AT_ONCE }
    const { CommonServiceItems } = await calls.itemList({ search }, { signal })
    for (const { ID = '', Name = '', Provider } of CommonServiceItems) {
      const page = PAGES[String(Object(Provider).Class)]
      found.set(ID, { name: Name, ...(page !== undefined && { path: `${page}/${ID}` }) })
    }
  }
  const { Appliances } = await calls.gatewayList({ search: { Count: 500 } }, { signal })
  for (const { ID = '', Name = '' } of Appliances) {
    found.set(ID, { name: Name, path: `/gateways/${ID}` })
  }
  if (!external.includes('cdn')) return found
  for await (const { ID, Name } of cloud().each.siteList({}, { signal, pageSize: 20 })) {
    found.set(ID, { name: Name, path: `/webaccel/${ID}` })
  }
  return found
}
