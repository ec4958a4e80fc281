/** The committed documents, judged by a tool that knows nothing of how they are made. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { validate } from '@hyperjump/json-schema/openapi-3-1'
import { slices } from '../packages/server/src/contracts.ts'
import { compileSchema, formatPath } from '../packages/server/src/kernel/schema.ts'
import { familiesOf, operationsOf } from './generate/operations.ts'
import { REPOSITORY } from './lib/program.ts'

const families = familiesOf(slices)
// biome-ignore lint/suspicious/noExplicitAny: a document is looked into at many places.
type Document = any

function read(family: string): Document {
  return JSON.parse(readFileSync(join(REPOSITORY, 'openapi', `${family}.json`), 'utf8'))
}

describe('the OpenAPI documents', () => {
  let check: Awaited<ReturnType<typeof validate>>
  before(async () => {
    check = await validate('https://spec.openapis.org/oas/3.1/schema-base')
  })

  for (const { name } of families) {
    test(`are valid OpenAPI 3.1 with valid schemas: ${name}`, () => {
      const output = check(read(name), 'BASIC')
      assert.ok(output.valid, JSON.stringify(output, null, 1).slice(0, 1000))
    })
  }

  test('would be found out if they were not', () => {
    const breakers: ((operation: Document) => void)[] = [
      (operation) => {
        operation.deprecated = 'yes'
      },
      (operation) => {
        operation.responses['200'].content['application/json'].schema = { type: 'strin' }
      },
      (operation) => {
        operation.parameters[0] = { name: 'zone', in: 'route' }
      },
    ]
    for (const breakOne of breakers) {
      const document = read('cloud')
      const path = Object.values<Document>(document.paths).find(({ get }) => get !== undefined)
      breakOne(path.get)
      assert.equal(check(document, 'BASIC').valid, false, String(breakOne))
    }
  })
})

describe('every operation', () => {
  for (const { name, family, operation } of operationsOf(slices)) {
    test(`has examples that its own schemas accept: ${name}`, () => {
      const described = read(family.name).paths[`${family.base}${operation.path}`][
        operation.method.toLowerCase()
      ]
      assert.ok(described.summary && described.description)
      if (operation.body !== undefined) {
        accepts(operation.body, described.requestBody.content['application/json'].example)
      }
      if (operation.media === undefined && operation.status !== 204) {
        const answer = described.responses[operation.status ?? 200]
        accepts(operation.reply, answer.content['application/json'].example)
      }
      for (const parameter of described.parameters ?? []) {
        if (parameter.$ref !== undefined) continue
        assert.ok(parameter.description, parameter.name)
        accepts(parameter.schema, parameter.example)
      }
    })
  }
})

/** Where none can be made up, `examples` at the member of the contract gives one. */
function accepts(schema: object, example: unknown): void {
  assert.notEqual(example, undefined, 'There is no example: give the schema `examples`.')
  const problem = compileSchema(schema)(example)
  assert.equal(problem && `${formatPath(problem.path)} ${problem.text.en}`, undefined)
}
