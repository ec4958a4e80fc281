/**
 * The entry. The compile cache keeps what Node makes of the sources (types stripped, code compiled), so
 * that every start after the first is quicker and smaller; it has to be on before they are loaded.
 */
import { enableCompileCache } from 'node:module'

enableCompileCache()
void import('./start/program.ts').then(({ runProgram }) => runProgram())
