// Compiled code of our programs, kept from one test to the next: starting a program or a line anew costs less than half the CPU then.
import { join } from 'node:path'

const FOLDER = new URL('../../node_modules/.cache/ticketrail-tests/', import.meta.url).pathname

/**
 * Environment of a program that a test starts. Empty for the executable, which carries its code in one piece, and for a bench,
 * which measures a start as it is on a box. An empty `NODE_COMPILE_CACHE` behind it: the program keeps its code by itself.
 * @param file what is started
 * @param kind V8 takes the code back only under the flags that it was compiled under: the gateway changes some when it runs, a line does not
 */
export function compiledCode(file: string, kind: 'programs' | 'lines'): Readonly<Record<string, string>> {
  const isOurs = process.env['VITEST'] !== undefined && file === process.execPath
  return isOurs ? { NODE_COMPILE_CACHE: join(FOLDER, kind) } : {}
}
