// Where the errors of a menu file are: line and column of each, and the present value. Pure.

/** As the relay names it: `content.line.4.price`, or `content.entry.4.price` in a JSON list. */
const PATH = /^content\.(line|entry)\.([0-9]+)(?:\.(.*))?$/s
/** Characters of a line that are shown. */
const LONGEST_LINE = 160

export interface WrongPlace {
  kind: 'line' | 'entry'
  /** From 1. */
  number: number
  /** Null: the whole entry is wrong. */
  column: string | null
  /** The text of this line of the file; null: it is an entry of a list. */
  text: string | null
}

/** @returns null: the path names no place of a file */
export function wrongPlace(path: string, content: string): WrongPlace | null {
  const [, kind, digits, column = null] = PATH.exec(path) ?? []
  if (kind === undefined) return null
  const number = Number(digits)
  const line = kind === 'line' ? (content.split('\n')[number - 1] ?? '').trim() : null
  const text = line !== null && line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line
  return { kind: kind === 'line' ? 'line' : 'entry', number, column, text }
}
