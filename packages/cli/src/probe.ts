/** `kumoi site probe URL`: what edges would do with a request, and why, in words. */
import type { Reply } from '@kumoi/client'
import type { KindEntry } from './kinds.ts'
import type { Options } from './option-names.ts'
import { timeText } from './times.ts'

type Probe = Reply<'siteProbe'>['Probe']
type Edge = Probe['Edges'][number]

/** An address stands for its site and for what is asked about it. */
export function withAddress(
  { operation }: Pick<KindEntry, 'operation'>,
  given: readonly string[],
  options: Options,
): { readonly given: readonly string[]; readonly options: Options } {
  const [address = '', ...rest] = given
  const url = operation === 'siteProbe' ? URL.parse(address) : null
  if (url === null || !/^https?:$/.test(url.protocol)) return { given, options }
  return { given: [url.hostname, ...rest], options: { ...options, url: options.url ?? address } }
}

const ACTIONS: Readonly<Record<string, string>> = {
  hit: 'would answer from its cache',
  stale: 'would answer from its cache, though that is stale',
  revalidate: 'would ask the origin whether what it has stored still holds',
  miss: 'would fetch it from the origin, and store it if it may',
  pass: 'would pass it to the origin, and store nothing',
  redirect: 'would redirect',
  preflight: 'would answer the preflight request itself',
  refuse: 'would refuse',
}

export function probeText(data: unknown, isUtc: boolean): string | undefined {
  const { Probe }: { Probe?: Probe } = Object(data)
  if (Probe === undefined) return undefined
  if (Probe.Edges.length === 0) return 'There is no edge: nothing is delivered.\n'
  return Probe.Edges.map((edge) => edgeText(edge, isUtc)).join('\n')
}

function edgeText({ Name, Engine, Action, Status, Steps, Objects }: Edge, isUtc: boolean): string {
  if (Action === null) return `${Name} (${Engine}) did not answer.\n`
  const width = Math.max(0, ...Steps.map((step) => step.Name.length)) + 2
  const status = Status === null ? '' : ` (${Status})`
  const lines = [
    `${Name} (${Engine}) ${ACTIONS[Action] ?? Action}${status}:`,
    ...Steps.map((step) => `  ${step.Name.padEnd(width)}${step.Result}`),
    ...Objects.map((object) => `  ${'stored'.padEnd(width)}${objectText(object, isUtc)}`),
    ...(Objects.length === 0 ? [`  ${'stored'.padEnd(width)}nothing`] : []),
  ]
  return `${lines.join('\n')}\n`
}

function objectText(object: Edge['Objects'][number], isUtc: boolean): string {
  const variant = Object.entries(object.Variant).map(([name, value]) => `${name}: ${value}`)
  return [
    `${object.Status}, ${object.Bytes} bytes in ${object.Tier === 'disk' ? 'a file' : 'memory'}`,
    `since ${timeText(object.StoredAt, isUtc)}, fresh until ${timeText(object.FreshUntil, isUtc)}`,
    ...(variant.length === 0 ? [] : [`for ${variant.join(', ')}`]),
  ].join(', ')
}
