/** Items of class `esme`. All that there is of one is the item itself; its messages outlive it. */
import type { Words } from '../../kernel/words.ts'
import type { ItemKind } from '../items/public.ts'

export const SMS_CLASS = 'esme'

export function smsKind({ providers }: Words): ItemKind {
  return {
    class: SMS_CLASS,
    provider: providers.esme,
    serviceClass: 'cloud/esme/1',
    nameLength: { min: 0, max: 255 },
    answersRemoval: true,
    async create() {
      return undefined
    },
    async remove() {},
    async statuses(items) {
      return new Map(items.map(({ id }) => [id, null]))
    },
  }
}
