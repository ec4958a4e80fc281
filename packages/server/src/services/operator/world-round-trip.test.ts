import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { SecretBox } from '../../kernel/secret-box.ts'
import { INTERFACE_ZONES } from '../../kernel/zone.ts'
import { ENCRYPTION_KEYS, openCloud } from '../../testing/cloud.ts'
import { engines } from '../../testing/engines.ts'
import { iccidOf } from '../../testing/sims.ts'
import { ADAPTER_TYPES } from '../iot/adapter-rules.ts'

const CARDS = 12
const CODES = ['one', 'two']

const text = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((one) => !one.includes('\0'))
const tags = fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { maxLength: 3 })
const labels = fc.record({ Description: text, Tags: tags })
const account = fc.constantFrom(...CODES)

const adapter = fc.record({
  type: fc.constantFrom(...ADAPTER_TYPES),
  name: fc.stringMatching(/^[a-z]{1,8}$/),
  secret: fc.stringMatching(/^[A-Za-z0-9]{1,16}$/),
  url: fc.constant('https://example.jp/hook'),
})

interface Drawn {
  readonly account: string
  readonly labels: { readonly Description: string; readonly Tags: string[] }
}

/** Each card is registered by one account, and is in one of its gateways and projects at most. */
const world = fc
  .record({
    sims: fc.array(fc.record({ account, labels, activated: fc.boolean() }), { maxLength: CARDS }),
    gateways: fc.array(fc.record({ account, labels, zone: fc.constantFrom(...INTERFACE_ZONES) }), {
      maxLength: 3,
    }),
    projects: fc.array(
      fc.record({ account, labels, adapters: fc.array(adapter, { maxLength: 3 }) }),
      { maxLength: 3 },
    ),
    places: fc.array(fc.nat(3), { minLength: 2 * CARDS, maxLength: 2 * CARDS }),
  })
  .map(({ sims, gateways, projects, places }) => {
    const simsOf = (owner: Drawn, number: number, first: number) =>
      sims.flatMap((sim, card) =>
        sim.account === owner.account && places[first + card] === number ? iccidOf(card) : [],
      )
    return {
      version: 1,
      accounts: CODES.map((code) => ({ code, name: code })),
      sim_cards: [{ iccid_from: iccidOf(0), count: CARDS, passcode: 'p{n}' }],
      sims: sims.map((sim, card) => ({
        account: sim.account,
        CommonServiceItem: {
          ...{ Name: `sim ${card}`, ...sim.labels },
          Status: { ICCID: iccidOf(card) },
        },
        activated: sim.activated,
      })),
      gateways: gateways.map((gateway, number) => ({
        ...{ account: gateway.account, zone: gateway.zone },
        Appliance: { Name: `gateway ${number}`, ...gateway.labels },
        sims: simsOf(gateway, number, 0),
      })),
      projects: projects.map((project, number) => ({
        account: project.account,
        CommonServiceItem: { Name: `project ${number}`, ...project.labels },
        sims: simsOf(project, number, CARDS),
        adapters: project.adapters.map(({ type, name, secret, url }) => ({
          ...{ type, name },
          ...(type === 'websocket' ? {} : { secret }),
          ...(type === 'outgoing-webhook' ? { url } : {}),
        })),
      })),
    }
  })

const box = new SecretBox(ENCRYPTION_KEYS)

/** With what is sealed opened: the same secret looks different each time it is sealed. */
function opened(exported: unknown): unknown {
  return JSON.parse(JSON.stringify(exported), (key, value) => {
    if (typeof value?.sealed !== 'string') return value
    return key === 'passcode' ? 'sealed' : box.open(value.sealed, 'adapter of a world')
  })
}

for (const engine of engines) {
  describe(`a world on ${engine.name}`, () => {
    test('is the same when its export is applied after a reset', async (t) => {
      const { operator } = await openCloud(t, { engine })
      const applied = async (body: object) => {
        await operator('POST', '/reset', { body: { to: 'empty' } })
        const { status, text: answer } = await operator('POST', '/world', { body })
        assert.equal(status, 200, answer)
        return (await operator('GET', '/world')).body
      }
      await fc.assert(
        fc.asyncProperty(world, async (drawn) => {
          const first = await applied(drawn)
          const { sims = [], gateways = [], projects = [] } = Object(opened(first))
          assert.deepEqual(
            { sims, gateways, projects },
            { sims: drawn.sims, gateways: drawn.gateways, projects: drawn.projects },
          )
          assert.deepEqual(opened(await applied(first)), opened(first))
        }),
        { numRuns: 15, seed: 14 },
      )
    })
  })
}
