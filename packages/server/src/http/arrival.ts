/** What the edge knows of a request before its handler runs. */
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../kernel/caller.ts'
import type { Changes } from '../kernel/changes.ts'
import { stopwatch } from '../kernel/clock.ts'
import type { Operation } from '../kernel/contract.ts'
import type { Language } from '../kernel/errors.ts'
import type { Zone } from '../kernel/zone.ts'
import { languageOf } from './error-body.ts'

export interface Arrival {
  /** Identifies this request in the failure body and in the log. */
  readonly serial: string
  readonly language: Language
  readonly elapsedMs: () => number
  /** As it was sent; the framework is told that all is JSON. */
  readonly contentType: string | undefined
  /** Set when a route was found. */
  operation?: { readonly name: string; readonly operation: Operation }
  zone?: Zone
  /** Set when the credentials are right. */
  caller?: Caller
  /** What the handler has changed; set when it runs. */
  changes?: Changes
  /** Whom a token of its own kind was handed out to. */
  holder?: unknown
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the first hook; see server.ts. */
    arrival: Arrival
  }
}

/** What doors and handlers are told of a request, whichever way it came through the edge. */
export type Incoming = Pick<
  FastifyRequest,
  | 'id'
  | 'method'
  | 'url'
  | 'originalUrl'
  | 'headers'
  | 'params'
  | 'query'
  | 'body'
  | 'socket'
  | 'protocol'
  | 'host'
  | 'arrival'
>

export function newArrival(serial: string, headers: IncomingHttpHeaders): Arrival {
  return { serial, language: languageOf(headers['accept-language']), elapsedMs: stopwatch() }
}

/** The id by which the caller knows its request, when it sent a sensible one; else our serial. */
export function requestIdOf({ headers, id }: Pick<Incoming, 'headers' | 'id'>): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && /^[\x21-\x7e]{1,128}$/.test(given) ? given : id
}
