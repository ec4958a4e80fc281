/** Caches of Debian in front of an origin, for comparisons: nginx, Varnish and Traffic Server, those that are installed. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../acceptance/ports.ts'
import { type Started, start } from './processes.ts'

export interface CachePeer {
  readonly name: string
  readonly port: number
  /** HTTP/2 with TLS; Varnish has none. */
  readonly tlsPort?: number
  readonly started: Started
  /** Of the process that serves. */
  pid(): number
}

export interface PeerOptions {
  readonly folder: string
  readonly originPort: number
  /** Files, for HTTP/2. */
  readonly tls?: { readonly cert: string; readonly key: string }
}

interface Kind {
  readonly name: string
  readonly program: string
  start(options: PeerOptions): Promise<CachePeer>
}

const KINDS: readonly Kind[] = [
  { name: 'nginx', program: '/usr/sbin/nginx', start: startNginx },
  { name: 'Varnish', program: '/usr/sbin/varnishd', start: startVarnish },
  { name: 'Traffic Server', program: '/usr/bin/traffic_server', start: startTrafficServer },
]

/** One after the other: each is stopped before the next one is asked for. */
export function cachePeers(): readonly Kind[] {
  const missing = KINDS.filter(({ program }) => !existsSync(program))
  for (const { name } of missing) process.stdout.write(`${name} is not installed.\n`)
  return KINDS.filter((kind) => !missing.includes(kind))
}

/** As the suite http-tests/cache-tests runs it, with one process, so that its CPU time is easily read. */
async function startNginx({ folder, originPort, tls }: PeerOptions): Promise<CachePeer> {
  const [port, tlsPort] = [await freePort(), await freePort()]
  const secure = tls && [
    `listen 127.0.0.1:${tlsPort} ssl http2;`,
    `ssl_certificate ${tls.cert}; ssl_certificate_key ${tls.key};`,
  ]
  writeFileSync(
    join(folder, 'nginx.conf'),
    `master_process off; daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
     events { worker_connections 4096; }
     http {
       access_log off; keepalive_requests 1000000000;
       proxy_cache_path ${folder}/cache levels=1:2 keys_zone=cache:8m max_size=1000m inactive=600m;
       proxy_temp_path ${folder}/temporary; client_body_temp_path ${folder}/bodies;
       server {
         listen 127.0.0.1:${port};
         ${secure?.join('\n') ?? ''}
         location / {
           proxy_pass http://127.0.0.1:${originPort};
           proxy_cache cache;
           proxy_cache_revalidate on;
         }
       }
     }`,
  )
  const started = await start({
    program: '/usr/sbin/nginx',
    args: ['-p', folder, '-e', join(folder, 'error.log'), '-c', join(folder, 'nginx.conf')],
    until: /^/,
  })
  return { name: 'nginx', port, ...(tls && { tlsPort }), started, pid: () => started.pid }
}

/** Nothing is fresh, nor served stale, that the origin did not say to be. */
async function startVarnish({ folder, originPort }: PeerOptions): Promise<CachePeer> {
  const port = await freePort()
  const started = await start({
    program: '/usr/sbin/varnishd',
    args: [
      ...['-F', '-j', 'none', '-n', join(folder, 'work'), '-a', `127.0.0.1:${port}`],
      ...['-b', `127.0.0.1:${originPort}`, '-s', 'malloc,256m'],
      ...['-p', 'default_ttl=0', '-p', 'default_grace=0'],
    ],
    until: /Child launched|said Child starts/i,
  })
  return { name: 'Varnish', port, started, pid: () => childOf(started.pid) }
}

/** The settings of the suite http-tests/cache-tests, which asks for an explicit lifetime. */
async function startTrafficServer(options: PeerOptions): Promise<CachePeer> {
  const { folder, originPort, tls } = options
  const [port, tlsPort] = [await freePort(), await freePort()]
  const [etc, run, log, cache] = ['etc', 'run', 'log', 'cache'].map((name) => {
    const path = join(folder, name)
    mkdirSync(path, { recursive: true })
    return path
  })
  const write = (name: string, text: string) => writeFileSync(join(etc ?? '', name), text)
  writeFileSync(
    join(folder, 'runroot.yaml'),
    `prefix: /usr\nexec_prefix: /usr\nbindir: /usr/bin\nsbindir: /usr/bin\nsysconfdir: ${etc}\n` +
      `datadir: ${cache}\nincludedir: /usr/include\nlibdir: /usr/lib/trafficserver\n` +
      `libexecdir: /usr/lib/trafficserver/modules\nlocalstatedir: ${run}\nruntimedir: ${run}\n` +
      `logdir: ${log}\ncachedir: ${cache}\n`,
  )
  write('storage.config', `${cache} 256M\n`)
  write('remap.config', `map / http://127.0.0.1:${originPort}/\n`)
  write('plugin.config', '')
  write(
    'ssl_multicert.config',
    tls ? `dest_ip=* ssl_cert_name=${tls.cert} ssl_key_name=${tls.key}\n` : '',
  )
  write(
    'ip_allow.yaml',
    'ip_allow:\n  - apply: in\n    ip_addrs: 127.0.0.1\n    action: allow\n    methods: ALL\n',
  )
  write('records.config', records(`${port}${tls ? ` ${tlsPort}:ssl:proto=http2;http` : ''}`))
  const started = await start({
    program: '/usr/bin/traffic_server',
    args: [`--run-root=${folder}`],
    until: /^/,
  })
  return { name: 'Traffic Server', port, ...(tls && { tlsPort }), started, pid: () => started.pid }
}

/** Varnish has a manager, and a child that serves. */
function childOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0])
}

function records(ports: string): string {
  const numbers = {
    'exec_thread.autoconfig': 0,
    'exec_thread.limit': 1,
    'http.insert_request_via_str': 1,
    'http.insert_response_via_str': 0,
    'http.cache.ignore_client_cc_max_age': 1,
    'http.cache.required_headers': 2,
    'http.cache.when_to_revalidate': 0,
    'http.negative_caching_enabled': 0,
    'http.normalize_ae': 1,
    'cache.limits.http.max_alts': 5,
    'log.logging_enabled': 0,
    'url_remap.pristine_host_hdr': 1,
  }
  const lines = Object.entries(numbers).map(
    ([name, value]) => `CONFIG proxy.config.${name} INT ${value}`,
  )
  return [
    `CONFIG proxy.config.http.server_ports STRING ${ports}`,
    'CONFIG proxy.config.admin.user_id STRING #-1',
    ...lines,
    '',
  ].join('\n')
}
