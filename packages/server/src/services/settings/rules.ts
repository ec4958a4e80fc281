/**
 * Settings of the world: limits and habits of the cloud itself, which an operator changes while it runs.
 * (How the process runs is another thing: settings.ts.) A slice adds its own here.
 */
import { type Static, Type } from 'typebox'

export const WorldSettings = Type.Object(
  {
    /** Interface, Limits: the maximum number of SIMs per gateway is not shown. */
    sims_per_gateway: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
    /** Interface, Limits: a guideline of 500; past it, calls of the web accelerator are 429. */
    webaccel_calls_per_hour: Type.Integer({ minimum: 1, maximum: 100_000 }),
  },
  { additionalProperties: false },
)

export type WorldSettings = Static<typeof WorldSettings>

export const DEFAULTS: WorldSettings = {
  sims_per_gateway: 10_000,
  webaccel_calls_per_hour: 500,
}
