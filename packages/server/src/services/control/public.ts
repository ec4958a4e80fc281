/** What the composition uses of the control for tests. */
export { clockHandlers } from './clock-routes.ts'
