/** The operator API: ours, not the interface's. It runs the server, the world in it and its identities. */
import { ACCESS_LEVELS, defineContract, EXTERNAL_PERMISSIONS } from '../../kernel/contract.ts'
import { NO_NUL, orNull, Secret } from '../../kernel/fields.ts'
import { MAIL_LANGUAGES } from '../../kernel/mail-address.ts'
import { QUOTA_NAMES } from '../../kernel/quotas.ts'
import { Type } from '../../kernel/type.ts'
import {
  CODE_PATTERN,
  ContactInput,
  keyLimitFields,
  NAME_LENGTH_MAX,
  QuotaInput,
} from '../account/public.ts'
import { SNAPSHOT_NAME_PATTERN } from '../control/public.ts'

const AccountPath = Type.Object({ code: Type.String() })
const KeyPath = Type.Object({ code: Type.String(), token: Secret() })

const Account = Type.Object({
  id: Type.String(),
  code: Type.String(),
  name: Type.String(),
  class: Type.String(),
  member: Type.Object({ code: Type.String(), class: Type.String() }),
  contact: Type.Union([
    Type.Object({ email: Type.String(), language: Type.Enum([...MAIL_LANGUAGES]) }),
    Type.Null(),
  ]),
  created_at: Type.String(),
})

const AccountName = Type.String({ minLength: 1, maxLength: NAME_LENGTH_MAX, pattern: NO_NUL })

const Permission = Type.Enum([...ACCESS_LEVELS])
const Externals = Type.Optional(Type.Array(Type.Enum([...EXTERNAL_PERMISSIONS])))

const Key = Type.Object({
  token: Secret(),
  permission: Type.String(),
  external: Type.Array(Type.String()),
  /** What it may do, in words. */
  rights: Type.Object({ en: Type.String(), ja: Type.String() }),
  note: Type.String(),
  allowed_addresses: Type.Array(Type.String()),
  created_at: Type.String(),
  expires_at: Type.Union([Type.String(), Type.Null()]),
  last_used_at: Type.Union([Type.String(), Type.Null()]),
})

const Quota = Type.Object({
  name: Type.Enum([...QUOTA_NAMES]),
  limit: Type.Union([Type.Integer(), Type.Null()]),
  /** Null where nothing is counted, as of requests. */
  used: Type.Union([Type.Integer(), Type.Null()]),
})

/** A limit of a key that is misspelt must not leave the key without one. */
const closed = { additionalProperties: false }

const KeyOnce = Type.Object({ key: Key, secret: Secret() })

const Changes = Type.Object({
  created: Type.Integer(),
  updated: Type.Integer(),
  unchanged: Type.Integer(),
})

/** An export of some hundred thousand cards, say. */
const WORLD_LIMIT_MIB = 16

const noAccount = 'there is no such account'
const noKey = 'there is no such account or key'

