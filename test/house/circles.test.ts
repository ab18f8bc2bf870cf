// No file imports one that imports it, not even a type: of two files that need each other neither can be understood first.
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectFiles, read } from './source-files.ts'

/** What is left. A line here is a debt: nobody may add one, and one that is paid goes. */
const LEFT: readonly (readonly string[])[] = [
  [
    // PrinterLanguage gives a printer's parts, and each part is told in terms of the language's answers.
    'gateway/printers/acquaintance.ts',
    'gateway/printers/confirm-ladder.ts',
    'gateway/printers/confirm-level.ts',
    'gateway/printers/device-names.ts',
    'gateway/printers/escpos-dialogue.ts',
    'gateway/printers/identity-guard.ts',
    'gateway/printers/identity.ts',
    'gateway/printers/printer-language.ts',
    'gateway/printers/probe.ts',
    'gateway/printers/transport.ts',
  ],
]

type Imports = ReadonlyMap<string, readonly string[]>

/** What each file of the project imports of it, types included. */
function importsOf(files: readonly string[]): Imports {
  const known = new Set(files)
  return new Map(files.map((path) => [path, named(path).filter((name) => known.has(name))]))
}

function named(path: string): string[] {
  const names = [...read(path).matchAll(/\b(?:from|import)\s*\(?\s*'([#.][^']*)'/g)].map(([, name = '']) => name)
  return names.map((name) => (name.startsWith('#') ? name.slice(1) : join(dirname(path), name)))
}

/** The files from which this one can be reached again, itself among them; sorted. Empty: it is in no circle. */
function circleOf(start: string, imports: Imports): string[] {
  const onward = reached(start, imports)
  return onward.has(start) ? [...onward].filter((path) => reached(path, imports).has(start)).sort() : []
}

function reached(start: string, imports: Imports): Set<string> {
  const seen = new Set<string>()
  const toLook = [...(imports.get(start) ?? [])]
  for (let path = toLook.pop(); path !== undefined; path = toLook.pop()) {
    if (seen.has(path)) continue
    seen.add(path)
    toLook.push(...(imports.get(path) ?? []))
  }
  return seen
}

function circles(imports: Imports): string[][] {
  const found = new Map<string, string[]>()
  for (const path of imports.keys()) {
    if ([...found.values()].some((circle) => circle.includes(path))) continue
    const circle = circleOf(path, imports)
    if (circle.length > 0) found.set(path, circle)
  }
  return [...found.values()]
}

describe('files that import each other in a circle', () => {
  it('are only those of the list', () => {
    expect(circles(importsOf(projectFiles('.ts', '.tsx', '.mjs')))).toEqual(LEFT)
  })

  it('would be found, each circle once, with those that only lead into it left out', () => {
    const imports = new Map([
      ['a', ['b', 'd']],
      ['b', ['c']],
      ['c', ['a']],
      ['d', []],
      ['e', ['a', 'e']],
    ])
    expect(circles(imports)).toEqual([['a', 'b', 'c'], ['e']])
  })
})
