/** An edge of a test that calls the server by itself, as `kumoi edge` does. */
import type { EdgeStatus } from '../services/webaccel/public.ts'
import { type Answer, EDGE_TOKEN, type TestCloud } from './cloud.ts'

export const EDGE_STATUS: Omit<EdgeStatus, 'id'> = {
  name: 'Tokyo 1',
  engine: 'embedded',
  softwareVersion: '1.0.0',
  startedAt: '2026-04-01T00:00:00Z',
  ...{ cacheBytes: 10, cacheObjects: 2, hits: 3, misses: 4 },
}

export interface TestEdge {
  changes(since: number | null): Promise<Answer>
  report(sequence: number, usage: readonly object[]): Promise<Answer>
  call(path: string, body?: object, token?: string): Promise<Answer>
}

export function newEdge({ inject }: Pick<TestCloud, 'inject'>, id = 'edge-1'): TestEdge {
  const call: TestEdge['call'] = (path, body, token = EDGE_TOKEN) =>
    inject('POST', `/_kumoi/v1/edges/${id}${path}`, {
      headers: { authorization: `Bearer ${token}` },
      ...(body && { body }),
    })
  return {
    call,
    changes: (since) => call('/changes', { status: { ...EDGE_STATUS, name: id }, since }),
    report: (sequence, usage) => call('/reports', { sequence, usage }),
  }
}
