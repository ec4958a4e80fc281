import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { finderOf } from './validator.ts'

/** The reference: the validator that people know. */
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true })

const names = fc.constantFrom('a', 'b', 'c')
const texts = fc.oneof(fc.constantFrom('', 'a', '12', '𠮷', '𠮷𠮷'), fc.string({ maxLength: 4 }))
const limits = fc.integer({ min: 0, max: 3 })
const leaves = fc.oneof(
  fc.record({ type: fc.constant('string'), minLength: limits, maxLength: limits }),
  fc.constant({ type: 'string', pattern: '^[a-z]*$' }),
  fc.record({ type: fc.constantFrom('integer', 'number'), minimum: limits, maximum: limits }),
  fc.record({ type: fc.constant('number'), exclusiveMinimum: limits }),
  fc.constantFrom({ type: 'boolean' }, { type: 'null' }, { type: ['string', 'null'] }, {}),
  fc.record({ enum: fc.uniqueArray(texts, { minLength: 1, maxLength: 3 }) }),
  texts.map((text) => ({ type: 'string', const: text })),
  fc.constant({ not: {} }),
)

const { schema } = fc.letrec<{ schema: object }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaves,
    fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
    fc.record({
      type: fc.constant('array'),
      items: tie('schema'),
      minItems: limits,
      maxItems: fc.integer({ min: 3, max: 4 }),
    }),
    fc
      .tuple(fc.dictionary(names, tie('schema'), { maxKeys: 3 }), fc.boolean(), fc.boolean())
      .map(([properties, needsAll, isClosed]) => ({
        type: 'object',
        properties,
        ...(needsAll && { required: Object.keys(properties) }),
        ...(isClosed && { additionalProperties: false }),
      })),
    tie('schema').map((inner) => ({ type: 'object', patternProperties: { '^[ab]$': inner } })),
  ),
}))

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    texts,
    fc.constantFrom(null, true, false, 0, 1, 2, 3, 4, 1.5, -1),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(names, tie('value'), { maxKeys: 3 }),
  ),
}))

describe('finderOf', () => {
  test('agrees with the validator that people know about every value', () => {
    fc.assert(
      fc.property(schema, fc.array(value, { minLength: 1, maxLength: 8 }), (wanted, values) => {
        const validate = ajv.compile(wanted)
        const find = finderOf({ ...wanted })
        for (const one of values) assert.equal(find(one) === undefined, validate(one))
      }),
      { numRuns: 500 },
    )
  })

  test('counts characters, not units', () => {
    const find = finderOf({ type: 'string', minLength: 2, maxLength: 2 })
    assert.equal(find('𠮷𠮷'), undefined)
    assert.equal(find('𠮷')?.keyword, 'minLength')
    assert.equal(find('𠮷𠮷𠮷')?.keyword, 'maxLength')
  })

  test('has the path of what is wrong, also inside a union', () => {
    const inner = { type: 'object', properties: { b: { type: 'string' } } }
    const find = finderOf({
      properties: { list: { type: 'array', items: { anyOf: [inner, { type: 'null' }] } } },
    })
    const failure = find({ list: [null, { b: 1 }] })
    assert.deepEqual(failure?.path, ['list', 1])
    assert.deepEqual(
      failure?.alternatives.map(({ path }) => path),
      [
        ['list', 1, 'b'],
        ['list', 1],
      ],
    )
  })

  test('refuses to be made of rules that it does not know', () => {
    const mistakes = [
      { uniqueItems: true },
      { type: 'text' },
      { type: [] },
      { not: { type: 'string' } },
      { additionalProperties: { type: 'string' } },
      { properties: { a: { multipleOf: 3 } } },
    ]
    for (const mistake of mistakes) assert.throws(() => finderOf(mistake), Error)
    assert.doesNotThrow(() => finderOf({ title: 'T', description: 'd', 'x-secret': true }))
  })
})
