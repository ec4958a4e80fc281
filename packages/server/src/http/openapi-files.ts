/**
 * The descriptions of the interface, for tools that read OpenAPI. They are the committed files, read when
 * somebody asks, so that they cost neither time at the start nor memory; only where to call is put in.
 */
import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Family } from '../kernel/contract.ts'
import { originOf } from './origin.ts'

const FOLDER = new URL('../../../../openapi/', import.meta.url)

export function serveOpenApi(
  server: FastifyInstance,
  families: readonly Family[],
  publicUrl: string | undefined,
  prefix: string,
): void {
  for (const { name, root } of families) {
    const answer = async (request: FastifyRequest, reply: FastifyReply) => {
      const document = JSON.parse(await readFile(new URL(`${name}.json`, FOLDER), 'utf8'))
      const url = `${originOf(request, publicUrl)}${root ? '' : prefix}`
      return reply
        .type('application/json; charset=utf-8')
        .header('cache-control', 'no-cache')
        .send(JSON.stringify({ ...document, servers: [{ url }] }))
    }
    server.get(`/openapi/${name}.json`, answer)
    // Where the API has no prefix of its own, the end of every path is taken off (docs/adr/0006).
    server.get(`/openapi/${name}`, answer)
  }
}
