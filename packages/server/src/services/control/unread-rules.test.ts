import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Type } from '../../kernel/type.ts'
import { unreadFields } from './unread-rules.ts'

const schema = Type.Object({
  Item: Type.Object({
    Name: Type.String(),
    Icon: Type.Union([Type.Object({ ID: Type.String() }), Type.Null()]),
    Rules: Type.Array(Type.Object({ Origin: Type.String() })),
    Labels: Type.Record(Type.String(), Type.String()),
    Tags: Type.Array(Type.String()),
  }),
})

describe('unreadFields', () => {
  test('names what the contract does not know, by its path', () => {
    const body = {
      Item: {
        ...{ Name: 'x', Tags: ['a'], Labels: { any: 'thing' } },
        ...{ Icon: { ID: '1', Tags: [] }, Rules: [{ Origin: 'a' }, { Origin: 'b', Max: 1 }] },
        Nmae: 'misspelt',
      },
      Count: 1,
    }
    assert.deepEqual(unreadFields(body, schema), [
      'Item.Icon.Tags',
      'Item.Rules[1].Max',
      'Item.Nmae',
      'Count',
    ])
  })

  test('has nothing to say of what is all read, or is no object', () => {
    assert.deepEqual(unreadFields({ Item: { Name: 'x', Icon: null } }, schema), [])
    assert.deepEqual(unreadFields('text', schema), [])
    assert.deepEqual(unreadFields({ any: 1 }, Type.Unknown()), [])
  })
})
