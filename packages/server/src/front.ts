/** The entry of a front, which only a lead starts (docs/adr/0160). The compile cache is as in main.ts. */
import { enableCompileCache } from 'node:module'

enableCompileCache()
const { runFront } = await import('./start/front.ts')
runFront()
