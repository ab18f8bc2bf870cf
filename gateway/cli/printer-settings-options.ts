// The options of `printers set`: text as typed to the settings of a printer. Units in words (45s, 10m, 2h).
import type { OperationBody } from '#gateway/control/operations.ts'
import { durationMs, LineError, list, type OptionHelp, text, wholeNumber } from '#shared/cli/command.ts'
import { type CodePageRow, codePageRows } from '#shared/code-page-rows.ts'
import { EXIT, type Line } from './command.ts'

type Settings = NonNullable<OperationBody<'printers.update'>['settings']>

export const SETTINGS_OPTIONS: Readonly<Record<string, OptionHelp>> = {
  papers: { value: '<kitchen,receipt,label>', text: 'What it prints of each order' },
  split: { value: '<consolidated|per-item>', text: 'One ticket an order, or one for each line' },
  copies: { value: '<1-5>', text: 'Copies of each ticket' },
  doubt: {
    value: '<reprint|hold>',
    text: 'When a ticket may be on paper: print it again, marked, or wait for a person',
  },
  backup: { value: '<printer|none>', text: 'Takes over while this one cannot print' },
  'backup-after': { value: '<20s>', text: 'Nothing could be sent for so long' },
  'backup-when-doubtful-after': { value: '<45s>', text: 'Stopped in the middle of a ticket for so long' },
  'stale-after': { value: '<30m|none>', text: 'After an outage, older tickets wait behind one summary slip' },
  'stale-above': { value: '<n|none>', text: 'The same, when more than so many wait' },
  connection: { value: '<shared|exclusive>', text: 'exclusive: stays open; for printers that nobody else uses' },
  beeps: { value: '<0-9>', text: 'Beeps before each kitchen ticket' },
  'code-pages': { value: '<16:windows1252,...|none>', text: 'Rows picked on the code page sheet; none: the profile’s' },
  columns: { value: '<24-64|none>', text: 'Columns measured on the test ticket; none: the profile’s' },
  mac: { value: '<64:eb:..|none>', text: 'Hardware address by which it is found again' },
}

/** What was given. @throws LineError that names the option */
export function settingsOf(line: Line): Settings {
  const given: Record<string, unknown> = {
    papers: listOf(line, 'papers'),
    split: text(line, 'split'),
    copies: wholeNumber(line, 'copies'),
    doubt: text(line, 'doubt'),
    backupPrinterId: orNone(line, 'backup', (value) => value),
    backupAfterMs: orNone(line, 'backup-after', (value) => durationMs('backup-after', value)),
    backupWhenDoubtfulAfterMs: orNone(line, 'backup-when-doubtful-after', (value) =>
      durationMs('backup-when-doubtful-after', value),
    ),
    staleAfterMs: orNone(line, 'stale-after', (value) => durationMs('stale-after', value)),
    staleAboveTickets: orNone(line, 'stale-above', () => wholeNumber(line, 'stale-above')),
    connection: text(line, 'connection'),
    beeps: wholeNumber(line, 'beeps'),
    codePages: orNone(line, 'code-pages', codePages),
    columns: orNone(line, 'columns', () => wholeNumber(line, 'columns')),
    mac: orNone(line, 'mac', (value) => value.toLowerCase().replaceAll('-', ':')),
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Settings
}

function listOf(line: Line, name: string): string[] | undefined {
  const value = text(line, name)
  return value === undefined ? undefined : list(value)
}

function orNone<T>(line: Line, name: string, read: (value: string) => T): T | null | undefined {
  const value = text(line, name)
  if (value === undefined) return undefined
  return value === 'none' ? null : read(value)
}

function codePages(value: string): CodePageRow[] {
  const rows = codePageRows(value)
  if (rows === undefined) throw new LineError('--code-pages must be rows such as 16:windows1252,18:cp852', EXIT.usage)
  return rows
}
