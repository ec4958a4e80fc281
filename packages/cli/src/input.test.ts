import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { CommandEntry } from './command-entry.ts'
import { inputOf, searchOf } from './input.ts'
import { optionName } from './option-names.ts'

const entry: CommandEntry = {
  noun: 'thing',
  verb: 'create',
  operation: 'thingCreate',
  summary: 'Create a thing',
  fixed: { 'Thing.Class': 'only' },
  flags: [
    { flag: 'name', in: 'body', path: 'Thing.Name', kind: 'string', required: true },
    { flag: 'plan-id', in: 'body', path: 'Thing.Plan.ID', kind: 'integer' },
    { flag: 'tags', in: 'body', path: 'Thing.Tags', kind: 'strings' },
    { flag: 'on', in: 'body', path: 'Thing.On', kind: 'boolean' },
    { flag: 'routes', in: 'body', path: 'Thing.Routes', kind: 'json' },
    { flag: 'mode', in: 'body', path: 'Thing.Mode', kind: 'string', choices: ['a', 'b'] },
    { flag: 'page', in: 'query', path: 'Filter.page', kind: 'integer' },
  ],
}

describe('flags', () => {
  test('become the body and the query, each value of its type, at its place', async () => {
    const input = await inputOf(
      entry,
      { id: '1' },
      {
        name: 'web',
        planId: '2',
        tags: ['a,b', 'c'],
        on: 'false',
        routes: '[{"to":"x"}]',
        page: '3',
      },
    )
    assert.deepEqual(input, {
      params: { id: '1' },
      query: { Filter: { page: 3 } },
      body: {
        Thing: {
          Class: 'only',
          Name: 'web',
          Plan: { ID: 2 },
          Tags: ['a', 'b', 'c'],
          On: false,
          Routes: [{ to: 'x' }],
        },
      },
    })
  })

  test('win over a body that is given whole', async () => {
    const options = { body: '{"Thing":{"Name":"old","More":1}}', planId: '5' }
    const { body } = await inputOf(entry, {}, options)
    assert.deepEqual(body, { Thing: { Name: 'old', More: 1, Class: 'only', Plan: { ID: 5 } } })
  })

  test('take what a file holds, and an at sign where two are written', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'kumoi-input-'))
    t.after(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'name'), 'from a file')
    const read = await inputOf(entry, {}, { name: `@${join(folder, 'name')}` })
    assert.equal(Object(read.body).Thing.Name, 'from a file')
    assert.equal(Object((await inputOf(entry, {}, { name: '@@x' })).body).Thing.Name, '@x')
    await assert.rejects(
      inputOf(entry, {}, { name: '@nowhere' }),
      /the file nowhere cannot be read/,
    )
  })

  test('are refused by name when they are wrong or missing', async () => {
    for (const [options, message] of [
      [{}, /--name is missing/],
      [{ name: 'a', planId: 'x' }, /--plan-id must be a whole number/],
      [{ name: 'a', planId: '1.5' }, /--plan-id must be a whole number/],
      [{ name: 'a', on: 'yes' }, /--on must be true or false/],
      [{ name: 'a', mode: 'c' }, /--mode must be one of a, b/],
      [{ body: '{' }, /--body is not JSON/],
    ] as const) {
      await assert.rejects(inputOf(entry, {}, options), { exitCode: 2, message })
    }
  })

  test('are known to the parser by names of its own', () => {
    assert.equal(optionName('dns-1'), 'dns1')
    assert.equal(optionName('default-cache-ttl'), 'defaultCacheTtl')
  })
})

describe('a search', () => {
  test('has conditions with their operators, lists and pages', () => {
    assert.deepEqual(
      searchOf({
        filter: ['Name=a=b', 'CreatedAt>=2026-04-01', 'Tags=x,y'],
        sort: '-Name,ID',
        include: 'ID,Name',
        from: '20',
        count: '10',
      }),
      {
        From: 20,
        Count: 10,
        Sort: ['-Name', 'ID'],
        Include: ['ID', 'Name'],
        Filter: { Name: 'a=b', 'CreatedAt>=': '2026-04-01', Tags: ['x', 'y'] },
      },
    )
  })

  test('shows a hundred unless told otherwise', () => {
    assert.deepEqual(searchOf({}), { Count: 100 })
  })

  test('is refused when it cannot be read', () => {
    assert.throws(() => searchOf({ filter: ['Name'] }), /--filter Name is not of the form/)
    assert.throws(() => searchOf({ count: '-1' }), /--count must be a whole number/)
  })
})
