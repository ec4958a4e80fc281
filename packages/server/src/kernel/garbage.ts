/** Node's function that collects garbage, for the few places that know better than the engine when. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

export function garbageCollector(): NodeJS.GCFunction {
  // Contexts that are created after the flag was set have the function.
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc')
}
