// The end of a failed run must tell which tests failed and why, without scrolling.
import { describe, expect, it } from 'vitest'

type Lines = (output: string) => string[]
const { failuresIn, failedFilesIn }: Record<'failuresIn' | 'failedFilesIn', Lines> = await import(
  new URL('./failures.mjs', import.meta.url).href
)

const numbered = (name: string, count: number) => Array.from({ length: count }, (_, i) => `${name} ${i + 1}`)
const red = (text: string) => `\u001b[31m${text}\u001b[39m`

describe('what is repeated of a failed stage', () => {
  it("is vitest's own section of failures, without colours", () => {
    const output = [
      ...numbered(' ✓ test', 500),
      red('⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯'),
      `${red(' FAIL ')} flows a.test.ts > sorts`,
      'AssertionError: expected 1 to be 2',
      ' Tests  1 failed | 500 passed',
      '',
    ]
    expect(failuresIn(output.join('\n'))).toEqual([
      '⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯',
      ' FAIL  flows a.test.ts > sorts',
      'AssertionError: expected 1 to be 2',
      ' Tests  1 failed | 500 passed',
    ])
  })

  it('begins with all names when the section is long', () => {
    const failures = ['a', 'b', 'c'].flatMap((name) => [` FAIL  unit x.test.ts > ${name}`, ...numbered('line', 100)])
    const shown = failuresIn(['fine', '⎯⎯ Failed Tests 3 ⎯⎯', ...failures].join('\n'))
    expect(shown.slice(0, 3)).toEqual(['a', 'b', 'c'].map((name) => ` FAIL  unit x.test.ts > ${name}`))
    expect(shown.at(-1)).toBe('(and 224 lines more, above)')
    expect(shown).toHaveLength(85)
  })

  it('is the section of errors that belong to no test', () => {
    const output = 'fine\n⎯⎯ Unhandled Errors ⎯⎯\n\nError: lost\n'
    expect(failuresIn(output)).toEqual(['⎯⎯ Unhandled Errors ⎯⎯', '', 'Error: lost'])
  })

  it('is the last lines of a tool without such a section', () => {
    expect(failuresIn(numbered('error', 200).join('\n'))).toEqual(numbered('error', 200).slice(-80))
  })
})

describe('the files to try again', () => {
  const failed = [
    '⎯⎯ Failed Tests 3 ⎯⎯',
    `${red(' FAIL ')} flows test/flows/a.test.ts > sorts > b.test.ts`,
    `${red(' FAIL ')} flows test/flows/a.test.ts > adds`,
    ' FAIL  rooms  cloud/x.room.test.ts [ cloud/x.room.test.ts ]',
    'Error: the file c.test.ts is gone',
  ]

  it('are those of the failed tests, each once', () => {
    expect(failedFilesIn(failed.join('\n'))).toEqual(['test/flows/a.test.ts', 'cloud/x.room.test.ts'])
  })

  it('are none when an error belongs to no test', () => {
    expect(failedFilesIn([...failed, '⎯⎯ Unhandled Errors ⎯⎯', 'Error: lost'].join('\n'))).toEqual([])
    expect(failedFilesIn('the server did not start')).toEqual([])
  })
})
