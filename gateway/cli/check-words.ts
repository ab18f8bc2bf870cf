// The lines of a check in English, for the terminal.
import type { CheckAnswer, CheckLine, CheckNote, CheckValues, CheckWhy } from '#gateway/control/check-answers.ts'

/** With its lists joined. */
type Words = (values: Readonly<Record<string, string | number>>) => string

const WHY: Readonly<Record<CheckWhy, Words>> = {
  printed: () => 'proved by the printer itself',
  'number-right': () => 'proved by its number',
  'type-number': () =>
    'printed; whether it stands where it should, the number on its paper says: type it in on the page',
  'on-its-way': () => 'its ticket is on its way',
  'not-sent': () => 'nothing was sent to it by this test: send another one',
  paused: () => 'paused: resume it',
  offline: ({ reason }) => `does not print: ${reason}`,
  failed: ({ reason }) => `its ticket failed: ${reason}`,
  moved: ({ printer }) => `its ticket came out at ${printer}`,
  swapped: ({ printer }) => `the paper of ${printer} came out there: the two are swapped`,
  'no-work': () => 'gets nothing: it has no station, no rule names it, and it is not the default printer',
  'passed-over': ({ station, printer }) => `gets nothing: ${printer} serves ${station} before it`,
  everywhere: () => 'came out wherever it should',
  'no-printer-at-all': () => 'has nowhere to go: no printer is set up',
  'no-place': ({ printer }) =>
    `has no place of its own: no printer and no screen serves it, so it comes out at ${printer}`,
  'no-printer': ({ printer }) => `no printer serves it: its paper comes out at ${printer}`,
  'no-screen': () => 'no screen shows it',
  like: ({ station }) => `looks like a slip of the keyboard: is ${station} meant?`,
  'printer-silent': ({ printer }) => `its paper did not come out at ${printer}`,
  'printer-open': ({ printer }) => `waits for ${printer}`,
  'at-backup': ({ printer, backup }) => `its line came out at ${backup}, the backup of ${printer}`,
  'no-line': ({ printer }) => `nothing of it was sent to ${printer}, which is to print it too: send another one`,
  'screen-silent': ({ display }) => `is shown nowhere: screen ${display} is off`,
  'screen-open': ({ display }) => `waits for screen ${display}`,
  'not-tried': () => 'was not in this test: send another one',
  shown: () => 'shows it',
  'not-shown': () => 'has not shown it yet',
  'screen-off': () => 'is off',
  'not-signed-in': () => 'nobody has signed in at it',
  'no-overlap': ({ stations }) => `shows nothing: no printer, rule or order knows ${stations}`,
  'board-drawn': () => 'shows its board as it is now',
  'board-not-drawn': () =>
    'answers, but does not show its board as it is now: bring its page to the front or reload it',
  'rule-gone': () => 'sends nowhere: its printers are gone',
  'rule-part-gone': () => 'one of its printers is gone',
  'rule-never': () => 'is never asked: an earlier rule ends the way of all that it asks for',
}

const NOTES: Readonly<Record<CheckNote, Words>> = {
  'backup-took': ({ printer }) => `${printer} prints for it`,
  'nobody-takes': ({ printers }) => `nobody prints for it: ${printers} cannot either`,
  circle: ({ printersChain }) => `backups in a circle: ${printersChain}`,
  'only-by-rules': () => 'gets only what its rules send',
  'only-backup': () => 'prints only while another printer is away',
}

/** Names are from outside: escape them for display. */
export function checkWords({ why, values, notes, leftOutBy }: CheckLine): string {
  const told = [WHY[why](joined(values)), ...notes.map((note) => NOTES[note.key](joined(note.values)))]
  return [...told, ...(leftOutBy === null ? [] : [`left out by ${leftOutBy}`])].join('; ')
}

function joined(values: CheckValues): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      if (typeof value !== 'object') return [name, value]
      return [name, value.join(name.endsWith('Chain') ? ' → ' : ', ')]
    }),
  )
}

/** What keeps it from being green, but for numbers that only a person can read off paper. */
export function openLines({ lines }: CheckAnswer): CheckLine[] {
  return lines.filter(({ state, leftOutBy }) => state !== 'proved' && state !== 'asks' && leftOutBy === null)
}

/** Warnings of Health that were not excluded. Names are from outside: escape them for display. */
export function openHealth({ health }: CheckAnswer): string[] {
  return health.flatMap(({ finding, leftOutBy }) => (leftOutBy === null ? [finding.title] : []))
}
