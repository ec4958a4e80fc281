/** Makes the HTTP servers and mounts all operations, each behind the access that it asks for. */
import type { Config } from './config.ts'
import { families } from './contracts.ts'
import {
  type Access,
  type ApiKeyOptions,
  accountAccess,
  apiKeyAccess,
  operatorAccess,
  tokenAccess,
  visitorAccess,
} from './http/auth/access.ts'
import type { IsOwnName } from './http/auth/bearer.ts'
import { DigestAuthenticator } from './http/auth/digest.ts'
import { serveOpenApi } from './http/openapi-files.ts'
import { rateLimit } from './http/rate-limit.ts'
import { ApiServer, type ApiServerOptions } from './http/server.ts'
import { serveConsole } from './http/static.ts'
import type { EncryptionKeys } from './kernel/encryption-key.ts'
import type { Random } from './kernel/random.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { Keys } from './open-keys.ts'
import type { Ports, Secrets, Sources } from './parts.ts'
import type { KeyRing } from './services/account/public.ts'
import type { Context } from './services/context.ts'
import { OPERATOR } from './services/families.ts'
import type { Operations } from './services/module.ts'
import { SettingStore } from './services/settings/public.ts'
import { CallRateStore, useNonce } from './services/webaccel/public.ts'
import type { Database } from './storage/database.ts'

interface Parts extends Pick<ApiServerOptions, 'faults' | 'inspection' | 'audit'> {
  readonly config: Config
  readonly ports: Ports
  readonly database: Database
  readonly secrets: Secrets
  readonly sources: Sources
  readonly keys: Keys
  readonly metrics: Metrics
  readonly operations: readonly Operations[]
}

export interface Servers {
  readonly api: ApiServer
  readonly operatorApi: ApiServer
}

export function openServers(parts: Parts): Servers {
  const { config, ports, metrics, faults, inspection, audit, secrets, sources } = parts
  const { publicUrl, prefix, trustProxy, checkAnswers } = config
  const { zones, words } = sources.profile
  const { beautifyHeader } = words
  // Only there is a world whose key everybody knows, which a page of another site could use.
  const isOwnName = config.mode === 'dev' ? ownNames(parts) : undefined
  const newServer = () =>
    new ApiServer({
      ...{ ...ports, metrics, faults, inspection, prefix, beautifyHeader, checkAnswers, zones },
      ...{ trustProxy, tls: secrets.tls, isOwnName, audit },
    })
  const api = newServer()
  const operatorApi = config.operatorPort === undefined ? api : newServer()
  serveConsoles(sources.consoleFolder, prefix, api, operatorApi)
  const others = families.filter((family) => family !== OPERATOR)
  serveOpenApi(api, others, publicUrl, prefix)
  serveOpenApi(operatorApi, [OPERATOR], publicUrl, prefix)
  const accessFor = accesses(parts)
  for (const mounted of parts.operations) {
    const server = mounted.family === OPERATOR ? operatorApi : api
    server.mount({ ...mounted, access: accessFor(mounted) })
  }
  return { api, operatorApi }
}

function accesses(parts: Parts) {
  const { config, ports, database, secrets, sources, audit } = parts
  const { basic, throttle, ring, uses, requestRates } = parts.keys
  const { clock, random } = ports
  const { bigintHeader } = sources.profile.words
  const { operatorToken: token } = secrets
  const common = { database, clock, audit, publicUrl: config.publicUrl, bigintHeader, throttle }
  const keys = { ...common, basic, noteUse: (token: string) => uses.note(token), requestRates }
  const byKind = {
    key: apiKeyAccess(keys),
    account: accountAccess(keys),
    visitor: visitorAccess(keys),
    operator: operatorAccess({ ...common, token, isOwnName: ownNames(parts) }),
  }
  const withDigest = digestAccess(keys, ring, random, secrets.encryptionKeys)
  return ({ family, access }: Operations): Access<unknown> => {
    if (typeof access === 'function') {
      // Of the network and of edges. Tokens of other families are many, and of devices that share an address.
      return tokenAccess(common, access, family === OPERATOR ? 'infrastructure' : undefined)
    }
    return access === 'key' && family.digest ? withDigest : byKind[access]
  }
}

/** Basic and Digest, and a limit of calls an hour. Any process can judge a nonce that another gave out. */
function digestAccess(
  options: ApiKeyOptions,
  ring: KeyRing,
  random: Random,
  encryptionKeys: EncryptionKeys,
): Access<Context> {
  const { database, clock, throttle } = options
  const now = () => clock.now()
  const calls = new CallRateStore(database)
  const countCall = rateLimit({
    now,
    callsPerHour: () => database.read((tx) => new SettingStore(tx).get('webaccel_calls_per_hour')),
    take: (accountId, limit, at) => calls.take(accountId, limit, at),
  })
  const digest = new DigestAuthenticator({
    ...{ keys: encryptionKeys.map(({ bytes }) => bytes), random, now, throttle },
    verify: (token, isRight) =>
      ring.verifyBy(database, token, ({ ha1Md5, ha1Sha256 }) =>
        isRight({ MD5: ha1Md5, 'SHA-256': ha1Sha256 }),
      ),
    use: (nonce, count, expiresAt) => useNonce(database, nonce, count, expiresAt, now()),
  })
  return apiKeyAccess({ ...options, digest, countCall })
}

/** A page may call its own origin alone, so that each listener has one for what it answers. */
function serveConsoles(
  folder: string,
  prefix: string,
  api: ApiServer,
  operatorApi: ApiServer,
): void {
  const isOne = api === operatorApi
  const operator = OPERATOR.base
  serveConsole(api, { folder, api: prefix, operator: isOne ? operator : undefined })
  if (!isOne) serveConsole(operatorApi, { folder, api: undefined, operator })
}

/** The names under which the server may be called, besides addresses and localhost. */
function ownNames({ config, secrets, sources }: Parts): IsOwnName {
  const { host, publicUrl } = config
  const names = new Set([
    host,
    publicUrl && URL.parse(publicUrl)?.hostname,
    ...sources.profile.hosts,
  ])
  const { tls } = secrets
  return (name) => names.has(name) || tls?.leaf.checkHost(name) !== undefined
}
