// backup, restore, export-diagnostics, logs, admin: what is kept of a box, what support asks for, and the way back in.

import { writeFileSync } from 'node:fs'
import type { FileAnswer } from '#gateway/control/answers.ts'
import { plain } from '#shared/terminal-text.ts'
import { type Command, EXIT, LineError, type Output, text, wholeNumber, word } from './command.ts'
import { readInput } from './read-input.ts'

const LEVELS = ['debug', 'info', 'warn', 'error', 'fatal'] as const

export const keepingCommands: readonly Command[] = [
  {
    name: 'backup',
    usage: '[file]',
    summary: 'Printers, routing, people and settings as one file, for this box or another; no orders',
    options: {},
    examples: ['', 'friday.json.gz'],
    run: async ({ call, words }) => saved(await call('backup.make', {}), words[0]),
  },
  {
    name: 'restore',
    usage: '<file>',
    summary: 'Take over what a backup holds; pairing and displays stay with their box',
    options: {},
    examples: ['friday.json.gz'],
    run: async (line) => {
      const answer = await line.call('backup.restore', { base64: readInput(word(line, 0)).toString('base64') })
      const { printersAdded, printersChanged, rules, users, notes } = answer
      const summary = `${printersAdded} printers added, ${printersChanged} changed, ${rules} rules, ${users} users.`
      return { data: answer, text: [summary, ...notes].map(plain).join('\n') }
    },
  },
  {
    name: 'export-diagnostics',
    usage: '[file]',
    summary: 'What support needs, without secrets and customers, as one file; says what is in it',
    options: {},
    examples: ['', 'for-support.tar.gz'],
    run: async ({ call, words }) => saved(await call('diagnostics.export', {}), words[0]),
  },
  {
    name: 'logs',
    usage: '',
    summary: 'The newest lines of the log, the newest last; to follow it: journalctl -fu ticketrail-gateway',
    options: {
      level: { value: `<${LEVELS.join('|')}>`, text: 'At least of this level' },
      text: { value: '<words>', text: 'Only lines with these words, such as the id of an order' },
      limit: { value: '<lines>', text: 'At most so many; 100 without it' },
    },
    examples: ['', '--level warn', '--text ord_01J --limit 20'],
    run: async (line) => {
      const level = text(line, 'level')
      const known = LEVELS.find((it) => it === level)
      if (level !== undefined && known === undefined)
        throw new LineError(`--level must be one of ${LEVELS.join(', ')}`, EXIT.usage)
      const words = text(line, 'text')
      const limit = wholeNumber(line, 'limit')
      const answer = await line.call('logs.list', {
        ...(known !== undefined && { level: known }),
        ...(words !== undefined && { text: words }),
        ...(limit !== undefined && { limit }),
      })
      const lines = answer.lines
        .toReversed()
        .map(({ at, level: of, message, details }) =>
          plain(`${at} ${of.padEnd(5)} ${message} ${JSON.stringify(details)}`),
        )
      return { data: answer, text: lines.join('\n') || 'Nothing was logged that fits.' }
    },
  },
  {
    name: 'admin setup-code',
    usage: '',
    summary: "A one-time code for the page's first user",
    options: {},
    examples: [''],
    run: async ({ call }) => {
      const answer = await call('admin.setup-code', {})
      return { data: answer, text: `Type this code into the page: ${answer.code}` }
    },
  },
  {
    name: 'admin setup-ticket',
    usage: '<printer>',
    summary:
      'Prints where the page is, and makes a code for its first user: printed too at a USB printer, else shown here',
    options: {},
    examples: ['Grill'],
    run: async (line) => {
      const answer = await line.call('admin.setup-ticket', { printer: word(line, 0) })
      const { ticketId, code } = answer
      const where = code === null ? 'The code stands on the ticket.' : `Type this code into the page: ${code}`
      return { data: answer, text: `Queued as ${plain(ticketId)}. ${where}` }
    },
  },
  {
    name: 'admin reset',
    usage: '',
    summary: 'Nobody can sign in any more: takes all users away and makes a code for a new first one',
    options: { yes: { text: 'Do it; without it nothing happens' } },
    examples: ['--yes'],
    run: async ({ call, options }) => {
      if (options['yes'] !== true) throw new LineError('this takes all users away: say --yes', EXIT.usage)
      const answer = await call('admin.reset', {})
      return { data: answer, text: `${answer.users} users taken away. Type this code into the page: ${answer.code}` }
    },
  },
]

/** The file in the current folder, or where asked; never over another one. */
function saved({ fileName, base64, contents }: FileAnswer, wanted: string | undefined): Output {
  const file = wanted ?? fileName
  try {
    writeFileSync(file, Buffer.from(base64, 'base64'), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : 'unknown'
    throw new LineError(code === 'EEXIST' ? `${file} is there already` : `${file} cannot be written (${code})`)
  }
  const lines = contents.map(({ name, bytes }) => plain(`  ${name}: ${bytes} bytes`))
  return { data: { file, contents }, text: [`Saved as ${file}:`, ...lines].join('\n') }
}
