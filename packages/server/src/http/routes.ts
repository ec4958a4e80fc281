/** Finds the route of a path, segment by segment. What is written out goes before what is a parameter. */

/** A longer parameter is nothing that we ever gave out. */
const LONGEST_PARAMETER = 200

interface End<T> {
  readonly value: T
  /** Of the parameters on the way. */
  readonly names: readonly string[]
}

interface Branch<T> {
  readonly named: Map<string, Branch<T>>
  parameter?: Branch<T>
  /** By method. */
  readonly ends: Map<string, End<T>>
}

export interface Found<T> {
  readonly value: T
  readonly params: Readonly<Record<string, string>>
}

/** The only way to where a path's last segment is looked for. */
interface Way<T> {
  readonly branch: Branch<T>
  readonly values: readonly string[]
}

/** Kept, since the same few are gone again and again; past this they are let go. */
const MOST_WAYS = 500

export class Routes<T> {
  readonly #root: Branch<T> = newBranch()
  readonly #ways = new Map<string, Way<T>>()

  /** `path` has `{name}` for a parameter, which is a whole segment. */
  add(method: string, path: string, value: T): void {
    const names: string[] = []
    let branch = this.#root
    for (const segment of path.split('/').slice(1)) {
      const name = /^\{(\w+)\}$/.exec(segment)?.[1]
      if (name === undefined && segment.includes('{')) {
        throw new Error(`${path}: a parameter is a whole segment.`)
      }
      branch = name === undefined ? namedBranch(branch, segment) : parameterBranch(branch)
      if (name !== undefined) names.push(name)
    }
    if (branch.ends.has(method)) throw new Error(`${method} ${path} is there twice.`)
    branch.ends.set(method, { value, names })
    this.#ways.clear()
  }

  find(method: string, path: string): Found<T> | undefined {
    const slash = path.lastIndexOf('/')
    if (slash < 0) return undefined
    const way = path.includes('%') ? undefined : this.#wayTo(path.slice(0, slash))
    return way === undefined
      ? this.#search(asked(method), path)
      : atEnd(way, asked(method), path.slice(slash + 1))
  }

  #search(method: string, path: string): Found<T> | undefined {
    const segments = segmentsOf(path)
    if (segments === undefined) return undefined
    const values: string[] = []
    const end = follow(this.#root, method, segments, 1, values)
    return end && found(end, values)
  }

  /** Undefined when there is none, or more than one. */
  #wayTo(path: string): Way<T> | undefined {
    const known = this.#ways.get(path)
    if (known !== undefined) return known
    const values: string[] = []
    let branch: Branch<T> | undefined = this.#root
    for (const segment of path.split('/').slice(1)) {
      const named: Branch<T> | undefined = branch.named.get(segment)
      if (named !== undefined && branch.parameter !== undefined) return undefined
      if (named === undefined) {
        if (branch.parameter === undefined || !isParameter(segment)) return undefined
        values.push(segment)
      }
      branch = named ?? branch.parameter
      if (branch === undefined) return undefined
    }
    if (this.#ways.size >= MOST_WAYS) this.#ways.clear()
    const way = { branch, values }
    this.#ways.set(path, way)
    return way
  }

  /** Sorted; empty when there is nothing at this path. */
  methodsOf(path: string): string[] {
    const methods = new Set<string>()
    const segments = segmentsOf(path)
    if (segments !== undefined) collectMethods(this.#root, segments, 1, methods)
    if (methods.has('GET')) methods.add('HEAD')
    return [...methods].sort()
  }
}

function atEnd<T>(way: Way<T>, method: string, last: string): Found<T> | undefined {
  const { branch, values } = way
  const named = branch.named.get(last)?.ends.get(method)
  if (named !== undefined) return found(named, values)
  const end = isParameter(last) ? branch.parameter?.ends.get(method) : undefined
  return end && found(end, [...values, last])
}

function found<T>({ value, names }: End<T>, values: readonly string[]): Found<T> {
  const params: Record<string, string> = {}
  for (let index = 0; index < names.length; index += 1) {
    params[names[index] ?? ''] = values[index] ?? ''
  }
  return { value, params }
}

/** HEAD is answered as GET; `node:http` leaves the body out. */
function asked(method: string): string {
  return method === 'HEAD' ? 'GET' : method
}

/** Undefined when it cannot be decoded: then it is the path of nothing. */
function segmentsOf(path: string): string[] | undefined {
  const segments = path.split('/')
  if (!path.includes('%')) return segments
  try {
    return segments.map(decodeURIComponent)
  } catch {
    return undefined
  }
}

function follow<T>(
  branch: Branch<T>,
  method: string,
  segments: readonly string[],
  at: number,
  values: string[],
): End<T> | undefined {
  if (at === segments.length) return branch.ends.get(method)
  const segment = segments[at] ?? ''
  const named = branch.named.get(segment)
  const found = named && follow(named, method, segments, at + 1, values)
  if (found !== undefined) return found
  if (branch.parameter === undefined || !isParameter(segment)) return undefined
  values.push(segment)
  const end = follow(branch.parameter, method, segments, at + 1, values)
  if (end === undefined) values.pop()
  return end
}

function collectMethods<T>(
  branch: Branch<T>,
  segments: readonly string[],
  at: number,
  methods: Set<string>,
): void {
  if (at === segments.length) {
    for (const method of branch.ends.keys()) methods.add(method)
    return
  }
  const segment = segments[at] ?? ''
  const named = branch.named.get(segment)
  if (named !== undefined) collectMethods(named, segments, at + 1, methods)
  if (branch.parameter !== undefined && isParameter(segment)) {
    collectMethods(branch.parameter, segments, at + 1, methods)
  }
}

function isParameter(segment: string): boolean {
  return segment !== '' && segment.length <= LONGEST_PARAMETER
}

function namedBranch<T>(branch: Branch<T>, segment: string): Branch<T> {
  const next = branch.named.get(segment) ?? newBranch<T>()
  branch.named.set(segment, next)
  return next
}

function parameterBranch<T>(branch: Branch<T>): Branch<T> {
  branch.parameter ??= newBranch()
  return branch.parameter
}

function newBranch<T>(): Branch<T> {
  return { named: new Map(), ends: new Map() }
}
