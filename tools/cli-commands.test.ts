import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Type } from 'typebox'
import type { Slice } from '../packages/server/src/contracts.ts'
import { defineContract } from '../packages/server/src/kernel/contract.ts'
import { orNull } from '../packages/server/src/kernel/fields.ts'
import { CLOUD } from '../packages/server/src/services/families.ts'
import { cliCommands, wordsOf } from './generate/cli-commands.ts'
import { flagsOf } from './generate/cli-flags.ts'

const path = Type.Object({ thing_id: Type.String() })
const base = { summary: 'Do it', access: 'view', refuses: {} } as const

const sample: Slice = {
  name: 'thing',
  family: CLOUD,
  contract: defineContract({
    thingList: {
      ...base,
      method: 'GET',
      path: '/thing',
      query: 'search',
      reply: Type.Object({
        Things: Type.Array(Type.Object({ ID: Type.String(), Name: Type.String() })),
      }),
    },
    thingUploadRequest: {
      ...base,
      method: 'PUT',
      path: '/thing/{thing_id}/upload',
      params: path,
      reply: Type.Object({ Thing: Type.Object({ url: Type.String(), token: Type.String() }) }),
    },
    thingFileDownload: {
      ...base,
      method: 'GET',
      path: '/thing/{thing_id}/download',
      params: path,
      reply: Type.Object({ Thing: Type.Object({ url: Type.String() }) }),
    },
  }),
}

describe('the words of a command', () => {
  const nouns = new Set(['gateway', 'sms'])

  test('are a noun that is known and the rest, or all words and the last', () => {
    assert.deepEqual(wordsOf('gatewaySimAdd', nouns), { noun: 'gateway', verb: 'sim-add' })
    assert.deepEqual(wordsOf('smsSendGenerated', nouns), { noun: 'sms', verb: 'send-generated' })
    assert.deepEqual(wordsOf('nextGuardTokenCreate', nouns), {
      noun: 'next-guard-token',
      verb: 'create',
    })
    assert.deepEqual(wordsOf('reset', nouns), { noun: 'reset', verb: '' })
  })
})

describe('the table of commands', () => {
  const table = cliCommands([sample])

  test('knows which parameters have names, by the list of their collection', () => {
    assert.match(table, /verb: 'upload-request'.*?named: \{ thing_id: 'thingList' \}/s)
  })

  test('knows what hands out an address for a file', () => {
    assert.match(table, /operation: 'thingUploadRequest'.*?transfer: 'upload'/s)
    assert.match(table, /operation: 'thingFileDownload'.*?transfer: 'download'/s)
  })
})

describe('flags', () => {
  const { flags, fixed } = flagsOf({
    ...base,
    method: 'POST',
    path: '/thing',
    body: Type.Object({
      Thing: Type.Object({
        Name: Type.String(),
        Class: Type.Literal('only'),
        Plan: Type.Object({ ID: Type.Integer() }),
        Remark: orNull(Type.Object({ PassCode: orNull(Type.String()) })),
        A: Type.Object({ Enabled: Type.Enum(['True', 'False']) }),
        B: Type.Object({ Enabled: Type.Boolean() }),
        DefaultCacheTTL: Type.Optional(Type.Integer()),
        Routes: Type.Optional(Type.Array(Type.Object({ to: Type.String() }))),
      }),
    }),
    query: Type.Object({ Filter: orNull(Type.Object({ page: orNull(Type.Integer()) })) }),
    reply: Type.Object({}),
  })

  test('are as short as they can be and still telling', () => {
    assert.deepEqual(
      flags.map((text) => /flag: '([^']+)'/.exec(text)?.[1]),
      [
        'name',
        'plan-id',
        'pass-code',
        'a-enabled',
        'b-enabled',
        'default-cache-ttl',
        'routes',
        'page',
      ],
    )
  })

  test('say where their value belongs, what it is, and whether it must be given', () => {
    assert.equal(
      flags[1],
      "{ flag: 'plan-id', in: 'body', path: 'Thing.Plan.ID', kind: 'integer', required: true }",
    )
    assert.match(flags[3] ?? '', /choices: \['True', 'False'\]/)
    assert.match(flags[6] ?? '', /kind: 'json'/)
    assert.match(flags[7] ?? '', /in: 'query', path: 'Filter\.page'/)
  })

  test('are not asked for what can have one value only', () => {
    assert.deepEqual(fixed, { 'Thing.Class': 'only' })
  })
})
