/**
 * The descriptions of the interface, for tools that read OpenAPI. They are the committed files, read when
 * somebody asks, so that they cost neither time at the start nor memory; only where to call is put in.
 */
import { readFile } from 'node:fs/promises'
import type { Family } from '../kernel/contract.ts'
import { JSON_MEDIA } from './answers.ts'
import type { Arrival } from './arrival.ts'
import type { Edge } from './server.ts'

const FOLDER = new URL('../../../../openapi/', import.meta.url)

export function serveOpenApi(
  edge: Edge,
  families: readonly Family[],
  publicUrl: string | undefined,
  prefix: string,
): void {
  for (const { name, root } of families) {
    const answer = async ({ origin }: Arrival) => {
      const document = JSON.parse(await readFile(new URL(`${name}.json`, FOLDER), 'utf8'))
      const url = `${publicUrl ?? origin}${root ? '' : prefix}`
      return {
        status: 200,
        media: JSON_MEDIA,
        headers: { 'cache-control': 'no-cache' },
        body: JSON.stringify({ ...document, servers: [{ url }] }),
      }
    }
    edge.get(`/openapi/${name}.json`, answer)
    // Where the API has no prefix of its own, the end of every path is taken off (docs/adr/0006).
    edge.get(`/openapi/${name}`, answer)
  }
}
