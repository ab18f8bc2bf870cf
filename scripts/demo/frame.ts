// A ticket's text as it would stand on paper, in a frame for the terminal.

/** Narrower paper is still drawn this wide. */
const MIN_COLUMNS = 42
/** Control characters, invisible formatting such as bidi overrides, line and paragraph separators. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** The text of orders comes from outside: control characters would reach the terminal as commands. */
function harmless(line: string): string {
  return line.replace(UNSAFE, '·')
}

/** @param title stands in the upper edge */
export function frameTicket(text: string, title: string): string {
  const lines = text.replace(/\n+$/, '').split('\n').map(harmless)
  const columns = Math.max(MIN_COLUMNS, title.length + 4, ...lines.map((line) => [...line].length))
  const top = `┌─ ${title} ${'─'.repeat(columns - title.length - 1)}┐`
  const body = lines.map((line) => `│ ${line}${' '.repeat(columns - [...line].length)} │`)
  return [top, ...body, `└${'╌'.repeat(columns + 2)}┘`].join('\n')
}
