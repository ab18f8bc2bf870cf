// How answers look on a terminal: tables with aligned columns, and name-value lines.

/** Rows as columns under their headings; a sentence when there are none. */
export function table(rows: readonly Readonly<Record<string, unknown>>[], ifEmpty: string): string {
  const [first] = rows
  if (first === undefined) return ifEmpty
  const names = Object.keys(first)
  const cells = [names.map(heading), ...rows.map((row) => names.map((name) => cellOf(row[name])))]
  const widths = names.map((_, i) => Math.max(...cells.map((row) => row[i]?.length ?? 0)))
  return cells
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** One thing: a line for each value. */
export function facts(values: Readonly<Record<string, unknown>>): string {
  const width = Math.max(...Object.keys(values).map((name) => heading(name).length))
  return Object.entries(values)
    .map(([name, value]) => `${heading(name).padEnd(width)}  ${cellOf(value)}`)
    .join('\n')
}

/** `lastUsedAt` -> `LAST USED AT` */
function heading(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter}`).toUpperCase()
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-'
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(cellOf).join(', ')
  if (typeof value === 'object') return JSON.stringify(value)
  // Names come from outside: a control character must not reach the terminal.
  return String(value).replaceAll(/\p{Cc}/gu, '?')
}

/** An amount in cents as `$12.50`. */
export function money(cents: number | null): string {
  return cents === null ? 'by contract' : `$${(cents / 100).toFixed(2)}`
}
