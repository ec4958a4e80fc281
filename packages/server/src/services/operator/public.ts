/** What the composition uses of the operator's slice. */
export { World } from './world.ts'
export { type WorldFile, WorldFileError } from './world-file.ts'
