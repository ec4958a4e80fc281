/** Messages that were delivered or failed, with what networks reported of them. */
import { list, sql } from '../../storage/sql.ts'
import type { Aged } from '../module.ts'
import { agedByTime } from '../retention/public.ts'
import { SettingStore } from '../settings/public.ts'

const messages = agedByTime(
  { table: 'sms_message', key: 'id', time: 'sent_at', where: "status <> 'Accepted'" },
  (tx) => new SettingStore(tx).get('sms_message_days'),
)

export const agedMessages: Aged = {
  ...messages,
  tables: ['sms_message', 'sms_report'],
  async deleteBefore(tx, before, most) {
    const rows = await tx.all<{ id: string }>(
      sql`SELECT id FROM sms_message WHERE status <> 'Accepted' AND sent_at < ${before}
          ORDER BY sent_at LIMIT ${most}`,
    )
    const ids = list(rows.map(({ id }) => id))
    await tx.run(sql`DELETE FROM sms_report WHERE message_id IN ${ids}`)
    return tx.run(sql`DELETE FROM sms_message WHERE id IN ${ids}`)
  },
}
