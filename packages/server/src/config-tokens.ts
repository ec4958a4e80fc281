/** Tokens of other programs: given as they are, or by a file that holds one. */
import type { Name, Value } from './config-sources.ts'
import { ConfigError } from './setting-kinds.ts'

export type TokenConfig = string | { readonly file: string }

export function tokenOf(
  name: 'network-token' | 'edge-token',
  one: <N extends Name>(name: N) => Value<N>,
): TokenConfig | undefined {
  const token = one(name)
  const file = one(`${name}-file`)
  if (token !== '' && file !== '') {
    throw new ConfigError(`--${name} and --${name}-file contradict each other.`)
  }
  if (/\s/.test(token)) throw new ConfigError(`--${name} must have no spaces.`)
  return file === '' ? token || undefined : { file }
}
