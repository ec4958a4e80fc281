/** The console's page: a few files, read once at start, with headers that let nothing else in. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { FastifyInstance } from 'fastify'

const FILES = [
  { path: '/', file: 'index.html', type: 'text/html; charset=utf-8' },
  { path: '/page.css', file: 'page.css', type: 'text/css; charset=utf-8' },
  { path: '/page.js', file: 'page.js', type: 'text/javascript; charset=utf-8' },
] as const

const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache',
}

/** Not `import.meta.resolve`, which Jest does not have. */
const locate = createRequire(import.meta.url).resolve

export type Page = readonly {
  readonly path: string
  readonly type: string
  readonly content: string
}[]

/** `api` is what the page shows as the base of the API. */
export function readPage(api: string): Page {
  return FILES.map(({ path, file, type }) => ({
    path,
    type,
    content: readFileSync(locate(`@kumoi/console/page/${file}`), 'utf8').replace('%API%', api),
  }))
}

export function servePage(server: FastifyInstance, page: Page): void {
  for (const { path, type, content } of page) {
    server.get(path, (_request, reply) => reply.headers(HEADERS).type(type).send(content))
  }
}
