/** Where settings are given: flags, `KUMOI_*` variables and the config file. */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { loadYaml } from './kernel/yaml.ts'
import { ConfigError, type Setting } from './setting-kinds.ts'
import { SETTINGS } from './settings.ts'

export type Name = keyof typeof SETTINGS
export type Value<N extends Name> = ReturnType<(typeof SETTINGS)[N]['parse']>

/** The texts that were given for a setting, and who gave them, for the message when one is wrong. */
interface Given {
  readonly from: string
  readonly texts: readonly string[]
}

export type AllGiven = ReadonlyMap<Name, Given>

export function fromFlags(args: readonly string[]) {
  const options = Object.fromEntries(
    names().map((name) => [
      name,
      {
        type: setting(name).argument === undefined ? 'boolean' : 'string',
        multiple: true,
      } as const,
    ]),
  )
  let values: Record<string, unknown>
  try {
    values = parseArgs({
      args: [...args],
      options: {
        ...options,
        config: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
      allowPositionals: false,
    }).values
  } catch (error) {
    const message = error instanceof Error ? error.message.split('. ')[0] : String(error)
    throw new ConfigError(`${message}. See --help.`)
  }
  const given = new Map<Name, Given>()
  for (const name of names()) {
    const texts = values[name]
    if (Array.isArray(texts)) given.set(name, { from: `--${name}`, texts: texts.map(String) })
  }
  return { given, configFile: values.config?.toString(), help: values.help === true }
}

/** Variables that steer the config itself, or the clients that `kumoi env` prints them for. */
const OTHER_VARIABLES: ReadonlySet<string> = new Set([
  'KUMOI_CONFIG',
  'KUMOI_URL',
  'KUMOI_HTTP_URL',
  'KUMOI_OPERATOR_URL',
  'KUMOI_TOKEN',
  'KUMOI_SECRET',
  'KUMOI_ZONE',
  'KUMOI_CA_FILE',
  'KUMOI_NODE_OPTIONS',
])

export function fromEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): AllGiven {
  const known = new Map(names().map((name) => [variableOf(name), name]))
  const given = new Map<Name, Given>()
  for (const [variable, text] of Object.entries(environment)) {
    if (!variable.startsWith('KUMOI_') || text === undefined || OTHER_VARIABLES.has(variable))
      continue
    const name = known.get(variable)
    if (name === undefined)
      throw new ConfigError(`The variable ${variable} is not known. See --help.`)
    given.set(name, { from: variable, texts: setting(name).repeatable ? text.split(',') : [text] })
  }
  return given
}

export function fromFile(file: string): AllGiven {
  let content: unknown
  try {
    content = loadYaml().parse(readFileSync(file, 'utf8')) ?? {}
  } catch (error) {
    const message = error instanceof Error ? error.message.split('\n')[0] : String(error)
    throw new ConfigError(`The config file ${file} cannot be read: ${message}`)
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new ConfigError(`The config file ${file} must hold settings by name.`)
  }
  const given = new Map<Name, Given>()
  for (const [key, value] of Object.entries(content)) {
    const name = names().find((candidate) => candidate === key)
    if (name === undefined) throw new ConfigError(`The setting ${key} in ${file} is not known.`)
    given.set(name, { from: `${key} in ${file}`, texts: [value].flat().map(String) })
  }
  return given
}

export function variableOf(name: string): string {
  return `KUMOI_${name.toUpperCase().replaceAll('-', '_')}`
}

export function names(): Name[] {
  // Object.keys cannot know that the table has no other keys than those of its type.
  return Object.keys(SETTINGS) as Name[]
}

export function setting(name: Name): Setting<unknown> {
  return SETTINGS[name]
}
