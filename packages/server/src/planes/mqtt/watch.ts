/** Once a second: whether devices may stay, and what other processes have stored for them. */
import type { Log } from '../../kernel/log.ts'
import type { DeviceLinks, LinkedDevice } from '../../services/iot/public.ts'
import type { Connections } from './connections.ts'

/** How many devices are asked for by one query. */
const AT_ONCE = 1000

export class Watch {
  readonly #links: DeviceLinks
  readonly #connections: Connections
  readonly #log: Log
  /** The newest message of each project that was looked at. */
  #newest = new Map<LinkedDevice['projectId'], number>()
  #isChecking = false

  constructor(links: DeviceLinks, connections: Connections, log: Log) {
    this.#links = links
    this.#connections = connections
    this.#log = log
  }

  async check(): Promise<void> {
    if (this.#isChecking) return
    this.#isChecking = true
    try {
      const { devices } = this.#connections
      for (let at = 0; at < devices.length; at += AT_ONCE) {
        await this.#sendAway(devices.slice(at, at + AT_ONCE))
      }
      if (this.#links.isShared) await this.#wake(devices)
    } catch (err) {
      this.#log.error({ err }, 'connected devices could not be checked')
    } finally {
      this.#isChecking = false
    }
  }

  /** Those that were deactivated, have a new secret or are in another project. */
  async #sendAway(devices: readonly LinkedDevice[]): Promise<void> {
    for (const { deviceId } of await this.#links.listEnded(devices)) {
      for (const connection of [...this.#connections.ofDevice(deviceId)]) connection.close()
    }
  }

  async #wake(devices: readonly LinkedDevice[]): Promise<void> {
    const seen = this.#newest
    this.#newest = new Map()
    for (const projectId of new Set(devices.map((device) => device.projectId))) {
      const after = seen.get(projectId)
      const { newest, deviceIds } = await this.#links.readSince(projectId, after)
      this.#newest.set(projectId, newest)
      const waiting =
        deviceIds?.flatMap((deviceId) => [...this.#connections.ofDevice(deviceId)]) ??
        this.#connections.ofProject(projectId)
      for (const connection of waiting) connection.wake()
    }
  }
}
