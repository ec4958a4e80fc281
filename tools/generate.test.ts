import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { Type } from 'typebox'
import { type Slice, slices } from '../packages/server/src/contracts.ts'
import { defineContract } from '../packages/server/src/kernel/contract.ts'
import { CLOUD, OPERATOR } from '../packages/server/src/services/families.ts'
import { plain } from './generate/json.ts'
import { declaredRefusals, operationsOf } from './generate/operations.ts'
import { outputs } from './generate/outputs.ts'
import { typeText } from './generate/type-text.ts'
import { generate } from './generate.ts'
import { REPOSITORY } from './lib/program.ts'

const files = outputs(slices, '1.2.3')
const names = slices.flatMap(({ contract }) => Object.keys(contract))

/** Everything that a contract can say and the first slices may not. */
const sample: Slice = {
  name: 'sample',
  family: CLOUD,
  contract: defineContract({
    thingUpdate: {
      method: 'PUT',
      path: '/thing/{id}',
      summary: 'Change a thing',
      access: 'arrange',
      external: 'bill',
      params: Type.Object({ id: Type.String({ pattern: '^[0-9]{12}$' }) }),
      query: Type.Object({
        target: Type.String(),
        type: Type.Optional(Type.Enum(['current', 'old'])),
      }),
      body: Type.Object({ Name: Type.Optional(Type.String()) }),
      status: 202,
      reply: Type.Object({ Thing: Type.Partial(Type.Object({ ID: Type.String() })) }),
      refuses: {
        conflict: 'it is in use | locked',
        still_creating: 'it is being made',
        forbidden: 'it belongs to another member',
      },
    },
    thingText: {
      method: 'POST',
      path: '/thing/text',
      summary: 'Read a thing as text',
      access: 'public',
      textBody: true,
      media: 'text/csv',
      reply: Type.String(),
      refuses: {},
    },
  }),
}

describe('the OpenAPI documents', () => {
  test('are one per family, and name every operation once', () => {
    const documents = [...files.keys()].filter((path) => path.startsWith('openapi/'))
    const families = new Set(slices.map(({ family }) => `openapi/${family.name}.json`))
    assert.deepEqual(documents.sort(), [...families].sort())
    const ids = documents.flatMap((path) => find(read(path), 'operationId'))
    assert.deepEqual(ids.sort(), names.toSorted())
  })

  test('refer only to what they hold, and hold nothing else', () => {
    for (const path of files.keys()) {
      if (!path.startsWith('openapi/')) continue
      const document = read(path)
      const references = find(document, '$ref').map(String)
      for (const reference of references) assert.notEqual(resolve(document, reference), undefined)
      for (const [kind, members] of Object.entries(record(record(document).components))) {
        if (kind === 'securitySchemes') continue
        for (const name of Object.keys(record(members))) {
          assert.ok(references.includes(`#/components/${kind}/${name}`), `${path}: ${kind} ${name}`)
        }
      }
    }
  })

  test('hold no mark of the schema library', () => {
    for (const [path, text] of files) {
      if (path.startsWith('openapi/')) assert.doesNotMatch(text, /"~[^"]*":/)
    }
  })

  test('give the zone with its names', () => {
    const zone = resolve(read('openapi/cloud.json'), '#/components/parameters/Zone')
    assert.deepEqual(record(record(zone).schema).enum, ['is1a', 'is1b', 'tk1a', 'tk1v', 'is1z'])
  })
})

