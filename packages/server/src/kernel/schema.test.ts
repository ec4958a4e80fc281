import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { compileSchema, formatPath } from './schema.ts'
import { type TSchema, Type } from './type.ts'

const said = (schema: TSchema, value: unknown) => {
  const problem = compileSchema(schema)(value)
  return problem && `${formatPath(problem.path)} ${problem.text.en}`
}

describe('compileSchema', () => {
  test('finds nothing wrong in what fits, and ignores members that it does not know', () => {
    assert.equal(said(Type.Object({ a: Type.String() }), { a: 'x', more: 1 }), undefined)
  })

  test('names the field by its path and says what is wrong', () => {
    const schema = Type.Object({
      list: Type.Array(Type.Object({ id: Type.String({ pattern: '^\\d+$', maxLength: 3 }) }), {
        maxItems: 2,
      }),
    })
    assert.equal(said(schema, {}), 'list is missing.')
    assert.equal(said(schema, { list: [{ id: '1' }, {}] }), 'list[1].id is missing.')
    assert.equal(said(schema, { list: [{ id: 5 }] }), 'list[0].id must be of type string.')
    assert.equal(
      said(schema, { list: [{ id: 'x' }] }),
      'list[0].id does not match the pattern ^\\d+$',
    )
    assert.equal(
      said(schema, { list: [{ id: '1234' }] }),
      'list[0].id may have at most 3 characters.',
    )
    assert.equal(
      said(schema, { list: [{ id: '1' }, { id: '1' }, { id: '1' }] }),
      'list may have at most 2 entries.',
    )
  })

  test('coerces nothing and fills nothing in', () => {
    const value = { n: '1' }
    assert.equal(
      said(Type.Object({ n: Type.Integer({ default: 5 }) }), value),
      'n must be of type integer.',
    )
    assert.deepEqual(value, { n: '1' })
  })

  test('speaks of enums, ranges, lengths and closed objects', () => {
    assert.equal(said(Type.Enum(['a', 'b']), 'c'), ' must be one of: a, b')
    assert.equal(said(Type.Integer({ minimum: 1, maximum: 5 }), 0), ' must be 1 or more.')
    assert.equal(said(Type.Integer({ minimum: 1, maximum: 5 }), 6), ' must be 5 or less.')
    assert.equal(said(Type.String({ minLength: 1 }), ''), ' needs at least 1 characters.')
    assert.equal(said(Type.Array(Type.Null(), { minItems: 1 }), []), ' needs at least 1 entries.')
    assert.equal(
      said(Type.Object({}, { additionalProperties: false }), { x: 1 }),
      'x is not known here.',
    )
    assert.equal(said(Type.Literal(1), 2), ' must be 1.')
    const choice = Type.Union([Type.Enum(['0', '1']), Type.Null(), Type.Literal('')])
    assert.equal(said(choice, 0), ' must be one of: 0, 1')
    const text = Type.Union([Type.String(), Type.Null(), Type.Literal('')])
    assert.equal(said(text, 5), ' must be of type string.')
    const either = Type.Union([Type.String(), Type.Integer()])
    assert.equal(said(either, true), ' has none of the allowed forms.')
    assert.equal(said(Type.Union([Type.String(), Type.Null()]), 5), ' must be of type string.')
  })

  test('has a Japanese text for each', () => {
    const problem = compileSchema(Type.Object({ a: Type.String() }))({})
    assert.equal(problem?.text.ja, 'がありません。')
  })
})
