/** What clients have asked of late, and what they were told. */
import type { Readable } from 'node:stream'
import { defineContract } from '../../kernel/contract.ts'
import { Type } from '../../kernel/type.ts'

const summary = {
  serial: Type.String(),
  time: Type.String(),
  method: Type.String(),
  path: Type.String(),
  operation: Type.String(),
  account: Type.Union([Type.String(), Type.Null()]),
  client: Type.Union([Type.String(), Type.Null()]),
  status: Type.Integer(),
  duration_ms: Type.Number(),
}

export const requestContract = defineContract({
  requestList: {
    method: 'GET',
    path: '/requests',
    summary: 'List the requests of late, newest first',
    access: 'operator',
    reply: Type.Object({ requests: Type.Array(Type.Object(summary)) }),
    refuses: {},
  },
  requestRead: {
    method: 'GET',
    path: '/requests/{serial}',
    summary: 'Read one request with its bodies, secrets hidden, and as a curl line',
    access: 'operator',
    params: Type.Object({ serial: Type.String() }),
    reply: Type.Object({
      request: Type.Object({
        ...summary,
        rows_changed: Type.Record(Type.String(), Type.Integer()),
        unread_fields: Type.Array(Type.String()),
        request_body: Type.Unknown(),
        answer_body: Type.Unknown(),
        curl: Type.String(),
      }),
    }),
    refuses: { not_found: 'it is not kept, or not any more' },
  },
  requestArchive: {
    method: 'GET',
    path: '/requests.har',
    summary: 'Read the requests of late as an HTTP archive (HAR), secrets hidden',
    access: 'operator',
    media: 'application/json; charset=utf-8',
    reply: Type.String(),
    refuses: {},
  },
  eventStream: {
    method: 'GET',
    path: '/events',
    summary: 'Follow requests and changes of state as events; Last-Event-ID goes on after that one',
    access: 'operator',
    media: 'text/event-stream',
    reply: Type.Unsafe<Readable>({ type: 'string' }),
    refuses: {},
  },
})
