/**
 * What is written is what is read, for every field that a contract lets a caller write: tools that
 * compare a plan with what they read back would otherwise change it for ever. The walk below fails when
 * a contract has a field that no sample of testing/write-plans.ts writes twice, with two different values.
 */
import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { interfaceOperations, slices } from './contracts.ts'
import type { TSchema } from './kernel/type.ts'
import { engines, type TestEngine } from './testing/engines.ts'
import { openGateways } from './testing/gateways.ts'
import { DRAFT, WEBACCEL } from './testing/webaccel.ts'
import { IDENTITY, OTHERS, PLANS } from './testing/write-plans.ts'

const writing = slices.flatMap(({ family, contract }) =>
  Object.entries(contract).flatMap(([name, { body }]) =>
    body !== undefined && interfaceOperations.has(name) ? [{ family, name, body }] : [],
  ),
)

describe('the fields that contracts let a caller write', () => {
  test('are all known here: each operation with a body has a plan, or a reason for none', () => {
    const known = new Set([...Object.keys(PLANS), ...Object.keys(OTHERS)])
    assert.deepEqual(
      writing.map(({ name }) => name).filter((name) => !known.has(name)),
      [],
      'these need a plan in testing/write-plans.ts',
    )
    const names = new Set(writing.map(({ name }) => name))
    assert.deepEqual(
      [...known].filter((name) => !names.has(name)),
      [],
      'these are gone',
    )
  })

  for (const { name, body } of writing.filter(({ name }) => name in PLANS)) {
    test(`are each written with two values: ${name}`, () => {
      const { samples = [], hidden = {} } = PLANS[name] ?? {}
      for (const path of leavesOf(body)) {
        if (path in hidden || IDENTITY.has(path)) continue
        const values = samples.map((sample) => JSON.stringify(valueAt(sample, path)))
        const written = new Set(values.filter((value) => value !== undefined))
        assert.ok(written.size >= 2, `${path} is written as ${[...written].join(' and ')}`)
      }
    })
  }
})

for (const engine of engines) {
  describe(`what is written is what is read on ${engine.name}`, () => {
    for (const [name, plan] of Object.entries(PLANS)) {
      test(name, async (t) => {
        const { send, fill } = await open(t, engine, name)
        for (const sample of plan.samples) {
          const { hidden = {}, undo } = plan
          const body = JSON.parse(fill(JSON.stringify(sample)))
          const made = await send(plan.method ?? 'PUT', fill(plan.path), body)
          assert.ok(made.status < 300, made.text)
          const id = Object.values<{ ID?: string }>(made.body)[0]?.ID ?? ''
          const read = await send('GET', fill(plan.read).replace('{new}', id))
          for (const path of leavesOfValue(body)) {
            if (path in hidden) continue
            assertContains(valueAt(read.body, path), valueAt(body, path), path)
          }
          if (undo !== undefined) await send('DELETE', fill(undo))
        }
      })
    }
  })
}

/** A SIM in a gateway, a switch and a site, and the base of the operation's family. */
async function open(t: TestContext, engine: TestEngine, name: string) {
  const cloud = await openGateways(t, engine)
  const id = await cloud.ready()
  const sim = await cloud.sim(1)
  await cloud.add(id, sim)
  const lan = await cloud.ask('POST', '/switch', { body: { Switch: { Name: 'lan' } } })
  const isWeb = writing.find((one) => one.name === name)?.family.name === 'webaccel'
  const inject = (base: string) => (method: string, path: string, body?: unknown) =>
    cloud.ask(method, `/../../${base}${path}`, { body })
  const web = inject(WEBACCEL.split('/api/')[1] ?? '')
  const site = isWeb ? (await web('POST', '/site', { Site: DRAFT })).body.Site.ID : ''
  const ids: Readonly<Record<string, string>> = { id, sim, site, switch: lan.body.Switch.ID }
  return {
    send: isWeb
      ? web
      : (method: string, path: string, body?: unknown) => cloud.ask(method, path, { body }),
    fill: (text: string) =>
      text.replaceAll(/\{(id|sim|site|switch)\}/g, (_, key) => ids[key] ?? ''),
  }
}

/** Dotted paths of what can be written; a list is one leaf. */
function leavesOf(schema: TSchema, path = ''): string[] {
  const { properties, anyOf } = schema as {
    properties?: Record<string, TSchema>
    anyOf?: TSchema[]
  }
  if (anyOf !== undefined) {
    const real = anyOf.filter((one) => !('type' in one && one.type === 'null') && !('const' in one))
    return [...new Set(real.flatMap((one) => leavesOf(one, path)))]
  }
  if (properties === undefined || Object.keys(properties).length === 0) return [path]
  return Object.entries(properties).flatMap(([member, inner]) =>
    leavesOf(inner, path === '' ? member : `${path}.${member}`),
  )
}

function leavesOfValue(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [path]
  return Object.entries(value).flatMap(([member, inner]) =>
    leavesOfValue(inner, path === '' ? member : `${path}.${member}`),
  )
}

function valueAt(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((at, member) => (at as Record<string, unknown> | undefined)?.[member], value)
}

/** Entries of a list may show more than was written. */
function assertContains(read: unknown, written: unknown, path: string): void {
  if (Array.isArray(written) && Array.isArray(read)) {
    assert.equal(read.length, written.length, path)
    written.forEach((entry, index) => {
      assertContains(read[index], entry, `${path}[${index}]`)
    })
  } else if (typeof written === 'object' && written !== null) {
    for (const [member, value] of Object.entries(written)) {
      assertContains((read as Record<string, unknown>)[member], value, `${path}.${member}`)
    }
  } else {
    assert.deepEqual(read, written, path)
  }
}
