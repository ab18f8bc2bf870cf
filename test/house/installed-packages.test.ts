// What an installed relay starts after `npm ci --omit=dev` finds every package that it imports: the programs, and the drill of its timer.
import { builtinModules } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { read } from './source-files.ts'

const STARTED = ['cloud/main.ts', 'gateway/main.ts', 'scripts/restore-drill.ts']
/** Whatever stays when types are stripped: imports and exports of values, and `import()`. */
const IMPORTED = /^(?:import|export)\s(?!type\b)(?:[^'"]*?\sfrom\s)?'([^']+)'|\bimport\('([^']+)'\)/gm
const installed = new Set(Object.keys(JSON.parse(read('package.json')).dependencies))

const packageOf = (name: string): string =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/')
const isOfNode = (name: string): boolean => name.startsWith('node:') || builtinModules.includes(name)

/** Packages by the files that import them, from this file on. */
function importsFrom(start: string): Map<string, string[]> {
  const packages = new Map<string, string[]>()
  const seen = new Set([start])
  for (const path of seen)
    for (const [, whole, later] of read(path).matchAll(IMPORTED)) {
      const name = whole ?? later ?? ''
      if (/^[#.]/.test(name)) seen.add(name.startsWith('#') ? name.slice(1) : join(dirname(path), name))
      else if (!isOfNode(name)) packages.set(packageOf(name), [...(packages.get(packageOf(name)) ?? []), path])
    }
  return packages
}

it.each(STARTED)('%s imports no package that only developers have', (start) => {
  const packages = importsFrom(start)
  expect(packages.size).toBeGreaterThan(3)
  expect([...packages].filter(([name]) => !installed.has(name))).toEqual([])
})
