// The verdict on a test order: green when all is proved or left out by name, and in each wrong set-up exactly what is wrong.
import { describe, expect, it } from 'vitest'
import { finding, opening } from '#gateway/care/finding.ts'
import type { GuideState } from '#gateway/storage/box-settings-store.ts'
import { DEFAULT_PRINTER_SETTINGS } from '#shared/printer-settings.ts'
import { fold } from '#shared/tickets/route.ts'
import { routingRules } from '#shared/tickets/routing-rules.ts'
import type { CheckLine } from './check-answers.ts'
import {
  type CheckFacts,
  type CheckPrinter,
  type CheckScreen,
  type CheckTicket,
  checkVerdict,
} from './check-verdict.ts'
import type { FindingAnswer } from './health-answers.ts'
import { findingAnswer } from './health-operations.ts'
import { type StationFacts, stationsOf } from './stations.ts'

/** A kitchen's settings, and the results of the test order in it. What is not given is fine. */
interface Kitchen {
  /** Stations of each printer; Pass is the default one. */
  printers?: Record<string, string[]>
  screens?: Record<string, string[]>
  backups?: Record<string, string>
  rules?: unknown[]
  seen?: StationFacts['seen']
  standing?: Record<string, Partial<CheckPrinter>>
  screenStanding?: Record<string, Partial<CheckScreen>>
  /** Screens of runners and of guests. */
  others?: Record<string, Partial<CheckScreen>>
  /** What became of the ticket at a printer. */
  tickets?: Record<string, Partial<CheckTicket>>
  /** At a printer somebody read a number of this one's paper. */
  typed?: Record<string, string>
  leftOut?: GuideState['leftOut']
  findings?: FindingAnswer[]
}

const GOOD = { printers: { Pass: [], Grill: ['Grill'], Bar: ['Bar'] }, screens: { Line: ['Grill', 'Bar'] } }

const SHOWS = { isSignedIn: true, isAlive: true, isSeen: true }

function check(change: Kitchen = {}) {
  const { printers, screens, backups = {}, others = {}, typed = {}, leftOut = [], ...kitchen } = { ...GOOD, ...change }
  const facts: StationFacts = {
    printers: Object.entries(printers).map(([name, stations]) => ({
      ...{ printerId: fold(name), name, stations, isDefault: name === 'Pass' },
      settings: { ...DEFAULT_PRINTER_SETTINGS, backupPrinterId: backups[name] ? fold(backups[name]) : null },
    })),
    displays: Object.entries(screens).map(([name, stations]) => ({
      ...{ displayId: fold(name), name, stations, backupPrinterId: null },
    })),
    rules: routingRules.parse(kitchen.rules ?? []),
    seen: kitchen.seen ?? [],
  }
  const stations = stationsOf(facts)
  const verdict = checkVerdict({
    stations,
    printers: facts.printers.map(({ printerId, name }) => ({
      ...{ printerId, name, state: 'online', reasons: ['none'], isPaused: false, isIdentified: true },
      ...kitchen.standing?.[name],
    })),
    screens: [
      ...facts.displays.map(({ displayId, name }) => ({ ...SHOWS, displayId, ...kitchen.screenStanding?.[name] })),
      ...Object.entries(others).map(([name, standing]) => ({ ...SHOWS, displayId: fold(name), ...standing })),
    ],
    others: Object.keys(others).map((name) => ({ displayId: fold(name), name })),
    tickets: ticketsOf(facts, stations, kitchen.tickets ?? {}),
    typed: new Map(Object.entries(typed).map(([at, of]) => [fold(at), fold(of)])),
    ...{ leftOut, findings: kitchen.findings ?? [] },
  })
  return { ...verdict, wrong: verdict.lines.filter(({ state }) => state !== 'proved') }
}

/** One for each printer, with the lines that come out there. */
function ticketsOf(
  { printers }: StationFacts,
  { stations, rest }: CheckFacts['stations'],
  changes: Record<string, Partial<CheckTicket>>,
): CheckTicket[] {
  return printers.flatMap(({ printerId, name }) => {
    const lines = stations.filter(({ paper }) => paper.some((one) => one.printerId === printerId))
    const keys = [...(rest.printerId === printerId ? [''] : []), ...lines.map((station) => fold(station.name))]
    const ticket = { printerId, meantFor: printerId, state: 'printed', reason: null, isConfirmed: true, stations: keys }
    return [{ ...ticket, ...changes[name] }]
  })
}

