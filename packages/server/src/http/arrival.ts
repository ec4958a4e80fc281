/** What the edge knows of a request before its handler runs. */
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../kernel/caller.ts'
import type { Changes } from '../kernel/changes.ts'
import type { Family, Operation } from '../kernel/contract.ts'
import type { Language } from '../kernel/errors.ts'
import type { Zone } from '../kernel/zone.ts'

export interface Arrival {
  /** Identifies this request in the failure body and in the log. */
  readonly serial: string
  readonly language: Language
  readonly elapsedMs: () => number
  /** As it was sent; the framework is told that all is JSON. */
  readonly contentType: string | undefined
  /** Set when a route was found. */
  operation?: { readonly name: string; readonly operation: Operation }
  /** Whose path it is. */
  family?: Family
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

/** The id by which the caller knows its request, when it sent a sensible one; else our serial. */
export function requestIdOf(request: FastifyRequest): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && /^[\x21-\x7e]{1,128}$/.test(given) ? given : request.id
}
