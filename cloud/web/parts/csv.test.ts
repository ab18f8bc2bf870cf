// A list as a file for a spreadsheet.
import { expect, it } from 'vitest'
import { csvOf } from './csv.ts'

const columns = [
  { label: 'Name', text: ({ name }: { name: string; cents: number | null }) => name },
  { label: 'Cents', text: ({ cents }: { name: string; cents: number | null }) => cents },
]

it('quotes what has commas, quotes and lines, and keeps numbers as numbers', () => {
  const rows = [
    { name: 'Ana, "the boss"', cents: -250 },
    { name: 'two\nlines', cents: null },
  ]
  expect(csvOf(columns, rows)).toBe('\ufeffName,Cents\r\n"Ana, ""the boss""",-250\r\n"two\nlines",\r\n')
})

it.each(['=1+1', '+41 44', '-2', '@SUM(A1)', '\tx'])('runs nothing of a name such as %j', (name) => {
  expect(csvOf(columns, [{ name, cents: 1 }])).toContain(`'${name}`)
})

it('text behind a separator of other languages is no formula either', () => {
  const name = 'Ana;=HYPERLINK("http://evil.example");5\n@cmd\t+1'
  expect(csvOf(columns, [{ name, cents: 1 }])).toContain(`"Ana;'=HYPERLINK(""http://evil.example"");5\n'@cmd\t'+1"`)
  expect(csvOf(columns, [{ name: '\t=1+1', cents: 1 }])).toContain("'\t'=1+1")
})
