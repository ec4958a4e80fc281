/** A cloud with the demo world, as a first start at this time gives it. */
import type { TestContext } from 'node:test'
import { openCloud } from './cloud.ts'
import type { TestEngine } from './engines.ts'

const KEY = { token: 'demo-token', secret: 'demo-secret' }

export async function openDemo(
  t: Pick<TestContext, 'after'>,
  engine: TestEngine,
  start = '2026-11-18T10:30:00+09:00',
) {
  const cloud = await openCloud(t, { engine, start: new Date(start), config: { worlds: [] } })
  const headers = { authorization: `Basic ${btoa(`${KEY.token}:${KEY.secret}`)}` }
  /** The path is below the zone's `{api}`. */
  const read = async (path: string) => {
    const answer = await cloud.inject('GET', `/cloud/zone/is1a/api${path}`, { headers })
    if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`)
    return answer.body
  }
  const items = async (kind: string) =>
    (await read(`/cloud/1.1/commonserviceitem?{"Filter":{"Provider.Class":"${kind}"}}`))
      .CommonServiceItems
  /** Lets the fleet do what is due at this very moment. */
  const settle = () => cloud.clock.advanceTo(cloud.clock.now())
  return { ...cloud, headers, read, items, settle, now: cloud.clock.now() }
}
