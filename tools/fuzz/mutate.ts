/** Turns a valid call into one that is at a limit, broken or hostile, in one to three places. */
import { fitting, outside } from './boundary.ts'
import { type Call, operations } from './call.ts'
import { generate, type Shape } from './generator.ts'
import {
  HOSTILE_BODIES,
  HOSTILE_HEADERS,
  HOSTILE_QUERIES,
  HOSTILE_TEXTS,
  HOSTILE_VALUES,
  HUGE_BODIES,
} from './hostile.ts'
import { Choices } from './random.ts'
import type { Pool } from './step.ts'

type Mutation = (call: Call, choices: Choices, pool: Pool) => Call

export function mutate(call: Call, choices: Choices, pool: Pool): Call {
  // Alone, so that nothing else is refused: what is at a limit fits, one past it does not.
  if (choices.oneIn(4)) return boundary(call, choices, pool)
  let mutant = call
  for (let left = 1 + choices.below(3); left > 0; left -= 1) {
    mutant = choices.pick(mutationsOf(call.name))(mutant, choices, pool)
  }
  return mutant
}

/** Those that change something about this operation; a body that is not read is sent now and then all the same. */
function mutationsOf(name: string): readonly Mutation[] {
  const { params, query, body, textBody } = operations.get(name)?.operation ?? {}
  return [
    header,
    wholeBody,
    ...(params === undefined ? [] : [param, param]),
    ...(query === undefined ? [] : [rawQuery, searchQuery]),
    ...(query === undefined || query === 'search' ? [] : [schemaQuery]),
    ...(body === undefined ? [] : [bodyMember, bodyMember, bodyMember, bodyOfSchema]),
    ...(textBody === undefined ? [] : [textPart]),
  ]
}

const boundary: Mutation = (call, choices) => {
  const { query, body, bytesBody } = operations.get(call.name)?.operation ?? {}
  // Schemas are plain data; ours use the keywords of `Shape` only.
  const make = (schema: unknown) => {
    const shape = schema as Shape
    const isPast = choices.oneIn(3)
    const seed = choices.below(2 ** 30)
    return isPast
      ? outside(shape, seed, (own) => new Choices(own))
      : fitting(shape, new Choices(seed))
  }
  const hasQuery = query !== undefined && query !== 'search'
  if (hasQuery && (body === undefined || choices.oneIn(3))) {
    return { ...call, query: encode(make(query)) }
  }
  if (body === undefined || bytesBody) return call
  return { ...call, body: toJson(make(body)) }
}

const param: Mutation = (call, choices, pool) => {
  const names = Object.keys(call.params)
  if (names.length === 0) return call
  // A segment of thousands of letters is refused by its length alone.
  const text = choices.pick(choices.oneIn(2) ? pool.seen : HOSTILE_TEXTS).slice(0, 250)
  return { ...call, params: { ...call.params, [choices.pick(names)]: text } }
}

const header: Mutation = (call, choices) => {
  const [name, value] = choices.pick(HOSTILE_HEADERS)
  // Each from an address of its own: after some wrong credentials all of an address is answered with 429.
  const from = name === 'authorization' ? { 'x-forwarded-for': addressOf(choices) } : {}
  return { ...call, headers: { ...call.headers, [name]: value, ...from } }
}

function addressOf(choices: Choices): string {
  return ['10', ...Array.from({ length: 3 }, () => choices.below(256))].join('.')
}

const rawQuery: Mutation = (call, choices) => ({ ...call, query: choices.pick(HOSTILE_QUERIES) })

const schemaQuery: Mutation = (call, choices) => {
  const query = operations.get(call.name)?.operation.query
  return { ...call, query: encode(generate(query as Shape, choices)) }
}

/** Also for operations with fewer members in their query: others are ignored there. */
const searchQuery: Mutation = (call, choices) => {
  const path = () => choices.pick(PATHS)
  const value = () => choices.pick(HOSTILE_VALUES)
  const search = {
    From: choices.oneIn(3) ? value() : choices.below(5),
    Count: choices.oneIn(3) ? value() : choices.below(5),
    Sort: choices.oneIn(3) ? value() : [`${choices.oneIn(2) ? '-' : ''}${path()}`],
    Include: choices.oneIn(3) ? value() : [path(), '*'],
    Exclude: choices.oneIn(3) ? value() : [path()],
    Filter: {
      [`${path()}${choices.pick(['', '', '<', '>=', '!'])}`]: choices.oneIn(4)
        ? [value(), [value()]]
        : value(),
    },
  }
  const members = Object.entries(search).filter(() => choices.oneIn(2))
  return { ...call, query: encode(Object.fromEntries(members)) }
}

/** Fields of all lists, and some that are no field. */
const PATHS: readonly string[] = [
  ...['ID', 'Name', 'Description', 'Availability', 'CreatedAt', 'Tags', 'Tags.Name', 'Class'],
  ...['Provider.ID', 'Provider.Class', 'Status.ICCID', 'Status.sim', 'Plan.ID', 'Instance.Status'],
  ...['retryCount', 'sentAt', 'destination', 'status', 'id', 'response_code', 'iccid', 'since'],
  ...['constructor', '', '*', 'a.b.c'],
]

const wholeBody: Mutation = (call, choices) => ({
  ...call,
  body: choices.pick(choices.oneIn(30) ? HUGE_BODIES : HOSTILE_BODIES),
})

const bodyOfSchema: Mutation = (call, choices) => {
  const body = operations.get(call.name)?.operation.body
  return { ...call, body: toJson(generate(body as Shape, choices)) }
}

/** One value somewhere in the body is another, is missing, or has a neighbour that nobody knows. */
const bodyMember: Mutation = (call, choices, pool) => {
  // One that an earlier mutation has put there may be too deep to be written again.
  if (call.body === undefined || HUGE_BODIES.includes(call.body)) return call
  const body = parse(call.body)
  const places = placesOf(body)
  if (places.length === 0) return wholeBody(call, choices, pool)
  const { parent, key } = choices.pick(places)
  const how = choices.below(6)
  if (how === 0) delete parent[key]
  else if (how === 1) parent.unknown = choices.pick(HOSTILE_VALUES)
  // A world is there again after a reset, when an id of one server may be known to it and unknown to the other.
  else if (how === 2 && call.name !== 'worldApply') parent[key] = choices.pick(pool.seen)
  else parent[key] = choices.pick(HOSTILE_VALUES)
  return { ...call, body: toJson(body) }
}

interface Place {
  readonly parent: Record<string, unknown>
  readonly key: string
}

function placesOf(value: unknown, depth = 0): Place[] {
  if (typeof value !== 'object' || value === null || depth > 6) return []
  // A list is changed by its indices as an object by its names.
  const parent = value as Record<string, unknown>
  return Object.keys(parent).flatMap((key) => [
    { parent, key },
    ...placesOf(parent[key], depth + 1),
  ])
}

/** Near the beginning, where the texts of two servers are the same; further on a snapshot has ids of its own. */
const TEXT_HEAD = 60

const textPart: Mutation = (call, choices) => {
  const text = call.body ?? ''
  const at = choices.below(Math.min(text.length, TEXT_HEAD) + 1)
  const end = Math.min(text.length, at + choices.below(20))
  const middle = choices.pick(HOSTILE_TEXTS)
  return { ...call, body: `${text.slice(0, at)}${middle}${text.slice(end)}` }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function toJson(value: unknown): string {
  return JSON.stringify(value) ?? 'null'
}

function encode(value: unknown): string {
  const text = toJson(value)
  // The head of a request has 16 KiB.
  return encodeURIComponent(text).slice(0, 12_000)
}
