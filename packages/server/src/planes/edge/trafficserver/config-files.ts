/**
 * The configuration of Traffic Server 9.2. None of it holds a value of a user: paths and numbers are the operator's, and
 * the sites are data of the script (site-data.ts).
 */

export interface Folders {
  readonly root: string
  readonly config: string
  readonly run: string
  readonly log: string
  readonly cache: string
  readonly certificates: string
  /** Of the script. */
  readonly data: string
}

/** For https origins, in the folder of the configuration. */
export const ROOTS_FILE = 'roots.pem'

export interface ConfigOptions {
  readonly folders: Folders
  readonly host: string
  readonly port: number | undefined
  readonly tlsPort: number | undefined
  readonly memoryBytes: number
  readonly diskBytes: number
  readonly allowsPrivateOrigins: boolean
}

const MIB = 1024 * 1024
/** It refuses to start with less. */
const DISK_MIN_MIB = 64

/** By file name, below the folder of the configuration. */
export function configFiles(options: ConfigOptions): Readonly<Record<string, string>> {
  const { folders, diskBytes } = options
  const disk = Math.max(DISK_MIN_MIB, Math.floor(diskBytes / MIB))
  const script = `${folders.data}/kumoi.lua`
  return {
    'records.config': records(options),
    'storage.config': `${folders.cache} ${disk}M\n`,
    // A script that fails leaves the request to a name that nobody has.
    'remap.config':
      'map / http://kumoi.invalid/ @plugin=tslua.so @pparam=--states=8 ' +
      `@pparam=${script} @pparam=${folders.data}\n`,
    'plugin.config': '',
    'logging.yaml': LOGGING,
    'ip_allow.yaml': ipAllow(options.allowsPrivateOrigins),
  }
}

/** It has its programs where Debian has them, and all else below our folder. */
export function runroot({ config, run, log, cache }: Folders): string {
  const places = {
    ...{ prefix: '/usr', exec_prefix: '/usr', bindir: '/usr/bin', sbindir: '/usr/bin' },
    ...{ sysconfdir: config, datadir: cache, includedir: '/usr/include' },
    ...{ libdir: '/usr/lib/trafficserver', libexecdir: '/usr/lib/trafficserver/modules' },
    ...{ localstatedir: run, runtimedir: run, logdir: log, cachedir: cache },
  }
  return Object.entries(places)
    .map(([name, path]) => `${name}: ${path}\n`)
    .join('')
}

function records(options: ConfigOptions): string {
  const numbers = {
    'http.insert_client_ip': 0,
    'http.insert_squid_x_forwarded_for': 0,
    'http.insert_request_via_str': 1,
    'http.insert_response_via_str': 1,
    // No heuristics but those that a site's DefaultCacheTTL sets.
    'http.cache.required_headers': 2,
    'http.cache.when_to_revalidate': 0,
    'http.cache.ignore_client_cc_max_age': 1,
    'http.negative_caching_enabled': 0,
    'cache.limits.http.max_alts': 20,
    'cache.ram_cache.size': options.memoryBytes,
    'url_remap.pristine_host_hdr': 1,
    'url_remap.remap_required': 1,
    'log.logging_enabled': 3,
    'log.max_secs_per_buffer': 1,
    'log.periodic_tasks_interval': 1,
    'log.rolling_enabled': 2,
    'log.rolling_size_mb': 10,
    // We delete what we have counted.
    'log.auto_delete_rolled_files': 0,
  }
  const texts = {
    'http.server_ports': serverPorts(options),
    'http.server_session_sharing.match': 'both',
    'admin.user_id': '#-1',
    crash_log_helper: 'NULL',
    'ssl.client.verify.server.policy': 'ENFORCED',
    'ssl.client.verify.server.properties': 'ALL',
    'ssl.client.sni_policy': 'remap',
    'ssl.client.CA.cert.path': options.folders.config,
    'ssl.client.CA.cert.filename': ROOTS_FILE,
    'ssl.server.cert.path': options.folders.certificates,
    'ssl.server.private_key.path': options.folders.certificates,
    'http.response_server_str': 'kumoi',
    // It would ask the DNS alone.
    'hostdb.host_file.path': '/etc/hosts',
  }
  return [
    ...Object.entries(texts).map(([name, value]) => `CONFIG proxy.config.${name} STRING ${value}`),
    ...Object.entries(numbers).map(([name, value]) => `CONFIG proxy.config.${name} INT ${value}`),
    '',
  ].join('\n')
}

function serverPorts({ host, port, tlsPort }: ConfigOptions): string {
  const address = host.includes(':') ? `ip-in=[${host}]` : `ip-in=${host}`
  return [
    port !== undefined && `${port}:${address}`,
    tlsPort !== undefined && `${tlsPort}:ssl:${address}:proto=http2;http`,
  ]
    .filter((text) => text !== false)
    .join(' ')
}

/** Strings are escaped as JSON has them, numbers come as text. */
const LOGGING = `logging:
  formats:
    - name: kumoi
      escape: json
      format: '{"site":"%<{@Kumoi-Site}cqh>","cache":"%<{@Kumoi-Cache}cqh>","host":"%<{@Kumoi-Host}cqh>","time":"%<cqtq>","address":"%<chi>","method":"%<cqhm>","target":"%<cquup>","version":"%<cqhv>","status":"%<pssc>","bytes":"%<psql>","code":"%<crc>","referer":"%<{Referer}cqh>","agent":"%<{User-Agent}cqh>","ms":"%<ttms>"}'
  logs:
    - filename: access
      format: kumoi
      mode: ascii
`

/** What has a special purpose in the registries of IANA. */
const PRIVATE_NETWORKS = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15'],
  ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/3'],
  ...['::/3', '2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20', '4000::/2', '8000::/1'],
]

/** The rules for origins are compared with the address that is connected to. */
function ipAllow(allowsPrivateOrigins: boolean): string {
  const rule = (apply: string, networks: readonly string[], methods: string) =>
    [
      `  - apply: ${apply}`,
      `    ip_addrs: [${networks.map((network) => `'${network}'`).join(', ')}]`,
      '    action: deny',
      `    methods: ${methods}\n`,
    ].join('\n')
  const everybody = rule('in', ['0.0.0.0/0', '::/0'], '[CONNECT, PURGE, PUSH, TRACE]')
  const origins = allowsPrivateOrigins ? '' : rule('out', PRIVATE_NETWORKS, 'ALL')
  return `ip_allow:\n${everybody}${origins}`
}
