// What makes a start of our programs cheap for tests: their compiled code is kept from one test to the next, and their bundle starts in place of the sources.
import { join } from 'node:path'

/** Those that have a bundle in some projects: built-programs.ts. Here, because drills run where its packages are not installed. */
export const PROGRAMS = ['cloud/main.ts', 'gateway/main.ts']
const FOLDER = new URL('../../node_modules/.cache/ticketrail-tests/', import.meta.url).pathname

/**
 * Environment of a program that a test starts. Empty for the executable, which carries its code in one piece, and for a bench,
 * which measures a start as it is on a box. An empty `NODE_COMPILE_CACHE` behind it: the program keeps its code by itself.
 * @param file what is started
 * @param kind V8 takes the code back only under the flags that it was compiled under: the relay and the gateway each change another one when
 *   they begin, a line changes none. In one folder each would throw away what the other has kept of the packages that both have
 */
export function compiledCode(file: string, kind: 'relays' | 'gateways' | 'lines'): Readonly<Record<string, string>> {
  const isOurs = process.env['VITEST'] !== undefined && file === process.execPath
  return isOurs ? { NODE_COMPILE_CACHE: join(FOLDER, kind) } : {}
}

/**
 * The command with the bundle of our program in the place of its source, which is named from the project's root. Unchanged outside of these
 * projects (a bench measures a real start), where something else than this Node runs it, and where the source is named by its whole path: so
 * does a test that is about the start itself.
 * @param command a program and its arguments, such as `[process.execPath, 'cloud/main.ts', 'admin', 'help']`
 */
export function fromBundle(command: readonly string[]): readonly string[] {
  const folder = process.env['TEST_PROGRAMS']
  if (folder === undefined || command[0] !== process.execPath) return command
  return command.map((word) => (PROGRAMS.includes(word) ? join(folder, moduleOf(word)) : word))
}

/** `cloud/main.ts` as `cloud/main.mjs`: what ends so needs no look at its text to know that it is a module. */
export const moduleOf = (source: string): string => source.replace(/\.ts$/, '.mjs')
