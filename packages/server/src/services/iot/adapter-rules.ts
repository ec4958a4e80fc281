/** Service adapters: how the messages of a project's devices get out, and messages to them in. */
import { BadRequest } from '../../kernel/errors.ts'
import type { AccountId, ItemId } from '../../kernel/ids.ts'

export const ADAPTER_TYPES = ['incoming-webhook', 'outgoing-webhook', 'websocket'] as const
export type AdapterType = (typeof ADAPTER_TYPES)[number]

/** Interface, Limits. */
export const ADAPTER_NAME_LENGTH = { min: 1, max: 64 }
export const ADAPTER_SECRET_PATTERN = '^[A-Za-z0-9]{1,64}$'
export const URL_LENGTH_MAX = 2048

export interface Adapter {
  readonly id: string
  readonly accountId: AccountId
  readonly projectId: ItemId
  readonly name: string
  readonly type: AdapterType
  readonly token: string
  /** Of the webhook types only. */
  readonly secret: string | undefined
  /** The destination of an outgoing webhook. */
  readonly url: string | undefined
  /** A receiver that has answered 410 gets nothing any more. */
  readonly disabledAt: Date | undefined
  readonly createdAt: Date
}

export type AdapterDraft = Pick<Adapter, 'name' | 'type' | 'secret' | 'url'>

/** What the schema of the request cannot say. */
export function checkDraft(draft: AdapterDraft): void {
  if (draft.type !== 'outgoing-webhook') return
  if (draft.url === undefined) {
    throw new BadRequest(
      'IoTPlatform.settings.outgoing-webhook.url is missing.',
      'IoTPlatform.settings.outgoing-webhook.url がありません。',
    )
  }
  const url = URL.parse(draft.url)
  if (!/^https?:\/\//.test(draft.url) || url === null) {
    throw new BadRequest(
      'IoTPlatform.settings.outgoing-webhook.url must be an address that starts with http:// or https://.',
      'IoTPlatform.settings.outgoing-webhook.url は http:// または https:// で始まる URL です。',
    )
  }
}