/** As a person reads it. */
const words = (lines: readonly CheckLine[]): string[] =>
  lines.map(({ kind, name, state, why, values }) => {
    const told = Object.values(values)
    return `${kind} ${name || 'of nothing else'}: ${state}, ${why}${told.length === 0 ? '' : ` (${told.join(', ')})`}`
  })

describe('a kitchen in which everything is right', () => {
  it('is green, and every printer, station and screen is named', () => {
    const { isGreen, lines } = check()
    expect(isGreen).toBe(true)
    expect(words(lines)).toEqual([
      'printer Pass: proved, printed',
      'printer Grill: proved, printed',
      'printer Bar: proved, printed',
      'station Grill: proved, everywhere',
      'station Bar: proved, everywhere',
      'station of nothing else: proved, everywhere',
      'screen Line: proved, shown',
    ])
  })

  it('is green with one printer, or with one expo screen', () => {
    expect(check({ printers: { Pass: [] }, screens: {} }).isGreen).toBe(true)
    expect(check({ printers: { Pass: ['Grill'] }, screens: { Expo: [] } }).isGreen).toBe(true)
  })

  it('is green with screens alone: what has no station is on the one that shows everything, else on any', () => {
    const alone = { printers: {}, screens: { Line: ['Grill', 'Bar'], Cold: ['Salads'] } }
    expect(words(check(alone).wrong)).toEqual([])
    expect(check(alone).isGreen).toBe(true)
    expect(check({ printers: {}, screens: { Line: ['Grill'], Expo: [] } }).isGreen).toBe(true)
    const away = { Expo: { isSeen: false } }
    expect(words(check({ printers: {}, screens: { Line: ['Grill'], Expo: [] }, screenStanding: away }).wrong)).toEqual([
      'station of nothing else: waits, screen-open (Expo)',
      'screen Expo: waits, not-shown',
    ])
  })

  it('is green with a runner’s screen and a board of the guests that show their boards', () => {
    const { isGreen, lines } = check({ others: { Runner: {}, Guests: {} } })
    expect(isGreen).toBe(true)
    expect(words(lines).slice(-2)).toEqual(['screen Runner: proved, board-drawn', 'screen Guests: proved, board-drawn'])
    // Its board was drawn within the check: that it disconnected since is not part of it.
    expect(check({ others: { Runner: { isAlive: false } } }).isGreen).toBe(true)
  })

  it('asks for the number where a printer’s own answer is no proof', () => {
    const asks = { state: 'asks', why: 'type-number' }
    const assumed = { tickets: { Grill: { isConfirmed: false } } }
    expect(check(assumed).wrong).toMatchObject([{ name: 'Grill', ...asks }])
    expect(check({ ...assumed, typed: { Grill: 'Grill' } }).isGreen).toBe(true)
    // It prints, but nobody has checked where.
    expect(check({ standing: { Bar: { isIdentified: false } } }).wrong).toMatchObject([{ name: 'Bar', ...asks }])
    // The only one cannot be taken for another.
    const only = { printers: { Pass: [] }, screens: {}, standing: { Pass: { isIdentified: false } } }
    expect(check(only).isGreen).toBe(true)
    expect(check({ ...only, tickets: { Pass: { isConfirmed: false } } }).wrong).toMatchObject([
      { name: 'Pass', ...asks },
    ])
  })

  it('is not green while something is on its way', () => {
    expect(words(check({ tickets: { Grill: { state: 'queued' } } }).wrong)).toEqual([
      'printer Grill: waits, on-its-way',
      'station Grill: waits, printer-open (Grill)',
    ])
    expect(words(check({ screenStanding: { Line: { isSeen: false } } }).wrong)).toEqual([
      'station Grill: waits, screen-open (Line)',
      'station Bar: waits, screen-open (Line)',
      'screen Line: waits, not-shown',
    ])
    const off = { isAlive: false, isSeen: false }
    const two = { screens: { Old: ['Grill', 'Bar'], Line: ['Grill', 'Bar'] } }
    expect(words(check({ ...two, screenStanding: { Old: off, Line: { isSeen: false } } }).wrong)).toEqual([
      'station Grill: waits, screen-open (Line)',
      'station Bar: waits, screen-open (Line)',
      'screen Old: silent, screen-off',
      'screen Line: waits, not-shown',
    ])
    const slow = check({ others: { Guests: { isSeen: false } } })
    expect([slow.isGreen, ...words(slow.wrong)]).toEqual([false, 'screen Guests: waits, board-not-drawn'])
  })
})

