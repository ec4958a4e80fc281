/** The kinds of settings: how a value is written, and what is wrong with one that is not. */

export class ConfigError extends Error {}

export interface Setting<Value> {
  /** What stands after the flag in the help; a switch has none. */
  readonly argument?: string
  readonly help: string
  readonly fallback: string
  readonly repeatable?: true
  /** It holds a secret: a message about it does not repeat what was given. */
  readonly secret?: true
  /** Throws a ConfigError that says what is wanted. */
  parse(text: string): Value
}

export const text = (argument: string, help: string, fallback = ''): Setting<string> => ({
  argument,
  help,
  fallback,
  parse: (value) => value,
})

export const oneOf = <const Word extends string>(
  words: readonly Word[],
  help: string,
): Setting<Word> => ({
  argument: words.join('|'),
  help,
  fallback: words[0] ?? '',
  parse(value) {
    const word = words.find((candidate) => candidate === value)
    if (word === undefined) throw new ConfigError(`must be one of ${words.join(', ')}`)
    return word
  },
})

export const flag = (help: string): Setting<boolean> => ({
  help,
  fallback: 'false',
  parse(value) {
    if (value !== 'true' && value !== 'false') throw new ConfigError('must be true or false')
    return value === 'true'
  },
})

/** `off` is undefined; 0 lets the system choose. */
export const port = (help: string, fallback: string): Setting<number | undefined> => ({
  argument: 'PORT',
  help,
  fallback,
  parse(value) {
    if (value === 'off' && fallback === 'off') return undefined
    const number = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN
    if (!(number <= 65535)) throw new ConfigError('must be a port from 0 to 65535')
    return number
  },
})

export const whole = (
  argument: string,
  help: string,
  fallback: string,
  [min, max]: readonly [number, number],
): Setting<number> => ({
  argument,
  help,
  fallback,
  parse(value) {
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
    if (!(number >= min && number <= max)) {
      throw new ConfigError(`must be a whole number from ${min} to ${max}`)
    }
    return number
  },
})

/** Undefined when it is not given; `parse` answers undefined to what it does not take. */
export const parsed = <Value>(
  argument: string,
  help: string,
  wanted: string,
  parse: (text: string) => Value | undefined,
): Setting<Value | undefined> => ({
  argument,
  help,
  fallback: '',
  parse(value) {
    const result = value === '' ? undefined : parse(value)
    if (result === undefined && value !== '') throw new ConfigError(`must be ${wanted}`)
    return result
  },
})

export const list = <Value>(item: Setting<Value>): Setting<Value> & { repeatable: true } => ({
  ...item,
  repeatable: true,
})

export interface HostPort {
  readonly host: string
  readonly port: number
}

/** The host is a name or an IPv4 address. */
export function parseHostPort(value: string): HostPort | undefined {
  const [, host = '', digits = ''] =
    /^([A-Za-z0-9][A-Za-z0-9.-]{0,252}):(\d{1,5})$/.exec(value) ?? []
  const port = Number(digits)
  return port >= 1 && port <= 65_535 ? { host, port } : undefined
}
