/**
 * The OpenAPI documents of the interface. They are the committed files, read for each request, so that they
 * cost neither time at the start nor memory; only the address of the server is put in.
 */
import { readFile } from 'node:fs/promises'
import type { Family } from '../kernel/contract.ts'
import { JSON_MEDIA } from './answer.ts'
import type { Exchange } from './exchange.ts'
import type { ApiServer } from './server.ts'

const FOLDER = new URL('../../../../openapi/', import.meta.url)

export function serveOpenApi(
  api: ApiServer,
  families: readonly Family[],
  publicUrl: string | undefined,
  prefix: string,
): void {
  for (const { name, root } of families) {
    const answer = async ({ origin }: Exchange) => {
      const document = JSON.parse(await readFile(new URL(`${name}.json`, FOLDER), 'utf8'))
      const url = `${publicUrl ?? origin}${root ? '' : prefix}`
      return {
        status: 200,
        media: JSON_MEDIA,
        headers: { 'cache-control': 'no-cache' },
        body: JSON.stringify({ ...document, servers: [{ url }] }),
      }
    }
    api.get(`/openapi/${name}.json`, answer)
    // Where the API has no prefix of its own, the end of every path is taken off (docs/requests.md).
    api.get(`/openapi/${name}`, answer)
  }
}
