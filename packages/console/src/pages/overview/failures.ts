/** What the operator sees fail: devices that are not let in, and what could not be delivered. */
import { cloud, hasKey, session } from '../../session.ts'
import { reasonFor, remedyFor } from '../sims/remedies.ts'
import { iccidOf } from '../sims/sim.ts'
import type { Concern, Find } from './concern.ts'
import { overviewText } from './texts.ts'

/** How many of the newest are looked at. */
const NEWEST = 200

/** Those of own SIMs whose device has not come in since. */
export const refusedDevices: Find = async (signal) => {
  const { refusals } = await cloud().orThrow.refusalList({ search: { Count: NEWEST } }, { signal })
  // The newest come first, so an older reason of the same card does not stay.
  const reasons = new Map(refusals.toReversed().map(({ iccid, reason }) => [iccid, reason]))
  if (reasons.size === 0) return []
  const Filter = { 'Status.ICCID': [...reasons.keys()], 'Status.sim.session_status': 'DOWN' }
  const search = { Filter: { 'Provider.Class': 'sim', ...Filter }, Sort: ['Name'] }
  const { CommonServiceItems } = await cloud().orThrow.itemList({ search }, { signal })
  return CommonServiceItems.map((item) => {
    const iccid = iccidOf(item)
    const reason = reasons.get(iccid) ?? ''
    const texts = {
      name: item.Name || iccid,
      ...{ reason: reasonFor(reason), remedy: remedyFor(reason) },
    }
    const href = `#/sims/${item.ID}?tab=refused`
    return { key: `refused ${item.ID}`, text: overviewText('refused', texts), href, tone: 'warn' }
  })
}

export const deadLetters: Find = async (signal) => {
  const parts = [deadWebhooks, failedNotices, failedMessages]
  return (await Promise.all(parts.map((find) => find(signal)))).flat()
}

/** One line for each project, however many of its webhooks were given up. */
const deadWebhooks: Find = async (signal) => {
  const search = { Count: NEWEST, Filter: { status: 'dead' } }
  const { webhooks } = await cloud().orThrow.webhookOutboxList({ search }, { signal })
  const counts = new Map<string, number>()
  for (const { project_id: id } of webhooks) counts.set(id, (counts.get(id) ?? 0) + 1)
  const names = await projectNames([...counts.keys()], signal)
  return [...counts].map(([id, count]): Concern => {
    const text = overviewText('webhooks', { name: names.get(id) || id, count })
    const href = `#/iot/${id}?tab=webhooks&status=dead`
    return { key: `webhooks ${id}`, text, href, tone: 'bad' }
  })
}

/** Those of other accounts have none here. */
async function projectNames(ids: readonly string[], signal: AbortSignal) {
  if (ids.length === 0 || !hasKey(session.value)) return new Map<string, string>()
  const search = { Filter: { ID: ids } }
  const { CommonServiceItems } = await cloud().orThrow.itemList({ search }, { signal })
  return new Map(CommonServiceItems.map(({ ID = '', Name = '' }) => [ID, Name]))
}

const failedNotices: Find = async (signal) => {
  const search = { Count: NEWEST, Filter: { status: 'failed' } }
  const { notices } = await cloud().orThrow.noticeList({ search }, { signal })
  return notices.map(({ id, gateway_id }) => ({
    ...{ key: `notice ${id}`, text: overviewText('notice', { id: gateway_id }) },
    ...{ href: '#/operator/notices?status=failed', tone: 'bad' },
  }))
}

const failedMessages: Find = async (signal) => {
  const search = { Count: NEWEST, Filter: { status: 'Failed' } }
  const { messages } = await cloud().orThrow.smsOutboxList({ search }, { signal })
  const count = messages.length
  const text = overviewText('messages', { count })
  return count === 0 ? [] : [{ key: 'messages', text, href: '#/sms', tone: 'warn' }]
}
