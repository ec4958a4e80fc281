/** Incoming webhooks. The signature is checked over the bytes that came, before anything reads them. */
import { isSameSecret } from '../../kernel/constant-time.ts'
import type { Handlers } from '../../kernel/contract.ts'
import { Unauthorized } from '../../kernel/errors.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import type { Database, Tx } from '../../storage/database.ts'
import type { Identify, TokenContext } from '../context.ts'
import type { Adapter, AdapterType } from './adapter-rules.ts'
import { AdapterStore } from './adapter-store.ts'
import { IncomingStore } from './incoming-store.ts'
import type { incomingContract } from './message-contract.ts'
import type { Message, MessageDraft } from './message-rules.ts'
import { MessageStore } from './message-store.ts'
import { draftFromBytes, notifyToWire } from './message-wire.ts'
import { acceptForDevice, type MessageTools } from './messages.ts'
import type { Signals } from './signals.ts'
import { signatureProblem, signBody } from './signature-rules.ts'
import { hashOf } from './tokens.ts'

/** The adapter of this type that the token in the path or in the header belongs to. */
export async function identifyAdapter(
  database: Database,
  box: SecretBox,
  type: AdapterType,
  token: string | undefined,
): Promise<Adapter> {
  const hash = hashOf(token ?? '')
  const adapter = await database.read((tx) => new AdapterStore(tx, box).findByToken(hash))
  if (adapter?.type === type) return adapter
  throw new Unauthorized('The token of the adapter is wrong.', 'アダプタのトークンが誤っています。')
}

export function identifyIncoming(database: Database, box: SecretBox): Identify<Adapter> {
  return ({ params }) => identifyAdapter(database, box, 'incoming-webhook', params.token)
}

/** `bodyHeader`: the name of a header that signs the body alone, in a profile that has one. */
export function incomingHandlers(
  bodyHeader: string | undefined,
  { projectQueue, signals }: Pick<MessageTools, 'projectQueue' | 'signals'>,
): Handlers<typeof incomingContract, TokenContext<Adapter>> {
  return {
    async incomingWebhookCall({ body }, { holder: adapter, header, now }) {
      const isBodySigned =
        bodyHeader !== undefined && adapter.secret !== undefined && header(bodyHeader) !== undefined
      const webhookId = header('webhook-id')
      if (isBodySigned) checkBody(adapter, header(bodyHeader), body)
      else checkSignature(adapter, header, body, now)
      const draft = draftFromBytes(body)
      const isKnown = adapter.secret !== undefined && !isBodySigned && webhookId !== undefined
      const message = await projectQueue.write(adapter.projectId, (tx) =>
        isKnown
          ? acceptOnce(tx, adapter, webhookId, draft, now, signals)
          : acceptForDevice(tx, adapter.projectId, draft, now, signals),
      )
      return notifyToWire(message, draft.ref)
    },
  }
}

function checkSignature(
  { secret }: Adapter,
  header: (name: string) => string | undefined,
  body: Buffer,
  now: Date,
): void {
  if (secret === undefined) return
  const signed = {
    id: header('webhook-id'),
    timestamp: header('webhook-timestamp'),
    signature: header('webhook-signature'),
  }
  const problem = signatureProblem(secret, signed, body, now)
  if (problem === undefined) return
  throw new Unauthorized(
    `The signature of the call is ${problem}.`,
    `呼び出しの署名が無効です: ${problem}`,
  )
}

function checkBody({ secret = '' }: Adapter, given: string | undefined, body: Buffer): void {
  if (isSameSecret(given ?? '', signBody(secret, body))) return
  throw new Unauthorized('The signature of the call is wrong.', '呼び出しの署名が無効です: wrong')
}

/** The same call again, by a sender that had no answer or by a thief, answers the same and adds nothing. */
async function acceptOnce(
  tx: Tx,
  { id, projectId }: Adapter,
  webhookId: string,
  draft: MessageDraft,
  now: Date,
  signals: Signals,
): Promise<Message> {
  const seen = new IncomingStore(tx)
  const number = await seen.find(id, webhookId)
  const earlier = number && (await new MessageStore(tx).find(projectId, number))
  if (earlier) return earlier
  const message = await acceptForDevice(tx, projectId, draft, now, signals)
  await seen.insert(id, webhookId, message.number, now)
  return message
}
