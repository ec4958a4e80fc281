/**
 * Tells those in this process who wait for news of a project or of a device that there may be some. Carries
 * nothing: they look for themselves, as they do now and then for what other processes have written.
 */
import type { ItemId } from '../../kernel/ids.ts'

export class Signals {
  readonly #ofProjects = new Set<(projectId: ItemId) => void>()
  readonly #ofDevices = new Set<(deviceId: string) => void>()

  /** A device of the project has sent. */
  emit(projectId: ItemId): void {
    for (const listener of this.#ofProjects) listener(projectId)
  }

  /** There is a message for the device. */
  emitToDevice(deviceId: string): void {
    for (const listener of this.#ofDevices) listener(deviceId)
  }

  /** Answers with what ends the listening. */
  listen(listener: (projectId: ItemId) => void): () => void {
    this.#ofProjects.add(listener)
    return () => this.#ofProjects.delete(listener)
  }

  listenForDevices(listener: (deviceId: string) => void): () => void {
    this.#ofDevices.add(listener)
    return () => this.#ofDevices.delete(listener)
  }
}
