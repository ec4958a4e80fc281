/**
 * The console: the files of its build, with headers that allow no other source. They are read with the first
 * request, so that they cost neither time at the start nor memory where nobody opens it.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { NotFound } from '../kernel/errors.ts'
import type { Answer } from './answer.ts'
import type { Exchange } from './exchange.ts'
import type { ApiServer } from './server.ts'

const HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  vary: 'accept-encoding',
}

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

/** The names of assets hold a hash of their content. */
const FOREVER = 'public, max-age=31536000, immutable'

export interface ConsoleSite {
  /** Where the build is; it may be missing. */
  readonly folder: string
  /** What the calls of the interface begin with, if they are answered here. */
  readonly api: string | undefined
  /** Where the operator API is, if it is here. */
  readonly operator: string | undefined
}

interface Asset {
  readonly type: string
  readonly plain: Buffer
  readonly zipped: Buffer
}

type Assets = ReadonlyMap<string, Asset>

export function serveConsole(api: ApiServer, site: ConsoleSite): void {
  let read: Assets | undefined
  const assets = () => {
    read ??= readAssets(site)
    return read
  }
  api.getPage('/', async (exchange) =>
    answerOf(exchange, assets().get('') ?? plainPage(site), 'no-cache'),
  )
  api.getPage('/assets/{name}', async (exchange) => {
    const asset = assets().get(exchange.params.name ?? '')
    if (asset !== undefined) return answerOf(exchange, asset, FOREVER)
    throw new NotFound('There is no such file.', 'ファイルが見つかりません。')
  })
}

function answerOf({ headers }: Exchange, asset: Asset, cache: string): Answer {
  const isZipped = /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''))
  return {
    status: 200,
    media: asset.type,
    headers: {
      ...HEADERS,
      'cache-control': cache,
      ...(isZipped && { 'content-encoding': 'gzip' }),
    },
    body: isZipped ? asset.zipped : asset.plain,
  }
}

/** By name; the page itself has the empty one. All at once, so that a build meanwhile mixes nothing. */
function readAssets({ folder, api = '', operator = '' }: ConsoleSite): Assets {
  try {
    const html = readFileSync(join(folder, 'index.html'), 'utf8')
      .replace('%KUMOI_API%', attribute(api))
      .replace('%KUMOI_OPERATOR%', attribute(operator))
    const files = readdirSync(join(folder, 'assets')).map((name): [string, Asset] => [
      name,
      assetOf(
        TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
        readFileSync(join(folder, 'assets', name)),
      ),
    ])
    return new Map([['', pageOf(html)], ...files])
  } catch {
    // Not built; the interface is served all the same.
    return new Map()
  }
}

function plainPage({ api = '', operator = '' }: ConsoleSite): Asset {
  return pageOf(`<!doctype html>
<html lang="en">
  <head><meta charset="utf-8" /><meta name="color-scheme" content="light dark" /><title>Kumoi</title></head>
  <body>
    <h1>Kumoi</h1>
    <p>The server is up. The console is not built; the log of the start says why.</p>
    <p lang="ja">サーバーは稼働中です。コンソールはビルドされていません。</p>
    <ul><li>API: <code>${attribute(api)}</code></li><li>Operator API: <code>${attribute(operator)}</code></li></ul>
  </body>
</html>
`)
}

function pageOf(html: string): Asset {
  return assetOf('text/html; charset=utf-8', Buffer.from(html))
}

function assetOf(type: string, plain: Buffer): Asset {
  return { type, plain, zipped: gzipSync(plain, { level: 9 }) }
}

function attribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
