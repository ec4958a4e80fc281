/** The answers that are shown in another way than by the names of their members. */
import type { Reply } from '@kumoi/client'
import { formatChart } from './chart.ts'
import type { KindEntry } from './kinds.ts'
import type { Shown } from './output.ts'
import { probeText } from './probe.ts'
import type { View } from './rows.ts'
import { timeText } from './times.ts'

const SIMS: View = [
  ['ID', 'ID'],
  ['Name', 'Name'],
  ['ICCID', 'Status.ICCID'],
  ['Session', 'Session'],
  ['Address', 'Address'],
  ['Tags', 'Tags'],
  ['Created', 'CreatedAt'],
]

const VIEWS: Readonly<Record<string, View>> = {
  auditList: [
    ['time', 'time'],
    ['operation', 'operation'],
    ['who', 'caller'],
    ['target', 'target'],
    ['status', 'status'],
    ['account', 'account'],
    ['address', 'address'],
    ['serial', 'serial'],
    ['code', 'code'],
    ['id', 'id'],
    ['number', 'number'],
    ['client', 'client'],
  ],
  ownAuditList: [
    ['Time', 'Time'],
    ['Operation', 'Operation'],
    ['Who', 'Caller'],
    ['Target', 'Target'],
    ['Status', 'Status'],
    ['Address', 'Address'],
    ['Serial', 'Serial'],
    ['Code', 'Code'],
    ['ID', 'ID'],
    ['Client', 'Client'],
  ],
  gatewayList: [
    ['ID', 'ID'],
    ['Name', 'Name'],
    ['Plan', 'Plan.ID'],
    ['Status', 'Instance.Status'],
    ['Since', 'Instance.StatusChangedAt'],
    ['Availability', 'Availability'],
    ['Tags', 'Tags'],
  ],
  // The sentences about its rights are too long for a cell.
  keyList: [
    ['token', 'token'],
    ['permission', 'permission'],
    ['external', 'external'],
    ['works from', 'allowed_addresses'],
    ['ends', 'expires_at'],
    ['last used', 'last_used_at'],
    ['note', 'note'],
  ],
  smsOutboxList: [
    ['messageId', 'messageId'],
    ['destination', 'destination'],
    ['text', 'text'],
    ['status', 'status'],
    ['sentAt', 'sentAt'],
    ['transport', 'transport'],
    ['uncertain', 'uncertain'],
    ['reports', 'reports'],
    ['reference', 'reference'],
  ],
}

export function shownAs({ operation, verb, itemClass }: KindEntry): Shown {
  if (operation === 'clockAdvance') return { people: advanced }
  if (operation === 'siteProbe') return { people: probeText }
  if (/[mM](etrics|onitor)/.test(operation)) return { people: chart, list: steps }
  const view = itemClass === 'sim' && verb === 'list' ? SIMS : VIEWS[operation]
  return { view, list: LISTS[operation] }
}

/** Values by time: `{Data: {"2026-04-01T00:00:00+09:00": {UplinkBps: 1}}}`. */
type Metrics = Readonly<Record<string, Readonly<Record<string, number | null>>>>

function metricsIn(data: unknown): Metrics | undefined {
  const { Data } = Object(data)
  return typeof Data === 'object' && Data !== null ? Data : undefined
}

function chart(data: unknown, isUtc: boolean): string | undefined {
  const metrics = metricsIn(data)
  if (metrics === undefined) return undefined
  return formatChart(metrics, isUtc) ?? 'None.\n'
}

function steps(data: unknown): readonly unknown[] | undefined {
  const metrics = metricsIn(data)
  return metrics && Object.entries(metrics).map(([Time, values]) => ({ Time, ...values }))
}

/** Where a member of a row is more than a cell can show. */
const LISTS: Readonly<Record<string, Shown['list']>> = {
  smsOutboxList: messages,
  auditList: entries,
  ownAuditList: ownEntries,
}

interface OutboxMessage {
  readonly reports?: readonly { readonly status: string; readonly id: string }[]
}

/** The reports of a message are one cell. */
function messages(data: unknown): readonly unknown[] | undefined {
  const { messages: list }: { messages?: readonly OutboxMessage[] } = Object(data)
  return list?.map(({ reports = [], ...message }) => ({
    ...message,
    reports: reports.map(({ status, id }) => `${status} ${id}`),
  }))
}

function entries(data: unknown): readonly unknown[] | undefined {
  const { entries: list }: Partial<Reply<'auditList'>> = Object(data)
  return list?.map((entry) => ({ ...entry, target: targetParts(entry.target) }))
}

function ownEntries(data: unknown): readonly unknown[] | undefined {
  const { AuditEntries: list }: Partial<Reply<'ownAuditList'>> = Object(data)
  return list?.map((entry) => ({ ...entry, Target: targetParts(entry.Target) }))
}

/** The zone is in nearly every path and says nothing. */
function targetParts({ zone: _, ...params }: Readonly<Record<string, string>>): string[] {
  return Object.entries(params).map(([name, value]) => `${name}=${value}`)
}

function advanced(data: unknown, isUtc: boolean): string {
  const { now, fired }: { now: string; fired: readonly { readonly name: string }[] } = Object(data)
  const counts = [...Map.groupBy(fired, ({ name }) => name)]
    .map(([name, times]) => `${name} ${times.length}`)
    .sort()
  const list = counts.length === 0 ? '' : ` (${counts.join(', ')})`
  const timers = fired.length === 1 ? '1 timer has' : `${fired.length} timers have`
  return `It is ${timeText(now, isUtc)} now. ${timers} fired${list}.\n`
}
