// Every refusal that a page can get is shown in its reader's language: the relay names the case, and the message files have a sentence for it.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { LOADERS } from './speech.tsx'

const ROOT = new URL('../', import.meta.url).pathname
const SOURCES = ['control', 'people', 'api/dashboard'].flatMap((folder) =>
  readdirSync(`${ROOT}${folder}`)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(`${ROOT}${folder}/${name}`, 'utf8')),
)
const NAMED = SOURCES.flatMap((text) => [...text.matchAll(/\bkey: '([a-z-]+\.[a-z-]+)'/g)].map(([, key = '']) => key))

/** Met by the operator's command line alone. */
const OF_THE_LINE = ['merchant.several', 'welcome.taken']

describe.each(Object.entries(LOADERS))('in %s', (_language, load) => {
  it('a refusal that names its case has a sentence', async () => {
    const { cases } = (await load()).refusals
    expect(NAMED.length).toBeGreaterThan(60)
    const missing = NAMED.filter((key) => !Object.hasOwn(cases, key) && !OF_THE_LINE.includes(key))
    expect([...new Set(missing)]).toEqual([])
  })
})
