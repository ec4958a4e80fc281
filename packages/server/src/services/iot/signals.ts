/**
 * Tells those in this process who wait for news of a project that there may be some. Carries nothing:
 * they look for themselves, as they do now and then for what other processes have written.
 */
import type { ItemId } from '../../kernel/ids.ts'

export class Signals {
  readonly #listeners = new Set<(projectId: ItemId) => void>()

  emit(projectId: ItemId): void {
    for (const listener of this.#listeners) listener(projectId)
  }

  /** Answers with what ends the listening. */
  listen(listener: (projectId: ItemId) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
