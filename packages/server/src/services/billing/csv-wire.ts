/** The details of a bill as CSV: the interface's 16 columns, every value quoted (docs/billing.md). */
import { japanPlain } from '../../kernel/datetime.ts'
import { zoneId } from '../../kernel/zone.ts'
import type { Bill, Detail } from './rules.ts'

export const CSV_TITLES = [
  '連番',
  '枝番',
  '請求番号',
  '利用年月',
  '支払状況',
  '会員ID',
  'アカウントコード',
  'リソースID',
  '商品ID',
  '商品名',
  'ゾーンID',
  'ゾーン名',
  '商品価格(税込)',
  'リソース名',
  '利用種別',
  '利用量',
] as const

const KINDS: Readonly<Record<Detail['measure'], string>> = {
  time: '時間',
  count: '数量',
  bytes: 'データ量',
}

export function csvOf(bill: Bill, accountCode: string, details: readonly Detail[]): string {
  const rows = details.map((detail) => rowOf(bill, accountCode, detail))
  return [CSV_TITLES, ...rows].map(lineOf).join('')
}

export function csvFilename(bill: Bill): string {
  return `bill-${bill.id}.csv`
}

function rowOf(bill: Bill, accountCode: string, detail: Detail): string[] {
  const { zone } = detail
  return [
    String(detail.place + 1),
    // A line is never split in two.
    '1',
    String(bill.id),
    japanPlain(bill.month).slice(0, 7).replace('-', '/'),
    bill.state,
    bill.memberCode,
    accountCode,
    detail.resourceId,
    String(detail.product),
    safe(detail.productName),
    zone === undefined ? '' : zoneId(zone),
    zone ?? '',
    String(detail.amount),
    safe(detail.resourceName),
    KINDS[detail.measure],
    formatUsed(detail),
  ]
}

function lineOf(values: readonly string[]): string {
  return `${values.map((value) => `"${value.replaceAll('"', '""')}"`).join(',')}\r\n`
}

/** A spreadsheet would take a text that begins so for a formula; after an apostrophe it does not. */
function safe(text: string): string {
  return /^[=+\-@＝＋－＠\t\r\n]/.test(text) ? `'${text}` : text
}

function formatUsed({ measure, used }: Detail): string {
  if (measure === 'count') return `${used}件`
  if (measure === 'bytes') return `${used}バイト`
  const hours = Math.floor(used / 3600)
  const minutes = Math.floor((used % 3600) / 60)
  return `${hours}時間${minutes}分${used % 60}秒`
}
