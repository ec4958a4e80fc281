#!/usr/bin/env node
/**
 * The entry. It is plain JavaScript: to read one file with types in it, Node loads a compiler, which takes
 * longer than all the rest. What follows comes from the compile cache, which has to be on before it is loaded.
 */
import { enableCompileCache } from 'node:module'

enableCompileCache()
// `kumoi … | head` closes the pipe, which is nothing to complain about.
process.stdout.on('error', (error) => {
  process.exit('code' in error && error.code === 'EPIPE' ? 0 : 1)
})
const { main } = await import('./main.ts')
process.exitCode = await main(process.argv.slice(2))
