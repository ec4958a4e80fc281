/** The settings of ACME, and what they need of each other. */
import type { Name, Value } from './config-sources.ts'
import { ConfigError } from './setting-kinds.ts'

export interface AcmeConfig {
  readonly directory: string
  /** Of the server itself; none where it has a certificate of its own. */
  readonly domains: readonly string[]
  readonly email: string | undefined
  readonly caFile: string | undefined
  readonly httpPort: number | undefined
}

const EXAMPLE = 'https://acme-v02.api.letsencrypt.org/directory'

export function acmeOf(
  one: <N extends Name>(name: N) => Value<N>,
  domains: readonly string[],
): AcmeConfig | undefined {
  const directory = one('acme-directory')
  const [email, caFile] = [one('acme-email') || undefined, one('acme-ca-file') || undefined]
  const httpPort = one('acme-http-port')
  if (directory === undefined) {
    const needing = [
      domains.length > 0 && '--acme-domain',
      email !== undefined && '--acme-email',
      caFile !== undefined && '--acme-ca-file',
      httpPort !== undefined && '--acme-http-port',
    ].find((flag) => flag !== false)
    if (needing === undefined) return undefined
    throw new ConfigError(`${needing} needs --acme-directory, such as ${EXAMPLE}.`)
  }
  if (httpPort === undefined && one('edge-port') === undefined) {
    throw new ConfigError(
      '--acme-directory needs --acme-http-port or --edge-port: the authority asks there, through port 80 of each name.',
    )
  }
  if (domains.length > 0 && one('tls-cert') !== '') {
    throw new ConfigError('--acme-domain and --tls-cert contradict each other.')
  }
  return { directory, domains, email, caFile, httpPort }
}
