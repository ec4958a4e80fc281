/**
 * Every setting, in one table: its flag, its `KUMOI_*` variable and its key in the config file have the
 * same name, its help is printed from here, and what is not here is an error.
 */
import { isAddressOrNetwork } from './kernel/address-list.ts'
import type { ClockSetting } from './kernel/controlled-clock.ts'
import { parseDatetime } from './kernel/datetime.ts'
import { parseMailbox } from './kernel/mail-address.ts'
import { parseSmtpAddress } from './kernel/smtp-address.ts'
import {
  ConfigError,
  flag,
  list,
  oneOf,
  parsed,
  parseHostPort,
  port,
  type Setting,
  text,
  whole,
} from './setting-kinds.ts'

/** More processes than one machine has use for; past it a mistyped number would fill the memory. */
export const WORKERS_MAX = 64

export const SETTINGS = {
  host: text('ADDRESS', 'where the API listens, by TLS', '127.0.0.1'),
  port: port('its port; 0 picks one', '8443'),
  prefix: {
    argument: 'PATH',
    help: 'path prefix of the API',
    fallback: '/cloud',
    parse(value: string) {
      if (!/^(\/[\w.~-]+)*$/.test(value)) throw new ConfigError('must be a path such as /cloud')
      return value
    },
  },
  'public-url': {
    argument: 'URL',
    help: 'what addresses in answers begin with [default: from the request]',
    fallback: '',
    parse(value: string) {
      if (value === '') return undefined
      const url = URL.parse(value)
      const plain = url !== null && `${url.protocol}//${url.host}` === value.replace(/\/$/, '')
      if (!plain) throw new ConfigError('must be an origin such as https://cloud.example.jp')
      return value.replace(/\/$/, '')
    },
  },
  'http-port': port('a plain-HTTP listener for tools on this machine, on 127.0.0.1 only', 'off'),
  'mqtt-port': port('where devices connect by MQTT 3.1.1, by TLS; 0 picks one', 'off'),
  'mqtt-plain-port': port('the same without TLS, on 127.0.0.1 only', 'off'),
  'edge-port': port('where the web accelerator delivers, by HTTP; 0 picks one', 'off'),
  'edge-tls-port': port('the same by HTTPS', 'off'),
  'edge-host': text('ADDRESS', 'where it listens', '127.0.0.1'),
  'edge-cache-mb': whole('MIB', 'what its cache may hold in memory', '256', [1, 1_000_000]),
  'edge-cache-dir': text('DIR', 'a folder for more of its cache [default: none]'),
  'edge-cache-disk-mb': parsed(
    'MIB',
    'what its cache may hold there',
    'a whole number from 1 to 100000000',
    (value) => (/^[1-9]\d{0,7}$/.test(value) ? Number(value) : undefined),
  ),
  'edge-ca-file': text('FILE', 'CAs that origins may have their certificates from, PEM'),
  'trust-proxy': list({
    argument: 'CIDR',
    help: 'whose X-Forwarded-* headers count',
    fallback: '',
    parse(value: string) {
      if (!isAddressOrNetwork(value)) {
        throw new ConfigError('must be an address or a network such as 10.0.0.0/8')
      }
      return value
    },
  }),
  'tls-cert': text('FILE', 'certificate chain, PEM [default: made by a local CA]'),
  'tls-key': text('FILE', 'its private key, PEM'),
  'acme-directory': parsed(
    'URL',
    'an authority that certificates are ordered of, by ACME',
    'an https address such as https://acme-v02.api.letsencrypt.org/directory',
    (value) => (URL.parse(value)?.protocol === 'https:' ? value : undefined),
  ),
  'acme-domain': list({
    argument: 'NAME',
    help: 'a name of this server, for its certificate',
    fallback: '',
    parse(value: string) {
      if (!/^(?=.{1,253}$)([a-z0-9-]{1,63}\.)+[a-z][a-z0-9-]{0,62}$/.test(value)) {
        throw new ConfigError('must be a host name such as cloud.example.jp')
      }
      return value
    },
  }),
  'acme-email': text('ADDRESS', 'where the authority writes to'),
  'acme-ca-file': text('FILE', 'CAs that its own certificate may be from, PEM'),
  'acme-http-port': port('where it asks, by plain HTTP; it has to be port 80 outside', 'off'),
  data: text('DIR', 'embedded store, certificates, tokens', './data'),
  memory: flag('keep nothing on disk'),
  database: {
    argument: 'URL',
    help: 'postgres://… instead of the embedded store; several hosts are separated by commas',
    fallback: '',
    parse(value: string) {
      if (value === '') return undefined
      if (!/^postgres(ql)?:\/\/./.test(value)) {
        throw new ConfigError('must be a postgres:// address')
      }
      return value
    },
  },
  'database-pool': whole('N', 'connections of each process to the database', '10', [1, 1000]),
  'database-pool-wait': whole(
    'SECONDS',
    'how long a request waits for a connection before it is 503',
    '5',
    [1, 3600],
  ),
  'database-statement-timeout': whole(
    'SECONDS',
    'how long a statement may run before it is 503; 0 is for ever',
    '30',
    [0, 86_400],
  ),
  'database-lock-timeout': whole(
    'SECONDS',
    'how long a statement waits for a lock before it is 503; 0 is for ever',
    '10',
    [0, 86_400],
  ),
  'database-idle-timeout': whole(
    'SECONDS',
    'how long a transaction may do nothing before the server ends it; 0 is for ever',
    '30',
    [0, 86_400],
  ),
  'database-pooler': flag(
    'the address is that of PgBouncer in transaction mode: no named statements, no state of a session',
  ),
  workers: whole('N', 'processes on one port; more than 1 need --database', '1', [1, WORKERS_MAX]),
  's3-endpoint': {
    argument: 'URL',
    help: 'keep contents of files in an S3-compatible service: its address, such as https://s3.example.jp',
    fallback: '',
    parse(value: string) {
      const url = value === '' ? undefined : URL.parse(value)
      if (url === null || (url && !/^https?:$/.test(url.protocol))) {
        throw new ConfigError('must be an address such as https://s3.example.jp')
      }
      return value.replace(/\/$/, '')
    },
  },
  's3-bucket': text('NAME', 'its bucket'),
  's3-region': text('NAME', 'its region', 'us-east-1'),
  's3-access-key': text('KEY', 'its access key'),
  's3-secret-key': text('KEY', 'the secret of that key'),
  'key-file': text(
    'FILE',
    'key-encryption key, 32 bytes in base64 [default: made in the data folder]',
  ),
  world: list(
    text(
      'FILE',
      'declares accounts, keys …; empty for none [default: a demo world on first start]',
    ),
  ),
  clock: {
    argument: 'CLOCK',
    help: 'real, frozen, frozen@2026-04-01T00:00:00+09:00 or scale:60 [default: as the data has it, else real]',
    fallback: '',
    parse: parseClock,
  },
  'provisioning-seconds': whole(
    'SECONDS',
    'how long a new gateway is being made',
    '3',
    [0, 86_400],
  ),
  'private-targets': parsed(
    'allow|deny',
    'whether addresses that users give may be in our own network [default: allow in dev with policy interface]',
    'allow or deny',
    (value) => (['allow', 'deny'] as const).find((word) => word === value),
  ),
  'smtp-url': {
    ...parsed(
      'URL',
      'mail server for notices: smtp://user:password@host:587 (STARTTLS) or smtps://… [default: none is sent]',
      'an address such as smtps://user:password@mail.example.jp',
      parseSmtpAddress,
    ),
    secret: true,
  },
  'smtp-url-file': text('FILE', 'a file that holds it, so that no command line shows its password'),
  'smtp-tls': parsed(
    'required|off',
    'whether smtp:// must use STARTTLS [default: required, but off on this machine]',
    'required or off',
    (value) => (['required', 'off'] as const).find((word) => word === value),
  ),
  'smtp-ca-file': text('FILE', 'a CA that the mail server may have its certificate from, PEM'),
  'mail-from': parsed(
    'ADDRESS',
    'who sends the notices: noreply@example.jp or "Name <noreply@example.jp>"',
    'a mail address',
    parseMailbox,
  ),
  'sms-transport': oneOf(
    ['outbox', 'kannel', 'http'],
    'what carries short messages: nothing real, Kannel, or an HTTP gateway',
  ),
  'sms-url': {
    argument: 'URL',
    help: 'its address: the sendsms of Kannel, or where the gateway takes messages',
    fallback: '',
    parse(value: string) {
      if (value === '') return undefined
      const url = URL.parse(value)
      const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.search === ''
      // What is written into the address would be shown with it.
      if (!isPlain || url.hash !== '' || url.username !== '' || url.password !== '') {
        throw new ConfigError(
          'must be an http or https address without user, password, query and fragment',
        )
      }
      return value
    },
  },
  'sms-user': text('NAME', 'the user of Kannel’s sendsms'),
  'sms-password-file': text('FILE', 'holds the password of that user'),
  'sms-secret-file': text(
    'FILE',
    'holds what messages to the gateway and its reports are signed with',
  ),
  seed: text('TEXT', 'makes ids, tokens and serials repeatable'),
  mode: oneOf(['dev', 'operate'], 'operate: nothing is made up, all that matters must be given'),
  policy: oneOf(
    ['interface', 'strict'],
    'strict: also refuses what a careful operator of a real network would',
  ),
  profile: text('NAME|FILE', 'words and habits that a set of clients expects', 'interface'),
  'check-answers': flag(
    'hold every answer against its contract, for tests: one that breaks it is 500',
  ),
  'requests-kept': whole(
    'N',
    'most recent requests and changes that the inspector keeps in memory; 0 keeps none',
    '2000',
    [0, 20_000],
  ),
  'fault-header': flag('let a request ask for its own fault by the header X-Kumoi-Fault'),
  'operator-token': text('TOKEN', 'guards the operator API [default: made in the data folder]'),
  'network-token': text(
    'TOKEN',
    'guards what a RADIUS server asks and reports [default: made in the data folder]',
  ),
  'network-token-file': text('FILE', 'a file that holds it, so that no command line shows it'),
  'edge-token': text(
    'TOKEN',
    'guards what edges on other machines ask and report [default: made in the data folder]',
  ),
  'edge-token-file': text('FILE', 'a file that holds it, so that no command line shows it'),
  'radius-coa': parsed(
    'HOST:PORT',
    'a relay that takes Disconnect and CoA for all network elements [default: they get them directly]',
    'a host and a port such as 192.0.2.5:3799',
    parseHostPort,
  ),
  'operator-port': port('a listener of its own for the operator API', 'off'),
  'log-level': oneOf(
    ['info', 'error', 'silent'] as const,
    'of the log on standard error, JSON lines: all requests, faults of the server, or nothing',
  ),
} satisfies Record<string, Setting<unknown>>

function parseClock(value: string): ClockSetting | undefined {
  if (value === '') return undefined
  if (value === 'real') return { mode: 'real' }
  if (value === 'frozen') return { mode: 'frozen', at: undefined }
  const [kind, rest = ''] = value.split(/[@:](.*)/s)
  const at = parseDatetime(rest)
  if (kind === 'frozen' && at !== undefined) return { mode: 'frozen', at }
  const scale = /^\d+(\.\d+)?$/.test(rest) ? Number(rest) : 0
  if (kind === 'scale' && scale > 0 && scale <= 1_000_000) return { mode: 'scale', scale }
  throw new ConfigError('must be real, frozen, frozen@DATETIME or scale:NUMBER')
}
