#!/usr/bin/env node
/**
 * The entry. It is plain JavaScript: to read one file with types in it, Node loads a compiler, which takes
 * longer than all the rest. What follows comes from the compile cache, which has to be on before it is loaded.
 * An old Node has to come as far as the check, so nothing is imported by a name that it may not have.
 */
import module from 'node:module'

const require = module.createRequire(import.meta.url)
require('./node-version.cjs').needNode(require('../package.json'))
module.enableCompileCache()
// `kumoi … | head` closes the pipe, which is nothing to complain about.
process.stdout.on('error', (error) => {
  process.exit('code' in error && error.code === 'EPIPE' ? 0 : 1)
})
const { main } = await import('./main.ts')
process.exitCode = await main(process.argv.slice(2))
