/** One-time password and text of a message, sealed for the database under the key-encryption key. */

import type { SealedColumn } from '../../kernel/sealed-column.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import type { Content, Message, MessageId } from './rules.ts'

export const SEALED: SealedColumn = {
  ...{ table: 'sms_message', column: 'sealed', key: ['id'] },
  owner: (id) => `sms:${id}`,
}

/** What is left of it when the retention time is over. */
const FORGOTTEN: Content = { otp: '', text: '', sender: '' }

export class ContentBox {
  readonly #box: SecretBox

  constructor(box: SecretBox) {
    this.#box = box
  }

  seal({ otp, text, sender }: Content, id: MessageId): string {
    return this.#box.seal(JSON.stringify([otp, text, sender]), SEALED.owner(id))
  }

  open({ id, sealed }: Pick<Message, 'id' | 'sealed'>): Content {
    if (sealed === undefined) return FORGOTTEN
    // Messages of older versions were sealed without their sender.
    const [otp = '', text = '', sender = ''] = JSON.parse(this.#box.open(sealed, SEALED.owner(id)))
    return { otp, text, sender }
  }
}
