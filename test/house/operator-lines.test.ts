// The table of log lines that ask something of a relay's operator: each line in it is one that the program can write.
import { describe, expect, it } from 'vitest'
import { projectFiles, read } from './source-files.ts'

const SOURCES = projectFiles('.ts').filter((path) => /^(cloud|shared)\//.test(path) && !path.endsWith('.test.ts'))
const CODE = SOURCES.map(read).join('\n')

/** What stands in backticks in the first cells of the rows below `| line | do |`. */
const LINES = (read('docs/operate-cloud.md').split('| line | do |\n')[1] ?? '')
  .split('\n\n')[0]
  ?.split('\n')
  .slice(1)
  .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, line = '']) => line))

describe('the log lines that need an operator’s action', () => {
  it('are found', () => {
    expect(LINES?.length).toBeGreaterThan(20)
  })

  it.each(LINES ?? [])('%s', (line) => {
    const unknown = line
      .split('...')
      .map((part) => part.trim())
      .filter((part) => part !== '' && !CODE.includes(part))
    expect(unknown).toEqual([])
  })
})