/** Each with all its problems. */
const WRONG: readonly [string, Kitchen, string[]][] = [
  [
    'a printer without a station, which is not the default one',
    { printers: { ...GOOD.printers, Fry: [] } },
    ['printer Fry: nothing, no-work'],
  ],
  [
    'a station that no printer serves',
    { seen: [{ station: 'Wok', lines: 7 }] },
    ['station Wok: nothing, no-place (Pass)'],
  ],
  [
    'a screen for stations that nobody else knows',
    { screens: { ...GOOD.screens, Cold: ['Salads'] } },
    ['station Salads: nothing, no-printer (Pass)', 'screen Cold: nothing, no-overlap (Salads)'],
  ],
  [
    'two printers in each other’s place',
    { typed: { Grill: 'Bar', Bar: 'Grill' } },
    ['printer Grill: wrong, swapped (Bar)', 'printer Bar: wrong, swapped (Grill)'],
  ],
  [
    'a printer that is off',
    { standing: { Grill: { state: 'offline', reasons: ['timed-out'] } }, tickets: { Grill: { state: 'queued' } } },
    ['printer Grill: silent, offline (timed-out)', 'station Grill: silent, printer-silent (Grill)'],
  ],
  [
    'a screen that is off',
    { screenStanding: { Line: { isAlive: false, isSeen: false } } },
    [
      'station Grill: silent, screen-silent (Line)',
      'station Bar: silent, screen-silent (Line)',
      'screen Line: silent, screen-off',
    ],
  ],
  [
    'a screen to which nobody has signed in',
    { screens: { ...GOOD.screens, New: [] }, screenStanding: { New: { isSignedIn: false, isSeen: false } } },
    ['screen New: silent, not-signed-in'],
  ],
  [
    'a runner’s screen to which nobody has signed in',
    { others: { Runner: { isSignedIn: false, isAlive: false, isSeen: false }, Guests: {} } },
    ['screen Runner: silent, not-signed-in'],
  ],
  [
    'a board of the guests that is switched off',
    { others: { Runner: {}, Guests: { isAlive: false, isSeen: false } } },
    ['screen Guests: silent, screen-off'],
  ],
  [
    'a printer that is paused',
    { standing: { Bar: { isPaused: true } }, tickets: { Bar: { state: 'queued' } } },
    ['printer Bar: silent, paused', 'station Bar: silent, printer-silent (Bar)'],
  ],
  [
    'backups in a circle, of which none prints',
    {
      backups: { Grill: 'Bar', Bar: 'Grill' },
      standing: { Grill: { state: 'offline' }, Bar: { state: 'offline' } },
      tickets: { Grill: { state: 'queued' }, Bar: { state: 'queued' } },
    },
    [
      'printer Grill: silent, offline (offline)',
      'printer Bar: silent, offline (offline)',
      'station Grill: silent, printer-silent (Grill)',
      'station Bar: silent, printer-silent (Bar)',
    ],
  ],
  [
    'a rule that sends nowhere',
    { rules: [{ name: 'Delivery', when: { orderType: 'delivery' }, print: { printerIds: ['gone'] } }] },
    ['rule Delivery: nothing, rule-gone'],
  ],
  [
    'a station with a slip of the keyboard at its printer',
    { printers: { Pass: [], Grill: ['Gril'], Bar: ['Bar'] } },
    ['station Gril: nothing, no-screen', 'station Grill: nothing, like (Gril)'],
  ],
  [
    'a station with a slip of the keyboard at its printer, in a house whose orders say it right',
    { printers: { Pass: [], Grill: ['Gril'], Bar: ['Bar'] }, screens: {}, seen: [{ station: 'Grill', lines: 40 }] },
    ['station Gril: nothing, like (Grill)', 'station Grill: nothing, no-place (Pass)'],
  ],
  [
    'a second printer for a station, which another one takes before it',
    { printers: { ...GOOD.printers, Spare: ['Grill'] } },
    ['printer Spare: nothing, passed-over (Grill, Grill)'],
  ],
  ['a station that no screen shows', { screens: { Line: ['Grill'] } }, ['station Bar: nothing, no-screen']],
  [
    'a ticket that came out at the backup',
    { tickets: { Grill: { printerId: 'bar' } } },
    ['printer Grill: silent, moved (Bar)', 'station Grill: silent, at-backup (Grill, Bar)'],
  ],
  [
    'a second printer of a station that got no line of it',
    {
      rules: [{ name: 'Also at the bar', when: { station: 'Grill' }, print: { printerIds: ['bar'] }, stop: false }],
      tickets: { Bar: { stations: ['bar'] } },
    },
    ['station Grill: silent, no-line (Bar)'],
  ],
  [
    'what has no station, at the backup',
    { tickets: { Pass: { printerId: 'bar' } } },
    ['printer Pass: silent, moved (Bar)', 'station of nothing else: silent, at-backup (Pass, Bar)'],
  ],
  [
    'a ticket that failed',
    { tickets: { Grill: { state: 'failed', reason: 'damaged' } } },
    ['printer Grill: silent, failed (damaged)', 'station Grill: silent, printer-silent (Grill)'],
  ],
  [
    'no printer and no screen at all',
    { printers: {}, screens: {} },
    ['station of nothing else: nothing, no-printer-at-all'],
  ],
]

