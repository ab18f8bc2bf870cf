// The documents: links lead somewhere, generated files are up to date, every decision is listed.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseEnv } from 'node:util'
import { describe, expect, it } from 'vitest'
import { configFiles } from '#scripts/config-docs/config-docs.ts'
import { projectFiles, ROOT, read } from './source-files.ts'

const DOCUMENTS = projectFiles('.md')

/** The anchor that a heading gets: lower case, without punctuation, spaces as hyphens. */
function anchorsOf(path: string): string[] {
  return [...read(path).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) =>
    (heading ?? '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  )
}

function brokenLinksOf(path: string): string[] {
  const prose = read(path).replace(/```[\s\S]*?```/g, '')
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target ?? '')
    .filter((target) => !/^(https?|mailto):/.test(target))
    .filter((target) => {
      const [file = '', anchor] = target.split('#')
      const resolved = file === '' ? path : join(dirname(path), file)
      if (!existsSync(join(ROOT, resolved))) return true
      return anchor !== undefined && !anchorsOf(resolved).includes(anchor)
    })
}

describe('the documents', () => {
  it.each(DOCUMENTS)('%s has only links that lead somewhere', (path) => {
    expect(brokenLinksOf(path)).toEqual([])
  })

  it('list every decision in docs/decisions/README.md', () => {
    const index = read('docs/decisions/README.md')
    const decisions = DOCUMENTS.filter((path) => /^docs\/decisions\/\d{4}-/.test(path))
    expect(decisions.length).toBeGreaterThanOrEqual(14)
    for (const path of decisions) {
      const [number = ''] = path.slice('docs/decisions/'.length).split('-')
      expect(index).toContain(`(${path.slice('docs/decisions/'.length)})`)
      expect(read(path)).toMatch(new RegExp(`^# ${number} \\S`))
    }
  })

  it('list each decision once, by number', () => {
    const listed = [...read('docs/decisions/README.md').matchAll(/^\| (\d{4}) \| \[.*\]\((\d{4})-/gm)]
    const numbers = listed.map(([, number]) => number)
    expect(numbers).toEqual([...new Set(numbers)].sort())
    expect(listed.map(([, , file]) => file)).toEqual(numbers)
  })

  it.each(configFiles())('$path is what npm run docs:config makes', ({ path, text }) => {
    expect(read(path)).toBe(text)
  })

  it('require the master key and no other setting', () => {
    const required = [...read('docs/configuration.md').matchAll(/^\| `(\w+)` +\| required /gm)].map(([, name]) => name)
    expect(required).toEqual(['CLOUD_MASTER_KEY'])
    expect(Object.keys(parseEnv(read('.env.example')))).toEqual(required)
  })

  it('show the default of a setting whose text is converted', () => {
    expect(read('docs/configuration.md')).toMatch(/^\| `CLOUD_DELETE_WITHOUT_EXPORT` +\| `no` /m)
    expect(read('.env.example')).toContain('\n#CLOUD_DELETE_WITHOUT_EXPORT=no\n')
  })
})
