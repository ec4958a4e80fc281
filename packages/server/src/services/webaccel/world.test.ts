import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { oneKey } from '../../kernel/encryption-key.ts'
import { SecretBox } from '../../kernel/secret-box.ts'
import type { Tx } from '../../storage/database.ts'
import { engines } from '../../testing/engines.ts'
import { openWeb } from '../../testing/webaccel.ts'
import { Vault } from './vault.ts'
import { sitesSection } from './world.ts'

const SITE = {
  account: 'acme',
  Site: {
    ID: '900000001001',
    ...{ Name: 'www', DomainType: 'own_domain', Domain: 'www.example.jp' },
    ...{ OriginType: '0', OriginProtocol: 'https', Origin: 'origin.example.jp' },
  },
}

const section = sitesSection({
  vault: new Vault(new SecretBox(oneKey(Buffer.alloc(32, 7)))),
  ...{ deliveryDomain: 'delivery.example.jp', makeLabel: () => 'label' },
})

/** The database fails at the first question for a site by its id. */
function failing(tx: Tx): Tx {
  let isOver = false
  return new Proxy(tx, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (query: { chunks?: readonly string[] }, ...rest: unknown[]) => {
        const isById = / FROM site\s.*\bid = \?$/s.test(query?.chunks?.join('?') ?? '')
        if (name === 'first' && isById && !isOver) {
          isOver = true
          return Promise.reject(new Error('connection lost'))
        }
        return Reflect.apply(value, target, [query, ...rest])
      }
    },
  })
}

for (const engine of engines) {
  describe(`the sites of a world file on ${engine.name}`, () => {
    test('are not applied when the database fails at a question', async (t) => {
      const { database, clock } = await openWeb(t, { engine })
      const apply = (through: (tx: Tx) => Tx) =>
        database.write((tx) => section.apply([SITE], through(tx), clock.now(), 'replace'))
      await assert.rejects(apply(failing), /connection lost/)
      const made = await apply((tx) => tx)
      assert.equal(made.created, 1)
    })
  })
}