export const operatorContract = defineContract({
  healthLive: {
    method: 'GET',
    path: '/health/live',
    summary: 'Tell whether the process answers',
    access: 'loopback',
    reply: Type.Object({ status: Type.Literal('live') }),
    refuses: {},
  },
  healthReady: {
    method: 'GET',
    path: '/health/ready',
    summary: 'Tell whether the world is applied and the database answers',
    access: 'loopback',
    reply: Type.Object({ status: Type.Literal('ready') }),
    refuses: { service_unavailable: 'the world is not applied yet, or the server is stopping' },
  },
  serverRead: {
    method: 'GET',
    path: '/server',
    summary: 'Read the version of the server and the schema of its database',
    access: 'operator',
    reply: Type.Object({
      version: Type.String(),
      engine: Type.Enum(['sqlite', 'postgres']),
      // The newest migration that is applied, and the newest that this server knows.
      schema: Type.Integer(),
      known_schema: Type.Integer(),
    }),
    refuses: {},
  },
  metricsRead: {
    method: 'GET',
    path: '/metrics',
    summary: 'Read figures of the process in the form of Prometheus',
    access: 'loopback',
    media: 'text/plain; version=0.0.4; charset=utf-8',
    reply: Type.String(),
    refuses: {},
  },
  caRead: {
    method: 'GET',
    path: '/ca.pem',
    summary: 'Read the certificate that clients have to trust',
    access: 'public',
    media: 'application/x-pem-file',
    reply: Type.String(),
    refuses: { not_found: 'the server uses a certificate that it was given' },
  },
  worldRead: {
    method: 'GET',
    path: '/world',
    summary: 'Export the world, without secrets',
    access: 'operator',
    reply: Type.Object({ version: Type.Literal(1) }),
    refuses: {},
  },
  worldApply: {
    method: 'POST',
    path: '/world',
    summary: 'Apply a world file (YAML or JSON)',
    access: 'operator',
    query: Type.Object({
      mode: Type.Optional(Type.Enum(['add', 'replace'])),
      // What the caller calls the file, for the message about what is wrong in it.
      file: Type.Optional(
        Type.String({ minLength: 1, maxLength: 4096, pattern: '^[^\\u0000-\\u001f\\u007f]*$' }),
      ),
    }),
    textBody: true,
    bodyLimitMib: WORLD_LIMIT_MIB,
    reply: Type.Object({ changes: Type.Record(Type.String(), Changes) }),
    refuses: { bad_request: 'the file breaks the schema; the answer names the line' },
  },
  reset: {
    method: 'POST',
    path: '/reset',
    summary: 'Empty the server, or bring it back to the world it was started with or to a snapshot',
    access: 'operator',
    body: Type.Object({ to: Type.String({ pattern: SNAPSHOT_NAME_PATTERN }) }),
    reply: Type.Object({}),
    refuses: {
      bad_request: 'the target is neither empty nor world nor the name of a snapshot',
      forbidden: 'the server is in operate mode, where the state is real',
      not_found: 'there is no such snapshot',
      conflict: 'the worlds contradict each other, or the snapshot cannot be used here',
    },
  },
  accountList: {
    method: 'GET',
    path: '/accounts',
    summary: 'List the accounts',
    access: 'operator',
    reply: Type.Object({ accounts: Type.Array(Account) }),
    refuses: {},
  },
  accountCreate: {
    method: 'POST',
    path: '/accounts',
    summary: 'Create an account',
    access: 'operator',
    body: Type.Object({
      code: Type.String({ pattern: CODE_PATTERN }),
      name: AccountName,
      member: Type.Optional(Type.Object({ code: Type.String({ pattern: CODE_PATTERN }) })),
      contact: orNull(ContactInput),
    }),
    status: 201,
    reply: Type.Object({ account: Account }),
    refuses: { bad_request: 'a field breaks its rule', conflict: 'the code is taken' },
  },
  accountUpdate: {
    method: 'PUT',
    path: '/accounts/{code}',
    summary: 'Change the name of an account, or who gets its notices; null takes the contact away',
    access: 'operator',
    params: AccountPath,
    body: Type.Object({ name: Type.Optional(AccountName), contact: orNull(ContactInput) }),
    reply: Type.Object({ account: Account }),
    refuses: { bad_request: 'a field breaks its rule', not_found: noAccount },
  },
  quotaList: {
    method: 'GET',
    path: '/accounts/{code}/quotas',
    summary: 'List the limits of an account, and what it has used of them',
    access: 'operator',
    params: AccountPath,
    reply: Type.Object({ quotas: Type.Array(Quota) }),
    refuses: { not_found: noAccount },
  },
  quotaUpdate: {
    method: 'PUT',
    path: '/accounts/{code}/quotas',
    summary: 'Change the limits of an account; what is left out stays, null takes a limit away',
    access: 'operator',
    params: AccountPath,
    body: QuotaInput,
    reply: Type.Object({ quotas: Type.Array(Quota) }),
    refuses: { bad_request: 'a limit is no whole number from 0', not_found: noAccount },
  },
  keyList: {
    method: 'GET',
    path: '/accounts/{code}/keys',
    summary: 'List the keys of an account, without secrets',
    access: 'operator',
    params: AccountPath,
    reply: Type.Object({ keys: Type.Array(Key) }),
    refuses: { not_found: noAccount },
  },
  keyCreate: {
    method: 'POST',
    path: '/accounts/{code}/keys',
    summary: 'Create a key; its secret is shown this once',
    access: 'operator',
    params: AccountPath,
    body: Type.Object({ permission: Permission, external: Externals, ...keyLimitFields }, closed),
    status: 201,
    reply: KeyOnce,
    refuses: { bad_request: 'a field breaks its rule', not_found: noAccount },
  },
  keyUpdate: {
    method: 'PUT',
    path: '/accounts/{code}/keys/{token}',
    summary: 'Change what a key may do, until when and from where; what is left out stays',
    access: 'operator',
    params: KeyPath,
    body: Type.Object(
      { permission: Type.Optional(Permission), external: Externals, ...keyLimitFields },
      closed,
    ),
    reply: Type.Object({ key: Key }),
    refuses: { bad_request: 'a field breaks its rule', not_found: noKey },
  },
  keyRotate: {
    method: 'POST',
    path: '/accounts/{code}/keys/{token}/rotate',
    summary: 'Give a key a new secret; it is shown this once',
    access: 'operator',
    params: KeyPath,
    reply: KeyOnce,
    refuses: { not_found: noKey },
  },
  keyRevoke: {
    method: 'DELETE',
    path: '/accounts/{code}/keys/{token}',
    summary: 'End a key',
    access: 'operator',
    params: KeyPath,
    reply: Type.Object({}),
    refuses: { not_found: noKey },
  },
})
