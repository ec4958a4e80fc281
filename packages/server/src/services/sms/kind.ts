/** Items of class `esme`. All that there is of one is the item itself; its messages outlive it. */
import { NotFound } from '../../kernel/errors.ts'
import type { Words } from '../../kernel/words.ts'
import type { Context } from '../context.ts'
import { type Item, type ItemKind, ItemStore } from '../items/public.ts'

export const SMS_CLASS = 'esme'

export function smsKind({ providers }: Words): ItemKind {
  return {
    class: SMS_CLASS,
    provider: providers.esme,
    serviceClass: 'cloud/esme/1',
    nameLength: { min: 0, max: 255 },
    answersRemoval: true,
    async prepare() {
      return { externalKey: undefined, insert: async () => undefined }
    },
    async remove() {},
    async statuses(items) {
      return new Map(items.map(({ id }) => [id, null]))
    },
  }
}

/** Another kind of item is no short message service, so there is none with its id. */
export async function getSms(id: string, { tx, caller }: Context): Promise<Item> {
  const item = await new ItemStore(tx, caller.accountId).get(id)
  if (item.class === SMS_CLASS) return item
  throw new NotFound(
    `Item ${id} is no short message service.`,
    `アイテム ${id} はショートメッセージサービスではありません。`,
  )
}
