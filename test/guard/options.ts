// What the guard was asked to measure, or in one sentence what is wrong with the question.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

export const PARTS = ['rounds', 'drain', 'heap', 'browser'] as const
export type Part = (typeof PARTS)[number]

export const USAGE = `npm run guard -- [--only PART[,PART]] [--programs FOLDER] [--reached | --reference]
  --only      parts to measure: ${PARTS.join(', ')}
  --programs  measures the programs of another checkout, with its node_modules
  --reached   writes what this run reached into test/guard/limits.ts
  --reference measures what is crossed on the tree of the limits, too, and judges it by what that reaches on this machine`

export interface GuardOptions {
  /** The checkout whose programs are measured, with a slash at its end. */
  root: string
  parts: ReadonlySet<Part>
  reached: boolean
  reference: boolean
}

/**
 * @param here this checkout, which is measured when no other is named
 * @throws Error that says which option is wrong
 */
export function guardOptions(args: string[], here: string): GuardOptions {
  const { values } = parseArgs({
    args,
    options: {
      programs: { type: 'string' },
      only: { type: 'string', default: PARTS.join(',') },
      reached: { type: 'boolean', default: false },
      reference: { type: 'boolean', default: false },
    },
  })
  const { programs, only, reached, reference } = values
  const parts = only.split(',').map((text) => {
    const part = PARTS.find((known) => known === text)
    if (part === undefined) throw new Error(`--only: "${text}" is none of ${PARTS.join(', ')}`)
    return part
  })
  if (reached && reference) throw new Error('--reached writes limits and --reference judges by them: not both')
  if (programs === undefined) return { root: join(here, '/'), parts: new Set(parts), reached, reference }
  if (reference) throw new Error('--reference is for the programs of this checkout: not with --programs')
  if (reached) throw new Error('--reached is for the limits of this checkout: not with --programs')
  const root = join(resolve(programs), '/')
  for (const file of ['gateway/main.ts', 'cloud/main.ts', 'node_modules'])
    if (!existsSync(join(root, file))) throw new Error(`--programs: ${root} has no ${file}`)
  return { root, parts: new Set(parts), reached, reference }
}
