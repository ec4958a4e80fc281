import { isSameSecret } from '../../kernel/constant-time.ts'
import type { Handlers } from '../../kernel/contract.ts'
import { BadRequest, NotFound, Unauthorized } from '../../kernel/errors.ts'
import type { Identify, OperatorContext, TokenContext } from '../context.ts'
import type { DatabaseEdges } from './database-edges.ts'
import type { edgeContract, edgeFeedContract } from './edge-contract.ts'
import { EdgeFeedStore } from './edge-feed-store.ts'
import { isLive } from './edge-rules.ts'
import { EdgeStore } from './edge-store.ts'
import { edgeToWire } from './edge-wire.ts'

export function edgeHandlers(now: () => Date): Handlers<typeof edgeContract, OperatorContext> {
  return {
    edgeList: (_input, { database }) =>
      database.read(async (tx) => {
        const { version } = await new EdgeFeedStore(tx).state()
        const edges = await new EdgeStore(tx).list()
        return {
          version,
          edges: edges.map((edge) => edgeToWire(edge, isLive(edge, now()), version, now())),
        }
      }),

    edgeDelete: ({ params }, { database }) =>
      database.write(async (tx) => {
        if (await new EdgeStore(tx).delete(params.edge_id)) return {}
        throw new NotFound(
          `There is no edge ${params.edge_id}.`,
          `エッジ ${params.edge_id} はありません。`,
        )
      }),
  }
}

/** The token of edges, not the operator's: it is on their machines. */
export function identifyEdge(token: string): Identify<undefined> {
  return async ({ bearer }) => {
    if (bearer !== undefined && isSameSecret(bearer, token)) return undefined
    throw new Unauthorized(
      'The edge token is missing or wrong.',
      'エッジトークンがないか、正しくありません。',
    )
  }
}

export function edgeFeedHandlers(
  edges: DatabaseEdges,
  findAnswer: ((token: string) => Promise<string | undefined>) | undefined,
): Handlers<typeof edgeFeedContract, TokenContext<undefined>> {
  return {
    edgeChanges({ params, body }) {
      checkTime('status.startedAt', body.status.startedAt)
      return edges.changes({ ...body.status, id: params.edge_id }, body.since ?? undefined, true)
    },

    async edgeReport({ params, body }) {
      body.usage.forEach(({ hour }, index) => {
        checkTime(`usage[${index}].hour`, hour)
      })
      await edges.report(params.edge_id, body.sequence, body.usage)
      return {}
    },

    async edgeAnswer({ params, body }) {
      await edges.answer(params.edge_id, body.probeVersion, body.answer)
      return {}
    },

    edgeChallenge: async ({ body }) => ({ answer: (await findAnswer?.(body.challenge)) ?? null }),

    async edgeLeave({ params }) {
      await edges.leave(params.edge_id)
      return {}
    },
  }
}

/** The schema knows the form; whether there is such a day is found out here. */
function checkTime(field: string, text: string): void {
  if (!Number.isNaN(Date.parse(text))) return
  throw new BadRequest(
    `${field} must be a time such as 2026-04-01T00:00:00Z.`,
    `${field} は 2026-04-01T00:00:00Z のような時刻です。`,
  )
}
