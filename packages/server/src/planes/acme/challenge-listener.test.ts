import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ChallengeListener } from './challenge-listener.ts'

const TOKEN = 'evaGxfADs6pSRb2LAv9IZf17Dt3juxGJ-PCt92wr-oA'

test('answers what an authority asks for, and nothing else', async (t) => {
  const asked: string[] = []
  const listener = new ChallengeListener(async (token) => {
    asked.push(token)
    return token === TOKEN ? `${token}.thumbprint` : undefined
  })
  t.after(() => listener.close())
  const port = await listener.listen('127.0.0.1', 0)
  const ask = async (path: string, method = 'GET') => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method })
    return { status: response.status, text: await response.text() }
  }
  const folder = '/.well-known/acme-challenge'
  assert.deepEqual(await ask(`${folder}/${TOKEN}`), { status: 200, text: `${TOKEN}.thumbprint` })
  assert.equal((await ask(`${folder}/${TOKEN}x`)).status, 404)
  assert.deepEqual(asked, [TOKEN, `${TOKEN}x`])
  const others = ['/', `${folder}/short`, `${folder}/${TOKEN}/x`, `${folder}/${'x'.repeat(200)}`]
  for (const path of others) assert.equal((await ask(path)).status, 404)
  assert.equal((await ask(`${folder}/${TOKEN}`, 'POST')).status, 404)
  assert.equal(asked.length, 2)
  const taken = new ChallengeListener(async () => undefined)
  await assert.rejects(taken.listen('127.0.0.1', port), /^Error: Cannot listen for ACME on .*\.$/)
})
