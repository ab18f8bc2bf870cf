// Terminal output of the command lines: aligned columns, text from outside made harmless, the commands that were probably meant.

/** Rows as columns two spaces apart, each line behind `indent`. */
export function aligned(rows: readonly (readonly string[])[], indent = ''): string {
  const widths: number[] = []
  for (const row of rows) for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, cell.length)
  return rows
    .map((row) => `${indent}${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ')}`.trimEnd())
    .join('\n')
}

/** Text from outside on one line: no control characters, no direction marks. */
export function plain(value: string): string {
  return value.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?')
}

/** What a terminal interprets: control characters except line ends and tabs, and marks that change the text direction. */
const OBEYED = /[^\P{Cc}\n\t]|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** All output of a command line passes through it. In JSON it becomes an escape, and the data stays the same. */
export function harmless(text: string, as: 'text' | 'json' = 'text'): string {
  return text.replaceAll(OBEYED, (mark) =>
    as === 'json' ? `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}` : '?',
  )
}

/** A mistyped name differs by about one letter in three; one that differs more was not meant. */
const LETTERS_PER_MISTAKE = 3

/** At most three names, nearest first, that begin with what was typed or differ from it by few letters. */
export function nearNames(names: readonly string[], typed: string): string[] {
  const most = Math.ceil(typed.length / LETTERS_PER_MISTAKE)
  return names
    .map((name) => ({ name, far: name.startsWith(typed) ? 0 : distance(name, typed) }))
    .filter(({ far }) => far <= most)
    .sort((a, b) => a.far - b.far)
    .slice(0, 3)
    .map(({ name }) => name)
}

/** Levenshtein. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
