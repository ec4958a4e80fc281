/** Finds the route of a path, segment by segment. What is written out goes before what is a parameter. */

/** A longer parameter is nothing that we ever gave out. */
const LONGEST_PARAMETER = 200

interface Branch<T> {
  readonly named: Map<string, Branch<T>>
  parameter?: Branch<T>
  /** By method, with the names of the parameters on the way. */
  readonly ends: Map<string, { readonly value: T; readonly names: readonly string[] }>
}

export interface Found<T> {
  readonly value: T
  readonly params: Readonly<Record<string, string>>
}

export class RouteTree<T> {
  readonly #root: Branch<T> = newBranch()

  /** `path` has `{name}` for a parameter. */
  add(method: string, path: string, value: T): void {
    const names: string[] = []
    let branch = this.#root
    for (const segment of path.split('/').slice(1)) {
      const name = /^\{(\w+)\}$/.exec(segment)?.[1]
      // A parameter within a segment is for a router that can do more.
      if (name === undefined && segment.includes('{')) return
      branch = name === undefined ? namedBranch(branch, segment) : parameterBranch(branch)
      if (name !== undefined) names.push(name)
    }
    branch.ends.set(method, { value, names })
  }

  /** Undefined also for what needs decoding: that is for a router that can do more. */
  find(method: string, path: string): Found<T> | undefined {
    if (path.includes('%') || path.endsWith('.json')) return undefined
    const values: string[] = []
    const end = follow(this.#root, method, path.split('/'), 1, values)
    if (end === undefined) return undefined
    const params: Record<string, string> = {}
    end.names.forEach((name, index) => {
      params[name] = values[index] ?? ''
    })
    return { value: end.value, params }
  }
}

function follow<T>(
  branch: Branch<T>,
  method: string,
  segments: readonly string[],
  at: number,
  values: string[],
): { readonly value: T; readonly names: readonly string[] } | undefined {
  if (at === segments.length) return branch.ends.get(method)
  const segment = segments[at] ?? ''
  const named = branch.named.get(segment)
  const found = named && follow(named, method, segments, at + 1, values)
  if (found !== undefined) return found
  if (branch.parameter === undefined || segment === '' || segment.length > LONGEST_PARAMETER) {
    return undefined
  }
  values.push(segment)
  const end = follow(branch.parameter, method, segments, at + 1, values)
  if (end === undefined) values.pop()
  return end
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