describe('an operation in OpenAPI', () => {
  const document = JSON.parse(outputs([sample], '1').get('openapi/cloud.json') ?? '')
  const base = '/zone/{zone}/api/cloud/1.1'
  const update = document.paths[`${base}/thing/{id}`].put
  const text = document.paths[`${base}/thing/text`].post

  test('has its path, its query and its body as they are declared', () => {
    assert.deepEqual(update.parameters.slice(1), [
      {
        name: 'id',
        in: 'path',
        required: true,
        description: 'The id.',
        schema: { type: 'string', pattern: '^[0-9]{12}$' },
        example: '900000000101',
      },
      {
        name: 'target',
        in: 'query',
        required: true,
        description: 'The year and month, six digits.',
        schema: { type: 'string' },
        example: '202604',
      },
      {
        name: 'type',
        in: 'query',
        description: 'The type.',
        schema: { enum: ['current', 'old'] },
        example: 'current',
      },
    ])
    assert.deepEqual(update.requestBody.content['application/json'].schema, {
      type: 'object',
      properties: { Name: { type: 'string' } },
    })
  })

  test('has the envelope, each refusal by status, and the general ones', () => {
    assert.deepEqual(Object.keys(update.responses), ['202', '401', '403', '404', '409', 'default'])
    assert.deepEqual(update.responses['202'].content['application/json'].schema.allOf[0], {
      $ref: '#/components/schemas/Success',
    })
    assert.match(update.responses['409'].description, /`conflict`.*\n\n`still_creating`/)
    assert.match(update.responses['403'].description, /another member.*key may not/s)
  })

  test('has an example of the body, of the answer and of each refusal', () => {
    assert.deepEqual(update.requestBody.content['application/json'].example, { Name: 'example' })
    assert.deepEqual(update.responses['202'].content['application/json'].example, {
      Thing: { ID: '900000000101' },
      is_ok: true,
    })
    const { examples } = update.responses['409'].content['application/json']
    assert.deepEqual(Object.keys(examples), ['conflict', 'still_creating'])
    assert.equal(document.components.examples.still_creating.value.status, '409 Conflict')
  })

  test('has in one place what several of them share', () => {
    const Part = Type.Object({ a: Type.Null(), b: Type.Boolean(), c: Type.Integer() })
    const read = { method: 'GET', summary: 'Read', access: 'view', refuses: {} } as const
    const reply = Type.Object({ Parts: Type.Array(Part) })
    const contract = {
      aRead: { ...read, path: '/a', reply },
      bRead: { ...read, path: '/b', reply },
    }
    const own = JSON.parse(outputs([{ ...sample, contract }], '1').get('openapi/cloud.json') ?? '')
    const { schema } = own.paths[`${base}/a`].get.responses['200'].content['application/json']
    assert.deepEqual(schema.allOf[1].properties.Parts.items, { $ref: '#/components/schemas/Part' })
    assert.deepEqual(Object.keys(own.components.schemas.Part.properties), ['a', 'b', 'c'])
  })

  test('says what it needs', () => {
    assert.deepEqual(update.security, [{ apiKey: [] }])
    assert.match(update.description, /`arrange` or higher and the external permission `bill`/)
    assert.deepEqual(text.security, [])
  })

  test('takes and gives text where the contract says so', () => {
    assert.deepEqual(text.requestBody.content, { '*/*': { schema: { type: 'string' } } })
    assert.deepEqual(text.responses['200'].content, { 'text/csv': { schema: { type: 'string' } } })
  })

  test('is refused when its path and its parameters disagree', () => {
    const read = { method: 'GET', path: '/a/{id}', summary: '', access: 'view' } as const
    const contract = { a: { ...read, reply: Type.Object({}), refuses: {} } }
    assert.throws(() => outputs([{ ...sample, contract }], '1'), /a: the path has \{id\}/)
  })

  test('is refused when another one has its name', () => {
    assert.throws(() => outputs([sample, { ...sample, name: 'b' }], '1'), /Two operations/)
  })
})

