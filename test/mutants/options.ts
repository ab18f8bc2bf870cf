// What `npm run mutants` was asked for, or in one sentence what is wrong with the question.
import { parseArgs } from 'node:util'
import type { Mutant } from './mutant.ts'

export const USAGE = `npm run mutants -- [--only NAME[,NAME]] [--list]
  --only  these planted faults alone; a name that ends in * stands for all that begin so
  --list  says which there are, and plants none`

export interface MutantOptions {
  mutants: readonly Mutant[]
  isList: boolean
}

/** @throws Error that says which option is wrong */
export function mutantOptions(args: readonly string[], all: readonly Mutant[]): MutantOptions {
  const { values } = parseArgs({
    args: [...args],
    options: { only: { type: 'string' }, list: { type: 'boolean', default: false } },
  })
  const { only, list: isList } = values
  if (only === undefined) return { mutants: all, isList }
  const wanted = only.split(',').map((name) => name.trim())
  for (const name of wanted)
    if (!all.some((mutant) => fits(name, mutant)))
      throw new Error(`--only: there is no planted fault "${name}"; see --list`)
  return { mutants: all.filter((mutant) => wanted.some((name) => fits(name, mutant))), isList }
}

function fits(wanted: string, { name }: Mutant): boolean {
  return wanted.endsWith('*') ? name.startsWith(wanted.slice(0, -1)) : name === wanted
}
