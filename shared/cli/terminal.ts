// Formats answers for a terminal: tables with aligned columns, and facts, from values of any kind.
import { aligned, plain } from '#shared/terminal-text.ts'

/** Columns under their headings; a sentence when there are no rows. */
export function table(headings: readonly string[], rows: readonly (readonly unknown[])[], ifEmpty: string): string {
  if (rows.length === 0) return ifEmpty
  const cells = [headings.map((heading) => heading.toUpperCase()), ...rows.map((row) => row.map(cellOf))]
  return aligned(cells)
}

/** A line for each value; empty values are left out. */
export function facts(values: readonly (readonly [string, unknown])[]): string {
  const said = values.filter(([, value]) => value !== null && value !== undefined && value !== '')
  return aligned(said.map(([name, value]) => [name, cellOf(value)]))
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-'
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(cellOf).join(', ')
  if (value === true) return 'yes'
  if (value === false) return 'no'
  if (typeof value === 'object') return JSON.stringify(value)
  // Names are untrusted input.
  return plain(String(value))
}
