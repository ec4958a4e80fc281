import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { orNull, Secret } from '../../kernel/fields.ts'
import { Type } from '../../kernel/type.ts'
import { readablePath, secretPath } from './secret-path-rules.ts'
import { HIDDEN, readableBody, secretNamesOf } from './secret-rules.ts'

const schema = Type.Object({
  Item: Type.Object({
    Name: Type.String(),
    Remark: orNull(Type.Object({ PassCode: orNull(Secret()) })),
    Secrets: Type.Array(Secret()),
    Either: Type.Union([Type.Object({ url: Secret() }), Type.Array(Type.Unknown())]),
    ByName: Type.Record(Type.String(), Type.Object({ token: Secret(), text: Type.String() })),
    url: Type.String(),
  }),
})
const names = secretNamesOf([schema])
const shown = (value: unknown, known: unknown = schema) =>
  readableBody(Buffer.from(JSON.stringify(value)), known, names)

describe('secrets in a body', () => {
  test('are hidden by their type, in unions, lists and records, and nothing else is', () => {
    const Item = {
      ...{ Name: 'PassCode', Remark: { PassCode: 'x' }, Secrets: ['a', 'b'], Either: { url: 'u' } },
      ...{ ByName: { one: { token: 't', text: 'shown' } }, url: 'https://shown.example' },
    }
    assert.deepEqual(shown({ Item }), {
      Item: {
        ...{ ...Item, Remark: { PassCode: HIDDEN }, Secrets: [HIDDEN, HIDDEN] },
        ...{ Either: { url: HIDDEN }, ByName: { one: { token: HIDDEN, text: 'shown' } } },
      },
    })
  })

  test('are no secrets when they are null or empty', () => {
    const body = { Item: { Remark: { PassCode: null }, Secrets: ['', null] } }
    assert.deepEqual(shown(body), body)
  })

  test('are hidden whatever form they have', () => {
    assert.deepEqual(shown({ Item: { Secrets: 'one', Remark: { PassCode: { a: [1, 'x'] } } } }), {
      Item: { Secrets: HIDDEN, Remark: { PassCode: { a: [HIDDEN, HIDDEN] } } },
    })
    assert.deepEqual(shown({ Item: { Remark: 'a text instead' } }), { Item: { Remark: HIDDEN } })
  })

  test('are hidden by their names where the contract knows nothing of them', () => {
    const body = { passcode: 'x', deep: [{ TOKEN: { any: 'thing' } }], other: 'shown' }
    assert.deepEqual(shown(body), {
      passcode: HIDDEN,
      deep: [{ TOKEN: { any: HIDDEN } }],
      other: 'shown',
    })
    assert.deepEqual(shown(body, undefined), shown(body))
  })

  test('are not looked for in what is no JSON document', () => {
    assert.equal(readableBody(Buffer.from('secret: x'), schema, names), '(9 bytes)')
    assert.equal(shown('a text'), '(8 bytes)')
    assert.equal(readableBody(undefined, schema, names), null)
  })
})

describe('secrets in an address', () => {
  const patterns = [secretPath('/zone/{zone}/in/{token}/x', 'token')]
  const path = (address: string) => readablePath(address, patterns, names)

  test('are hidden in the path, whatever follows and however it is written', () => {
    assert.equal(path('/zone/a/in/S3CRET/x?From=1'), '/zone/a/in/(hidden)/x?From=1')
    assert.equal(path('/zone/a/in/S3CRET'), '/zone/a/in/(hidden)')
    assert.equal(path('/zone/a/%69n/S3CRET/x'), '/zone/a/in/(hidden)/x')
    assert.equal(path('/zone/%E3%81%82/out/shown'), '/zone/%E3%81%82/out/shown')
  })

  test('are hidden in a search and in pairs', () => {
    const search = (filter: object) =>
      `/x?${encodeURIComponent(JSON.stringify({ Filter: filter }))}`
    assert.equal(
      path(search({ 'A.Token>=': ['S'], Name: 'n' })),
      path(search({ 'A.Token>=': ['T'], Name: 'n' })),
    )
    assert.ok(!decodeURIComponent(path(search({ 'A.Token>=': ['S3CRET'] }))).includes('S3CRET'))
    assert.equal(path(search({ Name: 'token' })), search({ Name: 'token' }))
    assert.equal(path('/x?token=S3CRET&From=1'), '/x?token=(hidden)&From=1')
    assert.equal(path('/x?{"token":"S3CRET"'), '/x?(hidden)')
    const nested = (text: string) => decodeURIComponent(path(`/x?From=1&Filter=${text}`))
    const json = '{"Name": "n", "Deep": [{"token": "S3CRET"}]}'
    const hidden = '/x?From=1&Filter={"Name":"n","Deep":[{"token":"(hidden)"}]}'
    assert.equal(nested(encodeURIComponent(json)), hidden)
    assert.equal(nested(encodeURIComponent(json).replaceAll('%20', '+')), hidden)
    assert.equal(nested(json), hidden)
    assert.equal(nested('[{"token":"S3CRET"}]'), '/x?From=1&Filter=[{"token":"(hidden)"}]')
    assert.equal(nested('{"token":"S3CRET"'), '/x?(hidden)')
    assert.equal(nested('{"Name":"a&b","token":"S3CRET"}'), '/x?(hidden)')
    assert.equal(nested('{"Name":"n"}'), '/x?From=1&Filter={"Name":"n"}')
    assert.equal(path('/x?%E3'), '/x?(hidden)')
  })
})
