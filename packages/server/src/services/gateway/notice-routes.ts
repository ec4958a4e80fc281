import type { Handlers } from '../../kernel/contract.ts'
import type { OperatorContext } from '../context.ts'
import type { noticeContract } from './notice-contract.ts'
import { NoticeStore } from './notice-store.ts'
import { noticeToWire } from './notice-wire.ts'

export const noticeHandlers: Handlers<typeof noticeContract, OperatorContext> = {
  async noticeList({ query }, { database }) {
    const notices = await database.read((tx) => new NoticeStore(tx).list(query.count))
    return { notices: notices.map(noticeToWire) }
  },
}
