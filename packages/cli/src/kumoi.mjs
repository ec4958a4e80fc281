#!/usr/bin/env node
/**
 * The entry. It is plain JavaScript: to read one file with types in it, Node loads a compiler, which takes
 * longer than all the rest. What follows comes from the compile cache, which has to be on before it is loaded.
 * An old Node has to come as far as the check, so nothing is imported by a name that it may not have.
 */
import { readFileSync } from 'node:fs'
import module from 'node:module'

const require = module.createRequire(import.meta.url)
const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
require('./node-version.cjs').needNode(JSON.parse(manifest))
module.enableCompileCache()
// `kumoi … | head` closes the pipe, which is nothing to complain about.
process.stdout.on('error', (error) => {
  process.exit('code' in error && error.code === 'EPIPE' ? 0 : 1)
})
import('./main.ts')
  .then(({ main }) => main(process.argv.slice(2)))
  .then((code) => {
    process.exitCode = code
  })
