// backup, restore, export-diagnostics, logs, admin: what is kept of a box, what support asks for, and the way back in.

import { writeFileSync } from 'node:fs'
import type { BackupAnswer, BackupHolds, BackupPreviewAnswer, FileAnswer } from '#gateway/control/backup-answers.ts'
import { LineError, list, text, wholeNumber, word } from '#shared/cli/command.ts'
import { askedSecret, readInput } from '#shared/cli/read-input.ts'
import { codeOf } from '#shared/code-of.ts'
import { type OwnThresholds, sameThresholds } from '#shared/kitchen-times.ts'
import { plain } from '#shared/terminal-text.ts'
import { type Command, EXIT, type Line } from './command.ts'

const LEVELS = ['debug', 'info', 'warn', 'error', 'fatal'] as const

const PASSPHRASE_FILE = { value: '<file>', text: 'Its first line is the passphrase; without it, it is asked for' }

export const keepingCommands: readonly Command[] = [
  {
    name: 'backup',
    usage: '[file]',
    summary: 'Save printers, routing, people and settings as one file, encrypted with a passphrase; without orders',
    options: { 'passphrase-file': PASSPHRASE_FILE },
    examples: ['', 'friday.trbackup', 'friday.trbackup --passphrase-file /root/passphrase'],
    run: async (line) => {
      const passphrase = await passphraseOf(line, 'Passphrase for the backup, at least 12 characters:')
      const answer = await line.call('backup.make', { passphrase })
      const file = savedAs(answer, line.words[0])
      const { holds } = answer
      return { data: { file, holds }, text: `Saved as ${file}. It holds ${holdsWords(holds)}.` }
    },
  },
  {
    name: 'restore',
    usage: '<file>',
    summary: 'Show what a backup would change; with --yes apply it. Pairing and displays are not changed',
    options: {
      yes: { text: 'Apply it; without --yes nothing changes' },
      people: { value: '<name,name>', text: 'These people too; without it nobody comes along' },
      plain: { text: 'Accept a file without a passphrase, as older versions made them; it has no people' },
      'passphrase-file': PASSPHRASE_FILE,
    },
    examples: ['friday.trbackup', 'friday.trbackup --yes --people Max,Tea', 'old.json.gz --plain'],
    run: restore,
  },
  {
    name: 'export-diagnostics',
    usage: '[file]',
    summary: 'Save what support needs as one file, without secrets and customer data; lists what is in it',
    options: {},
    examples: ['', 'for-support.tar.gz'],
    run: async ({ call, words }) => {
      const answer = await call('diagnostics.export', {})
      const file = savedAs(answer, words[0])
      const { contents } = answer
      const lines = contents.map(({ name, bytes }) => plain(`  ${name}: ${bytes} bytes`))
      return { data: { file, contents }, text: [`Saved as ${file}:`, ...lines].join('\n') }
    },
  },
  {
    name: 'logs',
    usage: '',
    summary: 'Show the last lines of the log; to follow it: journalctl -fu ticketrail-gateway',
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
    summary: "Make a one-time set-up code for the page's first user",
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
      'Print the address of the page, and make a set-up code for its first user: a USB printer prints it too, otherwise it is shown here',
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
    summary: 'Remove all users, and make a set-up code for a new first one',
    options: { yes: { text: 'Do it; without --yes nothing happens' } },
    examples: ['--yes'],
    run: async ({ call, options }) => {
      if (options['yes'] !== true) throw new LineError('this takes all users away: say --yes', EXIT.usage)
      const answer = await call('admin.reset', {})
      return { data: answer, text: `${answer.users} users taken away. Type this code into the page: ${answer.code}` }
    },
  },
]

async function restore(line: Line): ReturnType<Command['run']> {
  const { call, options } = line
  const base64 = readInput(word(line, 0)).toString('base64')
  const isPlain = options['plain'] === true
  const key = isPlain ? { plain: true as const } : { passphrase: await passphraseOf(line, 'Passphrase of the backup:') }
  const preview = await call('backup.preview', { base64, ...key })
  if (options['yes'] !== true) {
    const next =
      'Nothing was changed. To take it over: the same with --yes, and --people with the names of who may come along.'
    return { data: preview, text: `${previewText(preview)}\n\n${next}` }
  }
  line.progress(previewText(preview))
  const answer = await call('backup.restore', { base64, ...key, people: list(text(line, 'people') ?? '') })
  const { printersAdded, printersChanged, rules, users, notes } = answer
  const summary = `${printersAdded} printers added, ${printersChanged} changed, ${rules} rules, ${users} users.`
  return { data: answer, text: [summary, ...notes].map(plain).join('\n') }
}

