/** Which methods a path has, for the answer to a method that it does not have. */
import type { Contract, Family } from '../kernel/contract.ts'
import { pathOf } from './mount.ts'

interface Known {
  readonly pattern: RegExp
  readonly methods: readonly string[]
}

export class KnownRoutes {
  readonly #routes: Known[] = []

  add(family: Family, contract: Contract, prefix: string): void {
    for (const operation of Object.values(contract)) {
      const path = pathOf(family, operation, prefix)
      const pattern = path.replaceAll(/[.]/g, '\\.').replaceAll(/\{\w+\}/g, '[^/]+')
      this.#routes.push({
        pattern: new RegExp(`^${pattern}$`),
        methods: operation.method === 'GET' ? ['GET', 'HEAD'] : [operation.method],
      })
    }
  }

  /** Sorted, without repeats; empty when there is nothing at this path. */
  methodsOf(path: string): string[] {
    const found = this.#routes.filter(({ pattern }) => pattern.test(path))
    return [...new Set(found.flatMap(({ methods }) => methods))].sort()
  }
}
