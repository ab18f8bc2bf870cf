// How answers look on a terminal: tables with aligned columns, and name-value lines.
import { aligned, plain } from '#shared/terminal-text.ts'

/** Rows as columns under their headings; a sentence when there are none. */
export function table(rows: readonly Readonly<Record<string, unknown>>[], ifEmpty: string): string {
  const [first] = rows
  if (first === undefined) return ifEmpty
  const names = Object.keys(first)
  const cells = [names.map(heading), ...rows.map((row) => names.map((name) => cellOf(row[name])))]
  return aligned(cells)
}

/** One thing: a line for each value. */
export function facts(values: Readonly<Record<string, unknown>>): string {
  return aligned(Object.entries(values).map(([name, value]) => [heading(name), cellOf(value)]))
}

/** `lastUsedAt` -> `LAST USED AT` */
function heading(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter}`).toUpperCase()
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-'
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(cellOf).join(', ')
  if (typeof value === 'object') return JSON.stringify(value)
  // Names come from outside.
  return plain(String(value))
}

/** A number of bytes as `12.3 MB`, in millions. */
export function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** An amount in cents as `$12.50`. */
export function money(cents: number | null): string {
  return cents === null ? 'by contract' : `$${(cents / 100).toFixed(2)}`
}
