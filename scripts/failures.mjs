// What to repeat of a stage's output when it failed, because whoever reads CI sees only the end of it.
// Plain JavaScript, because it runs on the machine's own Node (20 or newer) before anything is installed.

const SHOWN_LINES = 80
/** What stands above vitest's own list of failures. */
const VITEST_HEADING = /^\W*(Failed (Suites|Tests) \d+|Unhandled (Errors?|Rejection))/
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
const COLOURS = /\u001b\[[0-9;]*m/g

/**
 * The names of vitest's failed tests and its messages about them, or the last lines when it has none.
 * @param {string} output all that the stage has printed
 * @returns {string[]} lines without colours
 */
export function failuresIn(output) {
  const lines = output.replace(COLOURS, '').trimEnd().split('\n')
  const start = lines.findIndex((line) => VITEST_HEADING.test(line))
  if (start === -1) return lines.slice(-SHOWN_LINES)
  const section = lines.slice(start)
  if (section.length <= SHOWN_LINES) return section
  const names = [...new Set(section.filter((line) => /^\s*FAIL\s/.test(line)))]
  const cut = section.length - SHOWN_LINES
  return [...names, '', ...section.slice(0, SHOWN_LINES), `(and ${cut} lines more, above)`]
}

/**
 * Files of vitest's failed tests.
 * @param {string} output all that the stage has printed
 * @returns {string[]} each once; none when anything has failed that belongs to no test
 */
export function failedFilesIn(output) {
  const lines = output.replace(COLOURS, '').split('\n')
  if (lines.some((line) => /^\W*Unhandled (Errors?|Rejection)/.test(line))) return []
  return [...new Set(lines.flatMap((line) => /^\s*FAIL\s.*?(\S+\.test\.ts)(?:\s|$)/.exec(line)?.[1] ?? []))]
}

/**
 * What the tests themselves say that they left out, and why: `<file> is skipped: <reason>`.
 * @param {string} output all that the stage has printed
 * @returns {string[]} each once
 */
export function skipsIn(output) {
  const lines = output.replace(COLOURS, '').split('\n')
  return [...new Set(lines.flatMap((line) => /\S+\.test\.ts is skipped: .+/.exec(line)?.[0] ?? []))]
}
