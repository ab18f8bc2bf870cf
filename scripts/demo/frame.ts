// A ticket's text as it would stand on paper, in a frame for the terminal.

/** Narrower paper is still drawn this wide. */
const MIN_COLUMNS = 42
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a terminal
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

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
