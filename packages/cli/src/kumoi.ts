#!/usr/bin/env node
/**
 * The entry. The compile cache keeps what Node makes of the sources, so that every start after the first is
 * quicker; it has to be on before they are loaded.
 */
import { enableCompileCache } from 'node:module'

enableCompileCache()
// `kumoi … | head` closes the pipe, which is nothing to complain about.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1)
})
const { main } = await import('./main.ts')
process.exitCode = await main(process.argv.slice(2))
