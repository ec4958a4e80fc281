/** YAML, loaded when there is a file to be read: most starts have none, and it is 70 modules. */
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** The cast: `require` gives no types. */
export const loadYaml = () => require('yaml') as typeof import('yaml')
