/** What was written on the command line, as the input of an operation. */
import { readFileSync } from 'node:fs'
import type { AnyInput } from '@kumoi/client'
import type { CommandEntry, Flag } from './command-entry.ts'
import { EXIT, Failure } from './failure.ts'
import { type Options, optionName } from './option-names.ts'

export async function inputOf(
  entry: CommandEntry,
  params: Readonly<Record<string, string>>,
  options: Options,
): Promise<AnyInput> {
  const body = await bodyOf(entry, options)
  const query: Record<string, unknown> = {}
  for (const { flag, value } of givenFlags(entry, options, 'query')) put(query, flag.path, value)
  return {
    params,
    ...(entry.search && { search: searchOf(options) }),
    ...(Object.keys(query).length > 0 && { query }),
    ...(body !== undefined && { body }),
    ...(entry.text && { text: await textOf(options) }),
  }
}

async function bodyOf(entry: CommandEntry, options: Options): Promise<unknown> {
  const flags = givenFlags(entry, options, 'body')
  const hasBody =
    entry.fixed !== undefined || (entry.flags ?? []).some((flag) => flag.in === 'body')
  if (!hasBody) return undefined
  const body: Record<string, unknown> =
    typeof options.body === 'string' ? Object(parseJson('--body', await read(options.body))) : {}
  for (const [path, value] of Object.entries(entry.fixed ?? {})) put(body, path, value)
  for (const { flag, value } of flags) put(body, flag.path, value)
  const missing = (entry.flags ?? []).find((flag) => flag.required && !has(body, flag.path))
  if (missing?.in === 'body') {
    throw new Failure(
      `--${missing.flag} is missing.`,
      EXIT.usage,
      `See kumoi ${entry.noun} ${entry.verb} --help.`,
    )
  }
  return body
}

function givenFlags(entry: CommandEntry, options: Options, where: 'body' | 'query') {
  return (entry.flags ?? [])
    .filter((flag) => flag.in === where && options[optionName(flag.flag)] !== undefined)
    .map((flag) => ({ flag, value: readFlag(flag, options[optionName(flag.flag)]) }))
}

function readFlag({ flag, kind, choices }: Flag, given: unknown): unknown {
  if (Array.isArray(given)) return given.flatMap((one) => String(one).split(','))
  const value = fromFile(`--${flag}`, String(given))
  if (choices !== undefined && !choices.includes(value)) {
    throw new Failure(`--${flag} must be one of ${choices.join(', ')}.`, EXIT.usage)
  }
  if (kind === 'json') return jsonOrText(value)
  if (kind === 'boolean') {
    if (value === 'true' || value === 'false') return value === 'true'
    throw new Failure(`--${flag} must be true or false.`, EXIT.usage)
  }
  if (kind === 'integer' || kind === 'number') {
    const number = value.trim() === '' ? Number.NaN : Number(value)
    if (Number.isFinite(number) && (kind === 'number' || Number.isInteger(number))) return number
    throw new Failure(
      `--${flag} must be ${kind === 'integer' ? 'a whole' : 'a'} number.`,
      EXIT.usage,
    )
  }
  return value
}

/** `@name` stands for what the file holds, `@@` for an at sign. */
function fromFile(flag: string, value: string): string {
  if (!value.startsWith('@')) return value
  return value.startsWith('@@') ? value.slice(1) : readFile(flag, value.slice(1))
}

function jsonOrText(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

/** `Name=web`, `CreatedAt>=2026-04-01`, `Tags=a,b` for any of several, `Count=3` as a number where it is. */
export function searchOf({ filter, sort, include, exclude, from, count }: Options) {
  const conditions = list(filter).map((text) => {
    const [, field, operator = '', value = ''] = /^([^<>=]+)(<=|>=|<|>|=)(.*)$/s.exec(text) ?? []
    if (field === undefined) {
      throw new Failure(`--filter ${text} is not of the form FIELD=VALUE.`, EXIT.usage)
    }
    const key = operator === '=' ? field : `${field}${operator}`
    return [key, operator === '=' && value.includes(',') ? value.split(',') : value] as const
  })
  return {
    ...(from !== undefined && { From: whole('--from', from) }),
    Count: whole('--count', count ?? PAGE),
    ...(sort !== undefined && { Sort: list(sort).flatMap((one) => one.split(',')) }),
    ...(include !== undefined && { Include: list(include).flatMap((one) => one.split(',')) }),
    ...(exclude !== undefined && { Exclude: list(exclude).flatMap((one) => one.split(',')) }),
    ...(conditions.length > 0 && { Filter: Object.fromEntries(conditions) }),
  }
}

/** How many a list shows unless it is told otherwise. */
const PAGE = 100

function list(value: unknown): string[] {
  return value === undefined ? [] : [value].flat().map(String)
}

function whole(flag: string, value: unknown): number {
  if (/^\d{1,9}$/.test(String(value))) return Number(value)
  throw new Failure(`${flag} must be a whole number.`, EXIT.usage)
}

async function textOf({ file }: Options): Promise<string> {
  if (typeof file === 'string') return read(file === '-' ? '-' : `@${file}`)
  throw new Failure('--file is missing; - reads standard input.', EXIT.usage)
}

/** The text itself, `@file` for what the file holds, `-` for standard input. */
async function read(value: string): Promise<string> {
  if (value !== '-') return fromFile('--body', value)
  const { text } = await import('node:stream/consumers')
  return text(process.stdin)
}

function readFile(flag: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new Failure(`${flag}: the file ${file} cannot be read.`, EXIT.usage, undefined, cause)
  }
}

function parseJson(flag: string, value: string): unknown {
  try {
    return JSON.parse(value)
  } catch (cause) {
    throw new Failure(`${flag} is not JSON: ${value.slice(0, 60)}`, EXIT.usage, undefined, cause)
  }
}

function put(target: Record<string, unknown>, path: string, value: unknown): void {
  const [step = '', ...rest] = path.split('.')
  if (rest.length === 0) {
    target[step] = value
    return
  }
  const inner: Record<string, unknown> = { ...Object(target[step]) }
  put(inner, rest.join('.'), value)
  target[step] = inner
}

function has(value: unknown, path: string): boolean {
  const found = path
    .split('.')
    .reduce<unknown>(
      (inner, step) => (inner === undefined ? undefined : Object(inner)[step]),
      value,
    )
  return found !== undefined
}
