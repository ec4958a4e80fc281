/** The walk over every operation there is: whoever adds one is checked here without asking. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { slices } from './contracts.ts'
import { isLevel } from './http/auth/permission.ts'
import { pathOf } from './http/operation.ts'
import { ACCESS_LEVELS } from './kernel/contract.ts'
import { compileSchema } from './kernel/schema.ts'
import { OPERATOR } from './services/families.ts'
import { basic, OPERATOR_TOKEN, openCloud } from './testing/cloud.ts'

/** The server compiles schemas without judging them by the schema of schemas. */
const judge = new Ajv2020({ strict: true, allowUnionTypes: true })

const operations = slices.flatMap(({ family, contract }) =>
  Object.entries(contract).map(([name, operation]) => ({
    name,
    operation,
    url: pathOf(family, operation, '/cloud')
      .replace('{zone}', 'is1a')
      // Another account than the caller's own is 403 there, whatever the key may do.
      .replace('{account_id}', '900000000001')
      .replace('{member_code}', 'mem00001')
      .replaceAll(/\{\w+\}/g, '900000000000'),
  })),
)

describe('every operation', () => {
  test('of the operator is in the table of docs/operating.md', () => {
    const page = readFileSync(new URL('../../../docs/operating.md', import.meta.url), 'utf8')
    const rows = page.split('\n').filter((line) => line.startsWith('| '))
    const named = rows
      .flatMap((row) => row.match(/`\/[\w./-]+/g) ?? [])
      .map((path) => path.slice(1))
    for (const { family, contract } of slices) {
      if (family !== OPERATOR) continue
      for (const [name, { path }] of Object.entries(contract)) {
        const [, first = '', second = ''] = path.split('/')
        const start = first === 'outbox' ? `/${first}/${second}` : `/${first}`
        assert.ok(
          named.some((one) => one === start || one.startsWith(`${start}/`)),
          `${name}: ${path}`,
        )
      }
    }
  })

  test('has a name of its own', () => {
    const names = operations.map(({ name }) => name)
    assert.equal(new Set(names).size, names.length)
  })

  test('has schemas that compile, which a server does only at their first use', () => {
    for (const { name, operation } of operations) {
      const { params, query, body, optionalBody, reply } = operation
      for (const schema of [params, query, body, optionalBody, reply]) {
        if (schema === undefined || schema === 'search') continue
        assert.ok(judge.validateSchema(schema), `${name}: ${judge.errorsText()}`)
        assert.doesNotThrow(() => compileSchema(schema)({}), name)
      }
    }
  })

  test('answers 401 without credentials, with wrong ones, and with those of the other door', async (t) => {
    const { inject } = await openCloud(t, { args: ['--trust-proxy', '127.0.0.1'] })
    for (const [at, { name, operation, url }] of operations.entries()) {
      // Each from an address of its own, since guesses are throttled by source.
      const from = { 'x-forwarded-for': `10.0.${at >> 8}.${at & 255}` }
      if (operation.access === 'public' || operation.access === 'loopback') continue
      const other = isLevel(operation.access) ? `Bearer ${OPERATOR_TOKEN}` : basic('acme-token')
      for (const authorization of [
        undefined,
        'garbage',
        basic('acme-token', 'wrong'),
        basic('nobody'),
        'Bearer x',
        other,
      ]) {
        const headers = { ...from, ...(authorization !== undefined && { authorization }) }
        const answer = await inject(operation.method, url, { headers })
        if (/\/radius\/(authorize|accounting)$/.test(url)) {
          // There 401 is the word for a device that is refused.
          assert.equal(answer.status, 403, `${name} with ${authorization}`)
          continue
        }
        assert.equal(answer.status, 401, `${name} with ${authorization}`)
        assert.equal(answer.body.error_code, 'unauthorized')
        assert.ok(answer.headers['www-authenticate'])
      }
    }
  })

  test('answers 403 to a key that is too weak, and not to one that is just strong enough', async (t) => {
    const { inject } = await openCloud(t)
    const tokens = {
      view: 'acme-view',
      power: 'acme-power',
      arrange: 'acme-arrange',
      create: 'acme-token',
    }
    for (const { name, operation, url } of operations) {
      if (!isLevel(operation.access)) continue
      const needed = ACCESS_LEVELS.indexOf(operation.access)
      for (const [index, level] of ACCESS_LEVELS.entries()) {
        const headers = { authorization: basic(tokens[level]) }
        const { status } = await inject(operation.method, url, { headers })
        // The external permission is asked for as well, and only the create key has it.
        const isLetIn = index >= needed && (operation.external === undefined || level === 'create')
        assert.equal(status === 403, !isLetIn, `${name} with ${level}: ${status}`)
      }
    }
  })

  test('needs its external permission besides the level', async (t) => {
    const { inject } = await openCloud(t)
    const headers = { authorization: basic('other-token') }
    for (const { name, operation, url } of operations) {
      if (operation.external === undefined) continue
      assert.equal((await inject(operation.method, url, { headers })).status, 403, name)
    }
  })

  test('of the operator needs no token on loopback only where it says so', async (t) => {
    const { inject } = await openCloud(t)
    for (const { name, operation, url } of operations) {
      if (operation.access !== 'public' && operation.access !== 'loopback') continue
      const { status } = await inject(operation.method, url)
      assert.ok(status === 200 || status === 404, `${name}: ${status}`)
    }
  })
})

describe('every schema', () => {
  test('compiles, though a server compiles it only when it is first used', () => {
    for (const { name, operation } of operations) {
      const schemas = [operation.params, operation.body, operation.query, operation.reply]
      for (const schema of schemas) {
        if (schema === undefined || schema === 'search') continue
        assert.doesNotThrow(() => compileSchema(schema)(undefined), name)
      }
    }
  })
})
