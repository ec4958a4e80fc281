import { defineAllowed } from '../../allowed.ts'
import type { BillState } from './bills.ts'

export const billAllowed = defineAllowed<BillState, 'pay' | 'unpay'>({
  pay: [
    [
      (state) => state !== 'pending',
      ['Its month is not over yet.', '利用月がまだ終わっていません。'],
    ],
    [(state) => state !== 'paid', ['It is paid already.', '既に支払済みです。']],
  ],
  unpay: [[(state) => state === 'paid', ['It is not paid.', '支払済みではありません。']]],
})
