import type { Handlers } from '../../kernel/contract.ts'
import { NotFound, Unauthorized } from '../../kernel/errors.ts'
import type { ItemId } from '../../kernel/ids.ts'
import { type Random, randomSecret } from '../../kernel/random.ts'
import type { Database, Tx } from '../../storage/database.ts'
import { AccountStore } from '../account/public.ts'
import type { Identify, OperatorContext, TokenContext } from '../context.ts'
import { findSim, type Sim } from '../sim/public.ts'
import { findSimBySecret, setSecret } from './device-store.ts'
import { listHistory } from './history.ts'
import type { deviceMessageContract, operatorMessageContract } from './message-contract.ts'
import type { Message, MessageDraft } from './message-rules.ts'
import { draftFromBytes, messageToWire } from './message-wire.ts'
import { acceptFromDevice, listForDevice, type MessageTools } from './messages.ts'
import { findConnection } from './sim-store.ts'
import { hashOf } from './tokens.ts'

/** A real device shows the secret that the operator has handed out for its card. */
export function identifyDevice(database: Database): Identify<ItemId> {
  return async ({ bearer }) => {
    const hash = hashOf(bearer ?? '')
    const simId = await database.read((tx) => findSimBySecret(tx, hash))
    if (simId === undefined) throw wrongSecret()
    return simId
  }
}

function wrongSecret(): Unauthorized {
  return new Unauthorized(
    'The secret of the device is missing or wrong.',
    'デバイスのシークレットがないか、誤っています。',
  )
}

export function deviceMessageHandlers(
  tools: MessageTools,
): Handlers<typeof deviceMessageContract, TokenContext<ItemId>> {
  return {
    async deviceMessageSend({ body }, { database, holder, now }) {
      const message = await accept(database, { id: holder }, draftFromBytes(body), now, tools)
      return { message: messageToWire(message) }
    },

    async deviceMessageFetch({ query }, { database, holder }) {
      const messages = await database.read(async (tx) =>
        listForDevice(tx, await getSim(tx, { id: holder }), query.since ?? undefined),
      )
      return { messages: messages.map(messageToWire) }
    },
  }
}

export function operatorMessageHandlers(
  tools: MessageTools,
  random: Random,
): Handlers<typeof operatorMessageContract, OperatorContext> {
  return {
    async operatorMessageSend({ params, body }, { database, now }) {
      const message = await accept(database, params, draftFromBytes(body), now, tools)
      return { message: messageToWire(message) }
    },

    async operatorMessageFetch({ params, query }, { database }) {
      const messages = await database.read(async (tx) =>
        listForDevice(tx, await getSim(tx, params), query.since ?? undefined),
      )
      return { messages: messages.map(messageToWire) }
    },

    projectMessageList: ({ params, query }, { database }) =>
      database.read((tx) => listHistory(tx, params.project_id, query)),

    async deviceSecretCreate({ params }, { database, concerns }) {
      const secret = randomSecret(random)
      await database.write(async (tx) => {
        const { id, accountId } = await getSim(tx, params)
        concerns((await new AccountStore(tx).get(accountId)).code)
        await setSecret(tx, id, hashOf(secret))
      })
      return { secret }
    },
  }
}

async function accept(
  database: Database,
  by: { iccid: string } | { id: string },
  draft: MessageDraft,
  now: Date,
  tools: MessageTools,
): Promise<Message> {
  const link =
    database.engine === 'sqlite'
      ? undefined
      : await database.read(async (tx) => findConnection(tx, (await getSim(tx, by)).id))
  return tools.projectQueue.write(link?.projectId, async (tx) =>
    acceptFromDevice(tx, await getSim(tx, by), draft, now, tools),
  )
}

async function getSim(tx: Tx, by: { iccid: string } | { id: string }): Promise<Sim> {
  const sim = await findSim(tx, by)
  if (sim === undefined) {
    // Deleted since the device was identified: as if that had come first.
    if ('id' in by) throw wrongSecret()
    throw new NotFound('There is no SIM with this card.', 'このカードの SIM は登録されていません。')
  }
  return sim
}