/** `usual 6 (soon 3), delivery 15 (soon 8)` */
function lateWords(own: OwnThresholds): string {
  const said = Object.entries(own).map(([type, { soonMin, lateMin }]) => `${type} ${lateMin} (soon ${soonMin})`)
  return said.length === 0 ? 'as usual' : said.join(', ')
}

function previewText(preview: BackupPreviewAnswer): string {
  const { printers, rules, settings, settingsNow, people, hasLogo } = preview
  const changed = (['name', 'timeZone', 'language'] as const).flatMap((key) =>
    settings[key] === settingsNow[key]
      ? []
      : [`${key}: ${settings[key]}${settingsNow[key] && ` instead of ${settingsNow[key]}`}`],
  )
  if (!sameThresholds(settings.thresholds, settingsNow.thresholds))
    changed.push(`minutes after which an order is late: ${lateWords(settings.thresholds)}`)
  const parts = [
    `Made ${preview.madeAt} by ${preview.app}${preview.isProtected ? '' : '. NOT PROTECTED: anybody may have changed it'}`,
    ...section(
      'Printers',
      printers.map(({ name, host, port, profileId, standing }) => [name, `${host}:${port}`, profileId, standing]),
    ),
    ...rulesWords(rules, preview.rulesReplaced),
    ...section(
      'Settings that change',
      changed.map((change) => [change]),
    ),
    ...(changed.length === 0 ? ['Name, time zone and language stay as they are'] : []),
    ...section(
      'People: only those who are named come along',
      people.map(({ name, role, standing }) => [name, role, standing]),
    ),
    hasLogo ? 'The picture on receipts is replaced' : 'The picture on receipts stays as it is',
  ]
  return parts.map(plain).join('\n')
}

/** The rules of the file take the place of all that are here. */
function rulesWords(rules: readonly string[], replaced: number): string[] {
  if (rules.length === 0)
    return [
      replaced === 0 ? 'Rules: none, here or in the backup' : `Rules: none. The ${replaced} that are here are removed`,
    ]
  const title = replaced === 0 ? 'Rules' : `Rules, in place of the ${replaced} that are here`
  return section(
    title,
    rules.map((name) => [name]),
  )
}

function section(title: string, rows: readonly (readonly string[])[]): string[] {
  return rows.length === 0 ? [] : [`${title}:`, ...rows.map((row) => `  ${row.join('  ')}`)]
}

/** Never from the command line itself, which the list of processes shows. */
async function passphraseOf(line: Line, question: string): Promise<string> {
  const file = text(line, 'passphrase-file')
  if (file === undefined) {
    // Not asked for in vain when no gateway runs.
    await line.call('settings.get', {})
    return await askedSecret(line, question)
  }
  const [first = ''] = readInput(file).toString('utf8').split(/\r?\n/)
  if (first === '') throw new LineError(`${file} begins with an empty line: it must be the passphrase`, EXIT.usage)
  return first
}

/** The file in the current folder, or where asked; never over another one. */
function savedAs({ fileName, base64 }: FileAnswer | BackupAnswer, wanted: string | undefined): string {
  const file = wanted ?? fileName
  try {
    writeFileSync(file, Buffer.from(base64, 'base64'), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    const code = codeOf(error) || 'unknown'
    throw new LineError(code === 'EEXIST' ? `${file} is there already` : `${file} cannot be written (${code})`)
  }
  return file
}

function holdsWords({ printers, people, rules, hasLogo }: BackupHolds): string {
  const some = (count: number, one: string, several: string) =>
    count === 0 ? `no ${several}` : `${count} ${count === 1 ? one : several}`
  return [
    some(printers, 'printer', 'printers'),
    some(people, 'person', 'people'),
    some(rules, 'rule', 'rules'),
    hasLogo ? 'a picture' : 'no picture',
  ].join(', ')
}
