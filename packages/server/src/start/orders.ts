/** What a lead and its fronts say to each other (docs/adr/0160). */
import type { Secrets } from '../compose.ts'
import type { Config } from '../config.ts'
import type { PrivateLine } from '../http/private-line.ts'
import type { Rules } from './company.ts'
import type { Report } from './reports.ts'

/** The lead to a front. What has a number is answered with `done`. */
export type Order =
  | {
      readonly do: 'compose'
      readonly config: Config
      readonly secrets: Secrets
      readonly line: PrivateLine
      /** Where the line is; whoever is left last takes it away. */
      readonly folder: string
    }
  /** Each comes with a socket. */
  | {
      readonly do: 'listen'
      readonly isTls: boolean
      readonly isLast: boolean
      readonly rules: Rules
    }
  | {
      readonly do: 'obey'
      readonly number: number
      readonly rules: Rules
      /** Those that were verified a moment ago. */
      readonly forgetsKeys: boolean
    }
  | { readonly do: 'tell'; readonly number: number }
  /** Take no more connections. */
  | { readonly do: 'halt'; readonly number: number }
  | { readonly do: 'stop'; readonly graceMs: number }

/** A front to its lead. */
export type News =
  | { readonly is: 'composed' }
  | { readonly is: 'listening' }
  | { readonly is: 'done'; readonly number: number }
  | { readonly is: 'report'; readonly report: Report }
