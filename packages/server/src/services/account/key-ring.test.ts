import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { oneKey } from '../../kernel/encryption-key.ts'
import { Conflict, NotFound } from '../../kernel/errors.ts'
import { parseId } from '../../kernel/ids.ts'
import { systemRandom } from '../../kernel/random.ts'
import { keyIdOf, SecretBox } from '../../kernel/secret-box.ts'
import { raw } from '../../storage/sql.ts'
import { engines, TEST_NOW, type TestEngine } from '../../testing/engines.ts'
import { NO_LIMITS } from './key-limit-rules.ts'
import { KeyRing } from './key-ring.ts'
import type { Account } from './rules.ts'
import { AccountStore, KeyStore } from './store.ts'
import { makeVerifier, type Verifier } from './verifier.ts'

const id = parseId<'account'>('900000000001')
assert.ok(id)
const account: Account = {
  id,
  code: 'acme',
  name: 'Acme',
  class: 'account',
  member: { code: 'mem00001', class: 'member' },
  createdAt: TEST_NOW,
}
const draft = { permission: 'arrange', external: ['bill'] } as const

async function open(t: TestContext, engine: TestEngine) {
  const database = await engine.open()
  t.after(() => database.close())
  await database.write((tx) => new AccountStore(tx).insert(account))
  let changes = 0
  const ring = new KeyRing(new SecretBox(oneKey(Buffer.alloc(32, 1))), systemRandom, () => {
    changes += 1
  })
  return { database, ring, changes: () => changes }
}

for (const engine of engines) {
  describe(`KeyRing on ${engine.name}`, () => {
    test('recognises the secret it made, and no other', async (t) => {
      const { database, ring } = await open(t, engine)
      const { key, secret } = await database.write((tx) => ring.make(tx, account, draft, TEST_NOW))
      assert.ok(Buffer.from(secret, 'base64url').length >= 20, 'at least 160 bits')
      assert.deepEqual(await ring.verify(database, key.token, secret), {
        accountId: account.id,
        accountCode: 'acme',
        token: key.token,
        permission: 'arrange',
        external: ['bill'],
      })
      for (const wrong of ['', `${secret}x`, secret.toUpperCase()]) {
        assert.equal(await ring.verify(database, key.token, wrong), undefined)
      }
      assert.equal(await ring.verify(database, 'nobody', secret), undefined)
      assert.equal(await ring.verify(database, '', ''), undefined)
    })

    test('opens and compares a verifier also for an unknown token, which none is right for', async (t) => {
      const { database, ring } = await open(t, engine)
      const { key } = await database.write((tx) => ring.make(tx, account, draft, TEST_NOW))
      const lengths: number[][] = []
      const right = (verifier: Verifier) => {
        lengths.push(Object.values(verifier).map((hash) => hash.length))
        return true
      }
      assert.ok(await ring.verifyBy(database, key.token, right))
      assert.equal(await ring.verifyBy(database, 'nobody', right), undefined)
      assert.equal(await ring.verifyBy(database, '', right), undefined)
      assert.deepEqual(lengths, Array(3).fill([64, 32, 64]))
    })

    test('seals a secret of an older export under the newest key', async (t) => {
      const { database } = await open(t, engine)
      const old = oneKey(Buffer.alloc(32, 1))
      const box = new SecretBox([{ id: 'new', bytes: Buffer.alloc(32, 2) }, ...old])
      const ring = new KeyRing(box, systemRandom, () => undefined)
      const verifier = JSON.stringify(makeVerifier('exported', 'secret'))
      const sealed = new SecretBox(old).seal(verifier, 'api_key exported')
      const key = {
        ...NO_LIMITS,
        ...draft,
        token: 'exported',
        accountId: account.id,
        createdAt: TEST_NOW,
      }
      await database.write((tx) => ring.add(tx, key, { sealed }))
      const stored = await database.read((tx) => new KeyStore(tx).find('exported'))
      assert.equal(keyIdOf(stored?.verifier ?? ''), 'new')
      assert.ok(await ring.verify(database, 'exported', 'secret'))
    })

    test('stores neither the secret nor a plain hash of it', async (t) => {
      const { database, ring } = await open(t, engine)
      const { secret } = await database.write((tx) => ring.make(tx, account, draft, TEST_NOW))
      const rows = await database.read((tx) => tx.all(raw('SELECT * FROM api_key')))
      const stored = JSON.stringify(rows)
      assert.ok(!stored.includes(secret))
      assert.doesNotMatch(stored, /[0-9a-f]{64}/)
    })

    test('ends the old secret when it makes a new one, and says that keys have changed', async (t) => {
      const { database, ring, changes } = await open(t, engine)
      const made = await database.write((tx) => ring.make(tx, account, draft, TEST_NOW))
      const rotated = await database.write((tx) => ring.rotate(tx, account, made.key.token))
      assert.equal(changes(), 1)
      assert.equal(await ring.verify(database, made.key.token, made.secret), undefined)
      assert.ok(await ring.verify(database, made.key.token, rotated.secret))
      await database.write((tx) => ring.revoke(tx, account, made.key.token))
      assert.equal(changes(), 2)
      assert.equal(await ring.verify(database, made.key.token, rotated.secret), undefined)
    })

    test('refuses a taken token and one that is not of the account', async (t) => {
      const { database, ring } = await open(t, engine)
      const { key } = await database.write((tx) => ring.make(tx, account, draft, TEST_NOW))
      await assert.rejects(
        database.write((tx) => ring.add(tx, key, 'x')),
        Conflict,
      )
      const otherId = parseId<'account'>('900000000002')
      assert.ok(otherId)
      const other = { ...account, id: otherId }
      await assert.rejects(
        database.write((tx) => ring.rotate(tx, other, key.token)),
        NotFound,
      )
      await assert.rejects(
        database.write((tx) => ring.revoke(tx, other, key.token)),
        NotFound,
      )
    })
  })
}
