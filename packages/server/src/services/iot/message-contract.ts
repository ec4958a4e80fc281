/** Messages of devices: for the devices themselves, for incoming webhooks, and for the operator. */
import { defineContract } from '../../kernel/contract.ts'
import { orNull, Secret } from '../../kernel/fields.ts'
import { Type } from '../../kernel/type.ts'
import { PAYLOAD_MAX, REF_LENGTH_MAX, VALUE_TYPES } from './message-rules.ts'

const Payload = Type.Array(
  Type.Object({
    tag: Type.String({ pattern: '^[0-9A-Fa-f]{2}$' }),
    type: Type.Enum([...VALUE_TYPES]),
    value: Type.Union([Type.String(), Type.Number(), Type.Boolean()]),
  }),
  { minItems: 1, maxItems: PAYLOAD_MAX },
)

/** What docs/iot-message.schema.json says in full. */
const Draft = Type.Object({
  device_id: Type.Optional(Type.String()),
  type: Type.Optional(Type.Enum(['object'])),
  datetime: Type.Optional(Type.String()),
  payload: Payload,
})

const Message = Type.Object({
  id: Type.String(),
  device_id: Type.String(),
  type: Type.Enum(['object']),
  datetime: Type.String(),
  payload: Payload,
})

const Since = Type.Object({ since: orNull(Type.String()) })
const CardPath = Type.Object({ iccid: Type.String({ pattern: '^[0-9]{1,22}$' }) })
const brokenMessage = 'the message is broken'
const tooLarge = 'the message is larger than 64 KiB'
const notConnected = 'the SIM is connected to no project, or not activated'

const send = {
  method: 'POST',
  summary: 'Send a message as the device: every adapter of its project gets it',
  bytesBody: true,
  body: Draft,
  status: 202,
  reply: Type.Object({ message: Message }),
} as const

const fetch = {
  method: 'GET',
  summary: 'Fetch what is for the device, oldest first, after the message `since`',
  query: Since,
  reply: Type.Object({ messages: Type.Array(Message) }),
} as const

export const deviceMessageContract = defineContract({
  deviceMessageSend: {
    ...send,
    path: '/messages',
    access: 'token',
    refuses: {
      bad_request: brokenMessage,
      conflict: notConnected,
      request_too_large: tooLarge,
    },
  },
  deviceMessageFetch: {
    ...fetch,
    path: '/messages',
    access: 'token',
    refuses: { bad_request: 'since is no id of a message', conflict: notConnected },
  },
})

export const incomingContract = defineContract({
  incomingWebhookCall: {
    method: 'POST',
    path: '/incoming/{token}',
    summary: 'Send a message to a device, through an incoming webhook',
    access: 'token',
    params: Type.Object({ token: Secret() }),
    bytesBody: true,
    body: Draft,
    status: 202,
    reply: Type.Object({
      id: Type.String(),
      device_id: Type.String(),
      type: Type.Enum(['notify']),
      datetime: Type.String(),
      status: Type.Enum(['accepted']),
      ref: Type.Optional(Type.String({ maxLength: REF_LENGTH_MAX })),
    }),
    refuses: {
      bad_request: brokenMessage,
      unauthorized: 'the address is not known, or the signature is missing, wrong or too old',
      not_found: 'the project has no such device',
      request_too_large: tooLarge,
    },
  },
})

export const operatorMessageContract = defineContract({
  operatorMessageSend: {
    ...send,
    path: '/devices/{iccid}/messages',
    access: 'operator',
    params: CardPath,
    refuses: {
      bad_request: brokenMessage,
      not_found: 'the card is not registered',
      conflict: notConnected,
      request_too_large: tooLarge,
    },
  },
  operatorMessageFetch: {
    ...fetch,
    path: '/devices/{iccid}/messages',
    access: 'operator',
    params: CardPath,
    refuses: {
      bad_request: 'since is no id of a message',
      not_found: 'the card is not registered',
      conflict: notConnected,
    },
  },
  projectMessageList: {
    method: 'GET',
    path: '/projects/{project_id}/messages',
    summary: 'List the messages of a project, newest first, in both directions',
    access: 'operator',
    params: Type.Object({ project_id: Type.String() }),
    query: Type.Object({
      /** The id of a message: those before it. */
      before: orNull(Type.String()),
      device_id: orNull(Type.String()),
    }),
    reply: Type.Object({
      messages: Type.Array(
        Type.Object({
          message: Message,
          direction: Type.Enum(['up', 'down']),
          received_at: Type.String(),
          webhooks: Type.Array(
            Type.Object({
              id: Type.String(),
              service_id: Type.String(),
              status: Type.Enum(['waiting', 'delivered', 'dead']),
            }),
          ),
        }),
      ),
      /** Give it as `before` to read on; null at the end. */
      next: Type.Union([Type.String(), Type.Null()]),
    }),
    refuses: {
      bad_request: 'before is no id of a message of the project',
      not_found: 'there is no such project',
    },
  },
  deviceSecretCreate: {
    method: 'POST',
    path: '/devices/{iccid}/secret',
    summary: 'Hand out a new secret for the device with this card; the one of before is void',
    access: 'operator',
    params: CardPath,
    reply: Type.Object({ secret: Secret() }),
    refuses: { not_found: 'the card is not registered' },
  },
})

const webhookMembers = {
  id: Type.String(),
  message_id: Type.String(),
  project_id: Type.String(),
  service_id: Type.String(),
  status: Type.Enum(['waiting', 'delivered', 'dead']),
  attempts: Type.Integer(),
  reason: Type.Union([Type.String(), Type.Null()]),
  response_code: Type.Union([Type.Integer(), Type.Null()]),
  created_at: Type.String(),
  done_at: Type.Union([Type.String(), Type.Null()]),
  log: Type.Array(
    Type.Object({
      attempt: Type.Integer(),
      time: Type.String(),
      outcome: Type.Enum(['sent', 'failed', 'refused']),
      response_code: Type.Union([Type.Integer(), Type.Null()]),
    }),
  ),
}
const Webhook = Type.Object(webhookMembers)
const WebhookPath = Type.Object({ webhook_id: Type.String({ pattern: '^[0-9]{1,15}$' }) })

export const webhookOutboxContract = defineContract({
  webhookOutboxList: {
    method: 'GET',
    path: '/outbox/webhooks',
    summary:
      'List what outgoing webhooks were to receive, newest first; dead letters by status dead',
    access: 'operator',
    query: 'search',
    defaultCount: 100,
    reply: Type.Object({
      From: Type.Integer(),
      Count: Type.Integer(),
      Total: Type.Integer(),
      webhooks: Type.Array(Webhook),
    }),
    refuses: { bad_request: 'the search object is broken or names an unknown field' },
  },
  webhookOutboxRead: {
    method: 'GET',
    path: '/outbox/webhooks/{webhook_id}',
    summary: 'Read one of them, with the message that it carries',
    access: 'operator',
    params: WebhookPath,
    reply: Type.Object({ webhook: Type.Object({ ...webhookMembers, message: Message }) }),
    refuses: { not_found: 'there is no such webhook' },
  },
  webhookOutboxRedeliver: {
    method: 'POST',
    path: '/outbox/webhooks/{webhook_id}/redeliver',
    summary: 'Try a webhook again, a dead or a delivered one',
    access: 'operator',
    params: WebhookPath,
    reply: Type.Object({ webhook: Webhook }),
    refuses: { not_found: 'there is no such webhook', conflict: 'it is waiting already' },
  },
})
