/** In the order of the report. */
import { crash } from './crash/crash.ts'
import { failover } from './crash/failover.ts'
import { machine } from './crash/machine.ts'
import { fuzz } from './fuzz.ts'
import { isolation } from './isolation/isolation.ts'
import { model } from './model/model.ts'
import type { Part } from './part.ts'
import { soak } from './soak/soak.ts'

export const parts: readonly Part[] = [fuzz, model, crash, failover, machine, isolation, soak]
