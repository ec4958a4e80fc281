/**
 * What a set of clients expects where the interface's text is neutral or leaves a choice: words of the
 * wire, and habits of gateways. A profile is data; `--profile` chooses one (docs/adr/0026-profiles.md).
 */
import { INTERFACE_WORDS, type Words } from './words.ts'

export interface Profile {
  readonly words: Words
  /** The names of the cloud that these clients were written for, under which they may call this one. */
  readonly hosts: readonly string[]
  readonly gateways: GatewayHabits
}

export interface GatewayHabits {
  /** The interface has no power call, so there a new gateway comes up by itself. */
  readonly bootByThemselves: boolean
  readonly switchNeedsPowerDown: boolean
  /** SIM routes are refused until settings with a private interface are applied. */
  readonly routesNeedPrivateInterface: boolean
  readonly deletionNeedsPowerDown: boolean
}

export const INTERFACE_PROFILE: Profile = {
  words: INTERFACE_WORDS,
  hosts: [],
  gateways: {
    bootByThemselves: true,
    switchNeedsPowerDown: false,
    routesNeedPrivateInterface: false,
    deletionNeedsPowerDown: false,
  },
}
