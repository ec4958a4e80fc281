/** A sample of the sequences, and that the model finds what it should. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { onSqlite } from '../../packages/server/src/testing/engines.ts'
import { openCloudTarget } from './cloud-target.ts'
import type { Request } from './command.ts'
import type { Answer } from './compare.ts'
import { type Kind, model, proveModel } from './model.ts'
import { newCounts, run } from './sequence.ts'
import { lineOf } from './shrink.ts'
import type { Target } from './target.ts'

const SEED = 29

test('a sample of sequences agrees with the model', async (t) => {
  const log = (text: string) => t.diagnostic(text)
  const { figures, violations } = await model.run({ seed: SEED, size: 'sample', folder: '', log })
  assert.deepEqual(violations, [])
  const figure = (name: string) => Number(figures.find((one) => one.name === name)?.value)
  assert.ok(figure('Steps') > 1500)
  for (const name of ['Restarts', 'Kills', 'Lost answers', 'Two at once'])
    assert.ok(figure(name) > 0, name)
})

test('the same seed sends the same bytes', async () => {
  const bytes = async () => {
    const target = await openCloudTarget(onSqlite, SEED)
    const sent: string[] = []
    const steps = Array.from({ length: 300 }, (_, step) => step)
    await run({ seed: SEED, steps }, target, newCounts(), (request) => {
      sent.push(lineOf(request))
      return undefined
    })
    await target.close()
    return sent
  }
  const first = await bytes()
  assert.ok(first.length > 300)
  assert.deepEqual(await bytes(), first)
})

/** A server between the model and the real one, which does something wrong. */
function wrong(
  begin: () => (request: Request, send: Target['send']) => Promise<Answer | undefined>,
): Kind {
  return {
    ...{ name: 'broken', sequences: { full: 1, sample: 1 }, length: 600 },
    async open(seed) {
      const target = await openCloudTarget(onSqlite, seed)
      const answer = begin()
      return { ...target, send: (request) => answer(request, target.send) }
    },
  }
}

const isActivation = ({ path }: Request) => path.endsWith('/sim/activate')
const statusOf = ({ path }: Request) => path.replace('/activate', '/status')

describe('a server that is wrong is found, with the few requests that it takes', () => {
  const cases: Record<string, Kind> = {
    'loses a write': wrong(() => async (request, send) => {
      if (!isActivation(request)) return send(request)
      const read = await send({ ...request, method: 'GET', path: statusOf(request) })
      const isLost = read?.body.sim?.activated === false
      return isLost ? { status: 200, body: { is_ok: true } } : send(request)
    }),
    'does one twice': wrong(() => async (request, send) => {
      if (request.method === 'POST' && request.path.endsWith('/appliance')) await send(request)
      return send(request)
    }),
    'shows an old value': wrong(() => {
      const old = new Map<string, Answer>()
      return async (request, send) => {
        const answer = await send(request)
        if (!request.path.endsWith('/sim/status') || answer?.status !== 200) return answer
        const first = old.get(request.path) ?? answer
        old.set(request.path, first)
        return first
      }
    }),
  }
  for (const [name, kind] of Object.entries(cases)) {
    test(name, async (t) => {
      const { violations } = await proveModel({ seed: SEED, size: 'sample', log: () => {} }, [kind])
      const [first = ''] = violations
      t.diagnostic(first)
      assert.match(first, /sequence \d+, step \d+: \w+: /)
      assert.ok(first.split('\n').length < 30, 'it is short')
    })
  }
})

test('what does not happen again is shown with what was sent and answered', async () => {
  let opened = 0
  const once = wrong(() => {
    opened += 1
    const isWrong = opened === 1
    return async (request, send) => {
      const answer = await send(request)
      return isWrong && isActivation(request) ? { status: 500, body: {} } : answer
    }
  })
  const { violations } = await proveModel({ seed: SEED, size: 'sample', log: () => {} }, [once])
  const [first = ''] = violations
  assert.match(first, /It did not happen again; so it was sent and answered:/)
  assert.match(first, /sim\/activate .* -> 500 {}$/)
  assert.match(first, /\/commonserviceitem .* -> 201 {"/)
})
