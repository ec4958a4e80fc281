/** What of a request may be shown, as the contracts say. They are read when first needed. */
import type { Operation } from '../../kernel/contract.ts'
import type { Hides, Kept } from './request-rules.ts'
import { readablePath, secretPath, secretPathOf } from './secret-path-rules.ts'
import { readableBody, type SecretNames, schemasOf, secretNamesOf } from './secret-rules.ts'

export interface HidingParts {
  readonly operations: readonly { readonly base: string; readonly operation: Operation }[]
  /** The bodies of operations as the profile names their members, by the operation's name. */
  readonly renamed: Readonly<Record<string, unknown>>
  /** Paths that are no operation's; `{token}` stands for the secret. */
  readonly paths: readonly string[]
}

export class Hiding implements Hides {
  readonly #parts: () => HidingParts
  #known: { readonly names: SecretNames; readonly patterns: readonly RegExp[] } | undefined

  constructor(parts: () => HidingParts) {
    this.#parts = parts
  }

  path({ path }: Kept): string {
    const { names, patterns } = this.#secrets()
    return readablePath(path, patterns, names)
  }

  sent({ body, contract }: Kept): unknown {
    return readableBody(body, contract?.body, this.#secrets().names)
  }

  /** A refusal has a form of its own, without secrets. */
  answered({ answer, contract, status }: Kept): unknown {
    const schema = status < 400 ? contract?.reply : undefined
    return readableBody(answer, schema, this.#secrets().names)
  }

  /** What of the body is read, as far as the contracts know it. */
  bodySchema({ operation, contract }: Kept): unknown {
    return this.#parts().renamed[operation] ?? contract?.body
  }

  #secrets() {
    if (this.#known === undefined) {
      const { operations, renamed, paths } = this.#parts()
      const own = operations.flatMap(({ operation }) => schemasOf(operation))
      this.#known = {
        names: secretNamesOf([...own, ...Object.values(renamed)]),
        patterns: [
          ...operations.flatMap(({ base, operation }) => secretPathOf(base, operation)),
          ...paths.map((path) => secretPath(path, 'token')),
        ],
      }
    }
    return this.#known
  }
}
