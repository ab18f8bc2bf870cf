// How answers look on a terminal: tables with aligned columns, facts, and nothing that a terminal would obey.

/** Columns under their headings; a sentence when there are no rows. */
export function table(headings: readonly string[], rows: readonly (readonly unknown[])[], ifEmpty: string): string {
  if (rows.length === 0) return ifEmpty
  const cells = [headings.map((heading) => heading.toUpperCase()), ...rows.map((row) => row.map(cellOf))]
  const widths = headings.map((_, i) => Math.max(...cells.map((row) => row[i]?.length ?? 0)))
  return cells
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** A line for each value; those that say nothing are left out. */
export function facts(values: readonly (readonly [string, unknown])[]): string {
  const said = values.filter(([, value]) => value !== null && value !== undefined && value !== '')
  const width = Math.max(0, ...said.map(([name]) => name.length))
  return said.map(([name, value]) => `${name.padEnd(width)}  ${cellOf(value)}`).join('\n')
}

/** Text from outside on one line: no control characters, no direction marks. */
export function plain(value: string): string {
  return value.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?')
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-'
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(cellOf).join(', ')
  if (value === true) return 'yes'
  if (value === false) return 'no'
  return plain(String(value))
}