describe('a kitchen that is set up wrong', () => {
  it.each(WRONG)('names the exact step: %s', (_, kitchen, expected) => {
    const { isGreen, wrong } = check(kitchen)
    expect(isGreen).toBe(false)
    expect(words(wrong)).toEqual(expected)
  })

  it.each(WRONG)('is green when a person leaves just that out, by name: %s', (_, kitchen) => {
    const leftOut = check(kitchen).wrong.map(({ kind, id }) => ({ kind, id, by: 'Tea' }))
    expect(check({ ...kitchen, leftOut }).isGreen).toBe(true)
    expect(check({ ...kitchen, leftOut: leftOut.slice(1) }).isGreen).toBe(false)
  })

  it('names the backup printer, backups that go in a circle, and that none is left', () => {
    const notesOf = (name: string, kitchen: Kitchen) =>
      check(kitchen)
        .lines.find((line) => line.name === name)
        ?.notes.map(({ key, values }) => [key, ...Object.values(values)])
    const off = { state: 'offline' } as const
    expect(notesOf('Grill', { backups: { Grill: 'Bar' }, standing: { Grill: off } })).toEqual([['backup-took', 'Bar']])
    const circle = { backups: { Grill: 'Bar', Bar: 'Grill' } }
    expect(notesOf('Grill', circle)).toEqual([['circle', ['Grill', 'Bar', 'Grill']]])
    expect(notesOf('Grill', { ...circle, standing: { Grill: off, Bar: { isPaused: true } } })).toEqual([
      ['nobody-takes', ['Bar']],
      ['circle', ['Grill', 'Bar', 'Grill']],
    ])
    expect(check(circle).isGreen).toBe(true)
  })
})

describe('what Health reports', () => {
  const printer = { kind: 'printer', id: 'grill', name: 'Grill' } as const
  const said = (severity: FindingAnswer['severity'], subject?: FindingAnswer['subject']) =>
    findingAnswer(
      finding('time-zones-differ', {
        severity,
        act: opening('open-settings', '/settings'),
        ...(subject && { subject }),
      }),
    )

  it('keeps the check from being green while it is a fault or a warning, with its own sentence and act', () => {
    for (const severity of ['critical', 'warning'] as const) {
      const { isGreen, health, wrong } = check({ findings: [said(severity)] })
      expect([isGreen, wrong.length]).toEqual([false, 0])
      expect(health).toMatchObject([{ finding: { key: 'time-zones-differ' }, leftOutBy: null }])
    }
    expect(check({ findings: [said('advice')] })).toMatchObject({ isGreen: true, health: [] })
  })

  it('is left out by name, itself or the thing that it is about', () => {
    const itself = [{ kind: 'health', id: said('warning').id, by: 'Tea' }] as const
    expect(check({ findings: [said('warning')], leftOut: [...itself] }).isGreen).toBe(true)
    const its = [{ kind: 'printer', id: 'grill', by: 'Tea' }] as const
    expect(check({ findings: [said('critical', printer)], leftOut: [...its] }).isGreen).toBe(true)
    expect(check({ findings: [said('critical')], leftOut: [...its] }).isGreen).toBe(false)
  })
})
