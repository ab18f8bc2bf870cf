// Every refusal that a page can meet is said in the language of its reader: the box names the case, and the catalogues have a sentence for it.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { en } from './messages/en.ts'

const ROOT = new URL('../../../gateway/', import.meta.url).pathname
const SOURCES = ['control', 'http'].flatMap((folder) =>
  readdirSync(`${ROOT}${folder}`)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => ({ name: `${folder}/${name}`, text: readFileSync(`${ROOT}${folder}/${name}`, 'utf8') })),
)

/** Met by the command line alone, by a page that sends what no form of it sends, or said by the rule of each field. */
const WITHOUT_CASE = [
  'control/control.ts',
  'control/control.ts',
  'control/preview-operations.ts',
  'control/preview-operations.ts',
  'control/printer-operations.ts',
  'control/routing-operations.ts',
  'control/routing-operations.ts',
  'control/routing-operations.ts',
  'control/user-operations.ts',
]

/** From its opening bracket to the one that closes it. */
function callAt(text: string, start: number): string {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    if (text[at] === '(') depth++
    if (text[at] === ')') depth--
    if (depth === 0) return text.slice(start, at + 1)
  }
  return text.slice(start)
}

describe('a refusal of the box', () => {
  it('that names its case has a sentence on the page', () => {
    const named = SOURCES.flatMap(({ text }) =>
      [...text.matchAll(/\bkey: '([a-z-]+\.[a-z-]+)'/g)].map(([, key]) => key),
    )
    expect(named.length).toBeGreaterThan(30)
    expect(named.filter((key) => !Object.hasOwn(en.refusals.cases, key ?? ''))).toEqual([])
  })

  it('names its case, but where no reader of a page meets it', () => {
    const silent = SOURCES.flatMap(({ name, text }) =>
      [...text.matchAll(/new ControlRefusal\(/g)].flatMap(({ index }) => {
        const call = callAt(text, index + 'new ControlRefusal'.length)
        return /\bkey\b|, \{ said \}\)/.test(call) ? [] : [name]
      }),
    )
    expect(silent).toEqual(WITHOUT_CASE)
  })
})
