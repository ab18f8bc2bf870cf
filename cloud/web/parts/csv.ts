// Rows as a file for a spreadsheet. Pure.

export interface CsvColumn<R> {
  label: string
  text: (row: R) => string | number | null
}

/** A cell that begins so would be run as a formula: also behind a semicolon or a tab, where spreadsheets of other languages part cells. */
const FORMULA = /(?<=^|[;\t\r\n])(?=[=+\-@\t\r])/g

/** CSV by RFC 4180, with the byte order mark by which spreadsheets detect UTF-8. Numbers stay numbers; text that could be a formula gets an apostrophe. */
export function csvOf<R>(columns: readonly CsvColumn<R>[], rows: readonly R[]): string {
  const lines = [
    columns.map(({ label }) => cell(label)),
    ...rows.map((row) => columns.map(({ text }) => cell(text(row)))),
  ]
  return `\ufeff${lines.map((cells) => cells.join(',')).join('\r\n')}\r\n`
}

function cell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const safe = value.replaceAll(FORMULA, "'")
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
