/**
 * The entry. The compile cache keeps what Node makes of the sources (types stripped, code compiled), so
 * that every start after the first is quicker and smaller; it has to be on before they are loaded. This file
 * is plain JavaScript: to read one with types in it, Node would load a compiler, which takes 50 ms.
 */
import { enableCompileCache } from 'node:module'

enableCompileCache()
void import('./start/program.ts').then(({ runProgram }) => runProgram())
