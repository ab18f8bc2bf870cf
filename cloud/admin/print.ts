// Prints the answers of operations on the operator's command line, by the names of their fields.
import { table as columns, facts as factLines } from '#shared/cli/terminal.ts'

/** Rows as columns under their headings; a sentence when there are none. */
export function table(rows: readonly Readonly<Record<string, unknown>>[], ifEmpty: string): string {
  const names = Object.keys(rows[0] ?? {})
  const cells = rows.map((row) => names.map((name) => row[name]))
  return columns(names.map(heading), cells, ifEmpty)
}

/** One thing: a line for each value. */
export function facts(values: Readonly<Record<string, unknown>>): string {
  return factLines(Object.entries(values).map(([name, value]) => [heading(name), value ?? '-']))
}

/** `lastUsedAt` -> `LAST USED AT` */
function heading(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter}`).toUpperCase()
}

/** A number of bytes as `12.3 MB`, in millions. */
export function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** An amount in cents as `$12.50`. */
export function money(cents: number | null): string {
  return cents === null ? 'by contract' : `$${(cents / 100).toFixed(2)}`
}
