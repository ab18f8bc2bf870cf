// A ticket's text as printed on paper, in a frame for the terminal.

/** Narrower paper is still drawn this wide. */
const MIN_COLUMNS = 42
/** Control characters, invisible formatting such as bidi overrides, line and paragraph separators. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** The text of orders is untrusted input: control characters would be commands to the terminal. */
function harmless(line: string): string {
  return line.replace(UNSAFE, '·')
}

/** What the terminal can show. */
export interface TerminalLook {
  /** Its width now; undefined when it is not a terminal. */
  columns: number | undefined
  /** The locale supports only ASCII, so the frame is drawn with that. */
  isAscii: boolean
}

const LINES = { corner: ['┌', '┐', '└', '┘'], across: '─', edge: '│', cut: '╌' } as const
const ASCII = { corner: ['+', '+', '+', '+'], across: '-', edge: '|', cut: '.' } as const

/** True for the locales C and POSIX and those with another character set; without any locale a terminal is taken for a modern one. */
export function isAsciiLocale(env: Readonly<Record<string, string | undefined>>): boolean {
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || ''
  return locale !== '' && !/utf-?8/i.test(locale)
}

/** @param title in the upper edge; where the terminal is too narrow for a frame, alone above the text */
export function frameTicket(
  text: string,
  title: string,
  look: TerminalLook = { columns: undefined, isAscii: false },
): string {
  const { corner, across, edge, cut } = look.isAscii ? ASCII : LINES
  const lines = text.replace(/\n+$/, '').split('\n').map(harmless)
  const columns = Math.max(MIN_COLUMNS, title.length + 4, ...lines.map((line) => [...line].length))
  if (look.columns !== undefined && look.columns < columns + 4)
    return [`${across} ${title}`, ...lines, across].join('\n')
  const top = `${corner[0]}${across} ${title} ${across.repeat(columns - title.length - 1)}${corner[1]}`
  const body = lines.map((line) => `${edge} ${line}${' '.repeat(columns - [...line].length)} ${edge}`)
  return [top, ...body, `${corner[2]}${cut.repeat(columns + 2)}${corner[3]}`].join('\n')
}
