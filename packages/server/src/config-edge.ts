/** The settings of the edge of the web accelerator in this process. */
import type { Name, Value } from './config-sources.ts'
import { ConfigError } from './setting-kinds.ts'

export interface EdgeConfig {
  readonly host: string
  /** 0 picks one; at least one of the two is there. */
  readonly port: number | undefined
  readonly tlsPort: number | undefined
  readonly cacheMib: number
  readonly disk: { readonly folder: string; readonly mib: number } | undefined
  readonly caFile: string | undefined
}

/** Undefined where no port was asked for. */
export function edgeOf(one: <N extends Name>(name: N) => Value<N>): EdgeConfig | undefined {
  const port = one('edge-port')
  const tlsPort = one('edge-tls-port')
  const folder = one('edge-cache-dir')
  const mib = one('edge-cache-disk-mb')
  if ((folder === '') !== (mib === undefined)) {
    throw new ConfigError('--edge-cache-dir and --edge-cache-disk-mb belong together.')
  }
  const caFile = one('edge-ca-file') || undefined
  if (port === undefined && tlsPort === undefined) {
    if (folder === '' && caFile === undefined) return undefined
    throw new ConfigError(
      '--edge-cache-dir and --edge-ca-file need --edge-port or --edge-tls-port.',
    )
  }
  return {
    ...{ host: one('edge-host'), port, tlsPort, cacheMib: one('edge-cache-mb'), caFile },
    disk: mib === undefined ? undefined : { folder, mib },
  }
}