describe('docs/errors.md', () => {
  const page = files.get('docs/errors.md') ?? ''

  test('has a section per operation and a row per refusal, with its status', () => {
    assert.deepEqual(
      [...page.matchAll(/^#### (\w+)$/gm)].map((match) => match[1]),
      names,
    )
    for (const { name, operation } of operationsOf(slices)) {
      const section = page.split(`#### ${name}\n`)[1]?.split('\n##')[0] ?? ''
      const rows = declaredRefusals(operation)
      for (const { code, status } of rows) assert.ok(section.includes(`| ${code} | ${status} | `))
      assert.equal(section.match(/^\| \w+ \| \d/gm)?.length ?? 0, rows.length, name)
    }
  })

  test('keeps its tables whole whatever the condition says', () => {
    const own = outputs([sample], '1').get('docs/errors.md') ?? ''
    assert.ok(own.includes('| conflict | 409 | it is in use \\| locked |\n'))
  })
})

describe('the table of the client', () => {
  test('has method, path and family of every operation but those that a token is handed out for', async () => {
    const url = `data:text/javascript,${encodeURIComponent(
      (files.get('packages/client/src/generated/operations.ts') ?? '').replaceAll(' as const', ''),
    )}`
    const { operations, families } = await import(url)
    const called = operationsOf(slices).filter(({ operation }) => operation.access !== 'token')
    assert.deepEqual(
      Object.keys(operations),
      called.map(({ name }) => name),
    )
    assert.deepEqual(operations.itemRead, {
      method: 'GET',
      path: '/commonserviceitem/{id}',
      family: 'cloud',
    })
    assert.deepEqual(families.operator, { base: OPERATOR.base, root: true })
    assert.equal(families.webaccel.zone, 'is1a')
    const lists = ({ list, paging }: Record<string, string>) => [list, paging]
    assert.deepEqual(lists(operations.itemList), ['CommonServiceItems', 'search'])
    assert.deepEqual(lists(operations.smsLogList), ['ESME.logs', 'search'])
    assert.deepEqual(lists(operations.siteList), ['Sites', 'query'])
    assert.deepEqual(lists(operations.accountList), ['accounts', undefined])
    for (const name of ['gatewayRead', 'authStatus', 'itemCreate']) {
      assert.equal(operations[name].list, undefined, name)
    }
  })

  test('has no operation that would hide a member of the client', () => {
    const contract = { each: sample.contract.thingText } as Slice['contract']
    assert.throws(() => outputs([{ ...sample, contract }], '1'), /each: the client has a member/)
  })

  test('has no line that a formatter would break', () => {
    const table = files.get('packages/client/src/generated/operations.ts') ?? ''
    const contract = { aNameThatIsLongAndThenSome: sample.contract.thingUpdate }
    const slice = { ...sample, name: 'long', contract } as Slice
    const long = outputs([slice], '1').get('packages/client/src/generated/operations.ts') ?? ''
    for (const line of `${table}${long}`.split('\n')) assert.ok(line.length <= 100, line)
  })
})

describe('the types of the client', () => {
  const types = outputs([sample], '1').get('packages/client/src/generated/types.ts') ?? ''

  test('have what an operation takes, answers and refuses', () => {
    const text = types.split('thingUpdate: ')[1]?.split('\n  }')[0] ?? ''
    assert.match(text, /params: \{ id: string \}\n/)
    assert.match(text, /query: \{ target: string; type\?: 'current' \| 'old' \}\n/)
    assert.match(text, /body: \{ Name\?: string \}\n/)
    assert.match(text, /reply: \{ Thing: \{ ID\?: string \} \}\n/)
    assert.match(text, /refuses: .*'still_creating'/)
    assert.match(types, /text: string\n {4}reply: string\n/)
  })

  test('name what occurs more than once, by its title or its member', () => {
    const Part = Type.Object({ a: Type.Null(), b: Type.Boolean(), c: Type.Unknown() })
    const Titled = Type.Object({ ...Part.properties, d: Type.Never() }, { title: 'Whole' })
    const read = {
      method: 'GET',
      path: '/a',
      summary: 'Read',
      access: 'view',
      refuses: {},
    } as const
    const reply = Type.Object({ Parts: Type.Array(Part), Main: Type.Union([Titled, Type.Null()]) })
    const contract = { aRead: { ...read, reply }, bRead: { ...read, path: '/b', reply } }
    const text = outputs([{ ...sample, contract }], '1').get(
      'packages/client/src/generated/types.ts',
    )
    assert.match(text ?? '', /export interface Part \{ a: null; b: boolean; c: unknown \}/)
    assert.match(text ?? '', /Parts: readonly Part\[\]/)
    assert.match(text ?? '', /Main: Whole \| null/)
  })

  test('know every form of schema that they are made from, or say so', () => {
    const text = (schema: object) => typeText(plain(schema), '', '', () => undefined)
    assert.equal(text(Type.Record(Type.String(), Type.Integer())), 'Record<string, number>')
    assert.equal(text({ type: ['string', 'null'] }), 'string | null')
    assert.equal(text({ allOf: [{ type: 'string' }, {}] }), 'string & unknown')
    assert.equal(
      text(Type.Array(Type.Union([Type.String(), Type.Null()]))),
      'readonly (string | null)[]',
    )
    assert.equal(text(Type.Object({ 'a-b': Type.Literal("it's") })), "{ 'a-b': 'it\\'s' }")
    assert.throws(() => text({ type: 'date' }), /no type for "date"/)
  })
})

describe('npm run generate', () => {
  test('finds nothing to change right after it has written', () => {
    within((root) => {
      assert.deepEqual(run(root, true), [...files.keys()].sort())
      assert.deepEqual(run(root, false), [])
    })
  })

  test('names a file that was changed by hand, and leaves it alone when it only checks', () => {
    within((root) => {
      run(root, true)
      appendFileSync(join(root, 'docs/errors.md'), 'more\n')
      assert.deepEqual(run(root, false), ['docs/errors.md'])
      assert.match(readFileSync(join(root, 'docs/errors.md'), 'utf8'), /more\n$/)
      run(root, true)
      assert.equal(readFileSync(join(root, 'docs/errors.md'), 'utf8'), files.get('docs/errors.md'))
    })
  })

  test('names a file that is missing or left over, and mends both', () => {
    within((root) => {
      run(root, true)
      rmSync(join(root, 'openapi/cloud.json'))
      writeFileSync(join(root, 'openapi/gone.json'), '{}')
      assert.deepEqual(run(root, false), ['openapi/cloud.json', 'openapi/gone.json'])
      run(root, true)
      assert.deepEqual(run(root, false), [])
    })
  })

  test('is a program that writes nothing with --check', () => {
    const program = join(REPOSITORY, 'tools/generate.ts')
    const { stdout } = spawnSync(process.execPath, [program, '--check'], { encoding: 'utf8' })
    assert.match(stdout, /^generate: \d+ slices, \d+ problems?\n$/)
  })
})

function run(root: string, write: boolean): string[] {
  return generate({ root, slices, version: '1.2.3', write })
}

function within(work: (root: string) => void): void {
  const root = mkdtempSync(join(tmpdir(), 'kumoi-generate-'))
  try {
    work(root)
  } finally {
    rmSync(root, { recursive: true })
  }
}

function read(path: string): unknown {
  return JSON.parse(files.get(path) ?? '')
}

/** Every value under this key, anywhere. */
function find(value: unknown, key: string): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(name === key ? [inner] : []),
    ...find(inner, key),
  ])
}

function resolve(document: unknown, reference: string): unknown {
  const steps = reference.replace('#/', '').split('/')
  return steps.reduce<unknown>((value, step) => record(value)[step], document)
}

function record(value: unknown): Record<string, unknown> {
  assert.ok(typeof value === 'object' && value !== null)
  return { ...value }
}
