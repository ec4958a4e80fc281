/**
 * JSON Schema as the text of a TypeScript type. Only what contracts use is known: a word that is not is an
 * error, so that a type never says less than the schema without anybody noticing.
 */
import type { Json } from './json.ts'

/** Turns an object schema into a name where it has one; `key` is the member that it stands under. */
export type NameOf = (schema: Json, key: string) => string | undefined

export function typeText(schema: Json, key: string, indent: string, nameOf: NameOf): string {
  if (schema.const !== undefined) return literal(schema.const)
  if (Array.isArray(schema.enum)) return union(schema.enum.map(literal))
  const alternatives = schema.anyOf ?? schema.oneOf
  if (Array.isArray(alternatives)) {
    return union(alternatives.map((one) => typeText(one, key, indent, nameOf)))
  }
  if (Array.isArray(schema.allOf)) {
    return schema.allOf.map((one) => typeText(one, key, indent, nameOf)).join(' & ')
  }
  if (schema.not !== undefined) return 'never'
  if (Array.isArray(schema.type)) return union(schema.type.map(scalar))
  if (schema.type === 'array') return arrayText(schema, key, indent, nameOf)
  if (schema.type === 'object') {
    return nameOf(schema, key) ?? objectText(schema, indent, nameOf)
  }
  return schema.type === undefined ? 'unknown' : scalar(schema.type)
}

export function objectText(schema: Json, indent: string, nameOf: NameOf): string {
  const patterns = Object.values(Object(schema.patternProperties))
  const further = patterns[0] ?? schema.additionalProperties
  const members = Object.entries<Json>(Object(schema.properties))
  if (members.length === 0) {
    const values = isSchema(further) ? typeText(further, '', indent, nameOf) : 'unknown'
    return schema.additionalProperties === false
      ? 'Record<string, never>'
      : `Record<string, ${values}>`
  }
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : []
  const inner = `${indent}  `
  const lines = members.map(([name, member]) => {
    const mark = required.includes(name) ? '' : '?'
    return `${memberName(name)}${mark}: ${typeText(member, name, inner, nameOf)}`
  })
  const short = `{ ${lines.join('; ')} }`
  if (short.length <= SHORT_LENGTH && !short.includes('\n')) return short
  return `{\n${lines.map((line) => `${inner}${line}\n`).join('')}${indent}}`
}

/** What is read at a glance stays in one line. */
const SHORT_LENGTH = 72

function arrayText(schema: Json, key: string, indent: string, nameOf: NameOf): string {
  if (!isSchema(schema.items)) throw new Error(`${key}: a list without the form of its elements.`)
  const element = typeText(schema.items, singular(key), indent, nameOf)
  const isOne = /^\w+$/.test(element) || schema.items.type === 'object'
  return isOne ? `readonly ${element}[]` : `readonly (${element})[]`
}

const SCALARS: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

function scalar(type: unknown): string {
  const text = SCALARS[String(type)]
  if (text === undefined) throw new Error(`There is no type for ${JSON.stringify(type)}.`)
  return text
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll(/['\\]/g, '\\$&')}'` : String(value)
}

function union(texts: readonly string[]): string {
  return [...new Set(texts)].join(' | ')
}

export function memberName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name)
}

/** `Sites` are each a `Site`, `Switches` each a `Switch`. */
function singular(key: string): string {
  if (/(ch|sh|ss|x)es$/.test(key)) return key.slice(0, -2)
  return key.endsWith('s') && !key.endsWith('ss') ? key.slice(0, -1) : key
}

function isSchema(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
