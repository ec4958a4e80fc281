/** What the composition and the start use of the operator's slice. */
export { demoPastJob } from './demo-past.ts'
export { DEMO_KEY } from './demo-world.ts'
export { operatorModule } from './module.ts'
export { type Demo, StartWorlds, type WorldSource } from './start-worlds.ts'
export { World } from './world.ts'
