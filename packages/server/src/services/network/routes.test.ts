import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openCloud } from '../../testing/cloud.ts'
import { engines } from '../../testing/engines.ts'
import { ELEMENT_CARRIERS_MAX, ELEMENTS_MAX } from './rules.ts'

const SECRET = 'shared-secret-1'
const draft = { address: '192.0.2.10', secret: SECRET, carriers: { 44010: 'carrier-a' } }
const shown = {
  ...{ name: 'pgw-1', address: '192.0.2.10', carriers: { 44010: 'carrier-a' }, coa_port: 3799 },
  ...{ last_seen: null, accepted: 0, refused: 0, accounting_packets: 0, sessions: 0 },
}

for (const engine of engines) {
  describe(`network elements on ${engine.name}`, () => {
    test('are declared, changed, listed without their secrets, and removed', async (t) => {
      const { operator } = await openCloud(t, { engine })
      const put = (name: string, body: object) =>
        operator('PUT', `/network-elements/${name}`, { body })
      assert.deepEqual((await put('pgw-1', draft)).body.network_element, shown)
      const changed = await put('pgw-1', { address: '192.0.2.11', coa_port: 1812 })
      const now = { ...shown, address: '192.0.2.11', coa_port: 1812 }
      assert.deepEqual(changed.body.network_element, now)
      const { body, text } = await operator('GET', '/network-elements')
      assert.deepEqual(body.network_elements, [now])
      assert.equal(text.includes(SECRET), false)
      const read = () => operator('GET', '/network-elements/pgw-1')
      assert.deepEqual((await read()).body.network_element, now)
      assert.equal((await operator('DELETE', '/network-elements/pgw-1')).status, 200)
      assert.equal((await read()).status, 404)
      assert.equal((await operator('DELETE', '/network-elements/pgw-1')).status, 404)
    })

    test('are refused with the member that is wrong', async (t) => {
      const { operator } = await openCloud(t, { engine })
      const put = (name: string, body: object) =>
        operator('PUT', `/network-elements/${name}`, { body })
      await put('pgw-1', draft)
      const other = { ...draft, address: '192.0.2.20' }
      const table = (entries: number) =>
        Object.fromEntries(
          Array.from({ length: entries }, (_, n) => [String(440_000 + n), 'carrier-b']),
        )
      const cases: [string, object, number, RegExp][] = [
        ['pgw-2', { ...other, address: '192.0.2.10' }, 409, /^address is the address of pgw-1/],
        ['pgw-2', { ...other, address: '192.0.2.010' }, 400, /^address must be an IPv4 address/],
        ['pgw-2', { ...other, secret: undefined }, 400, /^secret is missing/],
        ['pgw-2', { ...other, secret: 'quoted"secret' }, 400, /^secret/],
        ['pgw-2', { ...other, secret: 'short' }, 400, /^secret/],
        ['pgw-2', { ...other, secret: 'x'.repeat(129) }, 400, /^secret/],
        [
          'pgw-2',
          { ...other, carriers: { 4401: 'carrier-a' } },
          400,
          /^carriers\.4401 is no country/,
        ],
        [
          'pgw-2',
          { ...other, carriers: { 44010: 'nobody' } },
          400,
          /^carriers\.44010 names no carrier/,
        ],
        [
          'pgw-2',
          { ...other, carriers: table(ELEMENT_CARRIERS_MAX + 1) },
          400,
          /^carriers has more/,
        ],
        ['pgw-2', { ...other, coa_port: 65_536 }, 400, /^coa_port/],
        ['-pgw', other, 404, /nothing at this path/],
        ['x'.repeat(64), other, 404, /nothing at this path/],
      ]
      for (const [name, body, status, message] of cases) {
        const answer = await put(name, body)
        assert.equal(answer.status, status, answer.text)
        assert.match(answer.body.error_msg.split('\n').at(-1), message)
      }
      const widest = { ...other, secret: 'x'.repeat(128), carriers: table(ELEMENT_CARRIERS_MAX) }
      assert.equal((await put('x'.repeat(63), widest)).status, 200)
    })

    test('of a world are applied once, exported sealed, and refused at their place', async (t) => {
      const { operator } = await openCloud(t, { engine })
      const apply = (network_elements: unknown) =>
        operator('POST', '/world', { body: { version: 1, network_elements } })
      const entry = { name: 'pgw-1', ...draft }
      assert.equal((await apply([entry])).body.changes.network_elements.created, 1)
      assert.equal((await apply([entry])).body.changes.network_elements.unchanged, 1)
      const exported = await operator('GET', '/world')
      assert.equal(exported.text.includes(SECRET), false)
      const [sealed] = exported.body.network_elements
      assert.equal((await apply([sealed])).body.changes.network_elements.unchanged, 1)
      const twin = { ...entry, name: 'pgw-2' }
      const wrong = await apply([entry, twin])
      assert.equal(wrong.status, 400)
      assert.match(wrong.body.error_msg, /network_elements\[1\]\.address is the address of pgw-1/)
      const foreign = await apply([{ ...sealed, name: 'pgw-3', address: '192.0.2.30' }])
      assert.match(foreign.body.error_msg, /network_elements\[0\]\.secret was sealed under another/)
    })

    test('are at most as many as may be', async (t) => {
      const { operator } = await openCloud(t, { engine })
      const elements = Array.from({ length: ELEMENTS_MAX }, (_, n) => ({
        ...{ name: `pgw-${n}`, address: `10.0.${Math.floor(n / 250)}.${n % 250}`, secret: SECRET },
      }))
      const apply = (network_elements: unknown) =>
        operator('POST', '/world', { body: { version: 1, network_elements } })
      const one = { name: 'one', address: '10.1.0.1', secret: SECRET }
      assert.match((await apply([...elements, one])).body.error_msg, /\[256\] is one too many/)
      assert.equal((await apply(elements)).body.changes.network_elements.created, ELEMENTS_MAX)
    })
  })
}
