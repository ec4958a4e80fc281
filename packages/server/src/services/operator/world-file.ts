/**
 * A world file: YAML or JSON that declares accounts, keys and what else the slices have sections for.
 * What is wrong in it is told with its line, before anything is changed.
 */
import type { Text } from '../../kernel/errors.ts'
import { compileSchema, formatPath, type Path, type Problem } from '../../kernel/schema.ts'
import { textProblem } from '../../kernel/text-check.ts'
import { Type } from '../../kernel/type.ts'
import { loadYaml } from '../../kernel/yaml.ts'
import type { WorldProblem, WorldSection } from '../world-section.ts'

/** A problem in a file, as `world.yaml:12: accounts[0].code is missing.` */
export class WorldFileError extends Error {
  readonly text: Text

  constructor(file: string, line: number | undefined, en: string, ja: string) {
    const where = line === undefined ? file : `${file}:${line}`
    super(`${where}: ${en}`)
    this.text = { en: this.message, ja: `${where}: ${ja}` }
  }
}

export interface WorldFile {
  readonly world: Readonly<Record<string, unknown>>
  /** Says of a problem in a section where in the file it stands. */
  locate(section: string, problem: WorldProblem): WorldFileError
}

export type WorldCheck = (world: unknown) => Problem | undefined

/** Section by section: of all schemas only those are compiled that the world has something for. */
export function worldCheck(sections: readonly WorldSection[]): WorldCheck {
  const checkHead = compileSchema(
    Type.Object(
      {
        version: Type.Literal(1),
        // An export carries it, as every JSON answer does; it can be applied again as it is.
        is_ok: Type.Optional(Type.Boolean()),
        ...Object.fromEntries(sections.map(({ key }) => [key, Type.Optional(Type.Unknown())])),
      },
      { additionalProperties: false },
    ),
  )
  const checks = sections.map(({ key, schema }) => ({ key, check: compileSchema(schema) }))
  return (world) => {
    const problem = checkHead(world)
    if (problem !== undefined) return problem
    for (const { key, check } of checks) {
      // The head says that it is an object.
      const value = (world as Record<string, unknown>)[key]
      const inside = value === undefined ? undefined : check(value)
      if (inside !== undefined) return { ...inside, path: [key, ...inside.path] }
    }
    return undefined
  }
}

/** Throws a WorldFileError that names the line. */
export function parseWorld(text: string, file: string, check: WorldCheck): WorldFile {
  const { LineCounter, parseDocument } = loadYaml()
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true })
  const [error] = document.errors
  if (error !== undefined) {
    const line = lines.linePos(error.pos[0]).line
    const [message = ''] = error.message.split(/\n| at line/, 1)
    throw new WorldFileError(file, line, `not valid YAML: ${message}`, `YAMLが不正です: ${message}`)
  }
  const lineOf = (path: Path): number | undefined => {
    // A missing member has no place of its own: its nearest parent has.
    for (let depth = path.length; depth >= 0; depth -= 1) {
      const node = document.getIn(path.slice(0, depth), true)
      const range = (node as { range?: [number] } | undefined)?.range
      if (range) return lines.linePos(range[0]).line
    }
    return undefined
  }
  return worldFrom(document.toJS() ?? {}, file, check, lineOf)
}

/** Of a world that is no text, and has no lines unless somebody knows them. */
export function worldFrom(
  world: unknown,
  file: string,
  check: WorldCheck,
  lineOf: (path: Path) => number | undefined = () => undefined,
): WorldFile {
  const fail = (path: Path, { en, ja }: Text) => {
    const at = formatPath(path) || 'The file'
    return new WorldFileError(file, lineOf(path), `${at} ${en}`, `${at} ${ja}`)
  }
  const problem = textProblem(world) ?? check(world)
  if (problem !== undefined) throw fail(problem.path, problem.text)
  return {
    // The schema says that it is an object.
    world: world as Record<string, unknown>,
    locate: (section, { path, text: words }) => fail([section, ...path], words),
  }
}
