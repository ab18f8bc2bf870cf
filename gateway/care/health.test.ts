// The health of a box in each situation, with cost and action, and that "everything is fine" requires a report from every part.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Finding, verdictOf, WAITS_FOR_RELAY } from '#shared/health.ts'
import { englishOf } from '#shared/health-english.ts'
import {
  boardFacts,
  displayFacts,
  fryFacts,
  healthyBox,
  NOW,
  printerFacts,
  silentDisplay,
  WELL_BOX,
} from '#test/fixtures/healthy-box.ts'
import { assertProperty } from '#test/harness/property.ts'
import { healthOf, unheardOf } from './health.ts'
import type { HealthFacts, PrinterFacts } from './health-facts.ts'

type Over = Parameters<typeof healthyBox>[0]
const found = (over: Over = {}): Finding[] => healthOf(healthyBox(over))
const ids = (over: Over): string[] => found(over).map(({ id }) => id)
/** Severity, id, cost and action of each, in words. */
const said = (over: Over): string[] =>
  found(over).map((one) => {
    const { cost, act } = englishOf(one)
    const target = one.act === null ? '-' : one.act.kind === 'do' ? one.act.operation : one.act.to
    return `${one.severity} ${one.id} | ${cost || '-'} | ${target}: ${act}`
  })
const agoIso = (ms: number): string => new Date(NOW - ms).toISOString()
const down = (over: Partial<PrinterFacts> = {}): PrinterFacts =>
  printerFacts({ state: 'offline', reasons: ['media-empty'], hint: 'Put in a new roll.', ...over })
const verdict = (over: Over = {}): string => {
  const facts = healthyBox(over)
  return verdictOf(healthOf(facts), unheardOf(facts))
}

describe('a box', () => {
  it('that is well has no finding', () => {
    expect(found()).toEqual([])
    expect(verdict()).toBe('well')
  })

  it.each<[string, Over, string[]]>([
    [
      'a printer that was not asked yet',
      { printers: [printerFacts({ state: 'unknown', isUnheard: true })] },
      ['Grill'],
    ],
    ['a printer whose state is not known', { printers: [printerFacts({ state: 'unknown' })] }, ['Grill']],
    ['a printer that was not heard for long', { printers: [printerFacts({ isUnheard: true })] }, ['Grill']],
    ['a screen that is off', { displays: [silentDisplay()] }, ['Pass']],
    ['the disk', { box: { ...WELL_BOX, unheard: [{ part: 'disk', name: '' }] } }, ['disk']],
    ['the open orders', { board: null }, ['board']],
    ['the relay', { link: { state: 'connecting', detail: '', sinceMs: NOW - 1_000, unreported: 0 } }, ['relay']],
  ])('is not called well while this was not heard: %s', (_, over, parts) => {
    expect(unheardOf(healthyBox(over)).map(({ part, name }) => name || part)).toEqual(parts)
    expect(verdict(over)).not.toBe('well')
  })

  it('is never called well while a part does not answer', () => {
    const any = fc.record({
      printers: fc.array(
        fc.record({ state: fc.constantFrom('online', 'offline', 'unknown'), isUnheard: fc.boolean() }),
      ),
      alive: fc.array(fc.boolean(), { maxLength: 3 }),
      board: fc.boolean(),
      link: fc.constantFrom('connected', 'connecting', 'unpaired', 'unusable'),
    })
    const law = fc.property(any, ({ printers, alive, board, link }) => {
      const facts = healthyBox({
        printers: printers.map((over, n) =>
          printerFacts({ ...over, printerId: `p${n}`, name: `P${n}` } as PrinterFacts),
        ),
        displays: alive.map((isAlive, n) => displayFacts({ displayId: `d${n}`, isAlive, isSilent: !isAlive })),
        board: board ? boardFacts(0) : null,
        link: { state: link, detail: '', sinceMs: NOW - 1_000, unreported: 0 },
      })
      const isHeard =
        printers.every((one) => !one.isUnheard && one.state === 'online') &&
        alive.every((one) => one) &&
        board &&
        link === 'connected'
      const list = healthOf(facts)
      if (verdictOf(list, unheardOf(facts)) === 'well') expect(isHeard).toBe(true)
      expect(new Set(list.map(({ id }) => id)).size, 'each once').toBe(list.length)
    })
    assertProperty(law)
  })
})

describe('screens', () => {
  it('that are all dead with orders open are one fault that counts the orders, and the board can be printed', () => {
    const displays = [silentDisplay(), silentDisplay({ displayId: 'dsp_2', name: 'Fry', stations: ['fry'] })]
    expect(said({ displays, board: boardFacts(60, { dsp_1: [60, 0], dsp_2: [12, 0] }) })).toEqual([
      'critical no-screen-alive | 60 orders are on no screen. | displays.print-board: Print the open orders at Grill',
    ])
  })

  it('of runners and guests that do not answer are a notice and cost no order', () => {
    const otherScreens = [silentDisplay({ displayId: 'dsp_3', name: 'Guests' })]
    const [line] = said({ otherScreens, board: boardFacts(60, { dsp_3: [60, 0] }) })
    expect(line).toMatch(/^advice display-silent:dsp_3 \| - \| /)
  })

  it('of which one is dead are taken over by one that is alive', () => {
    const displays = [silentDisplay(), displayFacts({ displayId: 'dsp_2', name: 'Fry', stations: ['fry'] })]
    const [finding] = found({ displays, board: boardFacts(1, { dsp_1: [1, 0] }) })
    expect(finding).toMatchObject({ id: 'display-silent:dsp_1', severity: 'critical', sinceMs: NOW - 60_000 })
    expect(finding && englishOf(finding)).toMatchObject({
      cost: '1 order is on no screen.',
      act: 'Show its orders on Fry',
    })
    expect(finding?.act).toMatchObject({
      operation: 'displays.take-over',
      input: { displayId: 'dsp_1', by: 'dsp_2' },
    })
  })

  it('of which two of three are silent are two faults, and the live one takes over each', () => {
    const displays = [
      silentDisplay(),
      silentDisplay({ displayId: 'dsp_2', name: 'Bar', stations: ['bar'] }),
      displayFacts({ displayId: 'dsp_3', name: 'Fry', stations: ['fry'] }),
    ]
    expect(said({ displays, board: boardFacts(9, { dsp_1: [5, 0], dsp_2: [4, 0] }) })).toEqual([
      'critical display-silent:dsp_1 | 5 orders are on no screen. | displays.take-over: Show its orders on Fry',
      'critical display-silent:dsp_2 | 4 orders are on no screen. | displays.take-over: Show its orders on Fry',
    ])
  })

  it('whose orders only expo shows are a warning with their count, and a live station screen goes before expo', () => {
    const board = { unseen: 0, byDisplay: new Map([['dsp_1', { unseen: 0, printed: 0, onExpo: 50 }]]) }
    const grill = silentDisplay({ name: 'Grill', stations: ['grill'] })
    const expo = displayFacts({ displayId: 'dsp_2', name: 'Expo' })
    const fry = displayFacts({ displayId: 'dsp_3', name: 'Fry', stations: ['fry'] })
    expect(said({ displays: [grill, expo, fry], board })).toEqual([
      'warning display-silent:dsp_1 | The cooks do not see 50 orders at their station: only expo shows them. | displays.take-over: Show its orders on Fry',
    ])
    expect(said({ displays: [grill, expo, { ...fry, isAlive: false, isSilent: true }], board })[0]).toContain(
      'displays.take-over: Show its orders on Expo',
    )
    const standing = { ...expo, standsInFor: { displayId: 'dsp_1', name: 'Grill' } }
    expect(said({ displays: [{ ...grill, isCovered: true }, standing], board }), 'somebody has decided it').toEqual([
      'advice display-silent:dsp_1 | - | /displays: Screens',
    ])
  })

  it('whose orders were printed instead are a warning, and advice when nothing is open', () => {
    expect(said({ displays: [silentDisplay()], board: boardFacts(0, { dsp_1: [0, 3] }) })).toEqual([
      'warning display-silent:dsp_1 | 3 orders were printed instead. | /displays: Screens',
    ])
    expect(said({ displays: [silentDisplay()] })).toEqual(['advice display-silent:dsp_1 | - | /displays: Screens'])
  })

  it('are reported when they have no backup printer, no sign-in, or the stations of a display that is back', () => {
    const fry = displayFacts({ displayId: 'dsp_2', name: 'Fry', stations: ['fry'] })
    expect(said({ displays: [displayFacts({ backupPrinterId: null })] })).toEqual([
      'advice display-no-backup:dsp_1 | - | displays.update: Let Grill print them',
    ])
    expect(ids({ displays: [displayFacts({ signedInAt: null, isAlive: false })] })).toEqual(['display-unclaimed:dsp_1'])
    const standsIn = displayFacts({ standsInFor: { displayId: 'dsp_2', name: 'Fry' } })
    expect(said({ displays: [standsIn, fry] })).toEqual([
      'advice display-stands-in:dsp_1 | - | displays.give-back: Give its stations back',
    ])
    expect(ids({ displays: [standsIn, { ...fry, isAlive: false, isSilent: true }] })).toEqual(['display-silent:dsp_2'])
  })

  it('of which nothing is known because the board cannot be read are a warning', () => {
    expect(ids({ displays: [displayFacts()], board: null })).toEqual(['board-unread'])
  })
})

describe('printers', () => {
  it('that has been down for less than the grace time is not called well either', () => {
    expect(verdict({ printers: [down({ since: agoIso(1_000) })] })).toBe('unheard')
  })

  it.each<[string, Partial<PrinterFacts>, string[]]>([
    ['just went down and nothing waits', { since: agoIso(59_000) }, []],
    ['is down for a minute', { since: agoIso(60_000) }, ['printer-down:grill']],
    ['just went down with a ticket', { since: agoIso(4_000), queued: 1 }, []],
    ['is down with a ticket', { since: agoIso(5_000), queued: 1 }, ['printer-down:grill']],
  ])('one that %s', (_, over, expected) => {
    expect(ids({ printers: [down(over)] })).toEqual(expected)
  })

  it('one that is down with tickets reports how many and for how long, and a fix moves them to one that works', () => {
    const stuck = down({ queued: 4, oldestMs: NOW - 300_000 })
    const backed = ['printer-no-backup:grill', 'printer-no-backup:fry']
    const [first, ...rest] = said({ printers: [stuck, fryFacts()] })
    expect(first).toBe(
      'critical printer-down:grill | 4 tickets wait, the oldest for 5 minutes. | printers.move: Move what waits to Fry',
    )
    expect(rest.map((one) => one.split(' ')[1])).toEqual(backed)
    expect(found({ printers: [stuck] })[0]?.act).toMatchObject({ kind: 'open', to: '/printers/grill' })
    const away = down({ queued: 0, told: [{ key: 'away', values: { backup: 'Fry' }, text: 'Away.' }] })
    expect(said({ printers: [away] })).toEqual([
      'warning printer-down:grill | Fry prints its tickets. | /printers/grill: Look at Grill',
    ])
  })

  it('one that is down with tickets gives them to its backup rather than to the one that takes the rest', () => {
    const rest = printerFacts()
    const bar = fryFacts({ printerId: 'bar', name: 'Bar', host: '10.0.0.7', stations: ['bar'] })
    const stuck = down({ ...fryFacts(), state: 'offline', queued: 4 })
    const backed = { ...stuck, settings: { ...stuck.settings, backupPrinterId: 'bar' } }
    const moved = (printer: PrinterFacts) => found({ printers: [rest, printer, bar] })[0]?.act
    expect(moved(backed)).toMatchObject({ operation: 'printers.move', input: { from: 'fry', to: 'bar' } })
    expect(moved(stuck)).toMatchObject({ operation: 'printers.move', input: { from: 'fry', to: 'grill' } })
  })

  it('one whose tickets another printer prints is a warning at once', () => {
    const away = [{ key: 'away', values: { backup: 'Fry' }, text: 'Away.' }]
    expect(said({ printers: [down({ since: agoIso(10_000), told: away })] })).toEqual([
      'warning printer-down:grill | Fry prints its tickets. | /printers/grill: Look at Grill',
    ])
  })

  it('one that is down names the stations whose orders nothing takes, without those that a screen shows', () => {
    expect(said({ printers: [down()] })[0]).toContain(
      'Orders with lines of Grill are refused: nothing else takes them.',
    )
    const shown = said({ printers: [down()], displays: [displayFacts()] })
    expect(shown[0]).toContain('New tickets wait until it prints.')
  })

  it('one without a station, a rule, another’s tickets or the rest never prints', () => {
    const idle = fryFacts({ stations: [] }, { backupPrinterId: 'grill' })
    expect(said({ printers: [printerFacts({}, { backupPrinterId: 'fry' }), fryFacts({ stations: [] })] })).toHaveLength(
      1,
    )
    expect(ids({ printers: [printerFacts({}, { backupPrinterId: 'fry' }), idle] })).toEqual([])
    expect(said({ printers: [printerFacts({}, { backupPrinterId: null }), idle] })).toEqual([
      'warning printer-idle:fry | No order ever reaches it. | /printers/fry: Look at Fry',
      'advice printer-no-backup:grill | - | printers.update: Let Fry take over',
    ])
    const rules = [{ name: 'r', when: {}, print: { printerIds: ['fry'], paper: 'kitchen' as const }, stop: false }]
    expect(ids({ printers: [printerFacts(), idle], rules })).toEqual(['printer-no-backup:grill'])
    const receipts = fryFacts({ stations: [] }, { papers: ['receipt'], backupPrinterId: 'grill' })
    expect(ids({ printers: [printerFacts(), receipts] })).toEqual(['printer-no-backup:grill'])
  })

  it('one whose stations all go to a printer ahead of it gets nothing', () => {
    const printers = [
      printerFacts({}, { backupPrinterId: 'fry' }),
      fryFacts({ stations: ['GRILL'] }, { backupPrinterId: 'grill' }),
    ]
    const passedOver = 'warning printer-passed-over:fry | - | /printers/fry: Look at Fry'
    expect(said({ printers })).toContain(passedOver)
    const [, fry] = printers
    expect(said({ printers: [printers[0], { ...fry, stations: ['grill', 'wok'] }] as PrinterFacts[] })).not.toContain(
      passedOver,
    )
  })

  it('two at one address print each other’s tickets', () => {
    const same = fryFacts({ host: '10.0.0.5' })
    expect(ids({ printers: [printerFacts(), same] })[0]).toBe('printers-share-address:fry')
  })

  it('none that is no default, paused, untested, with parked tickets or another device is passed over', () => {
    expect(said({ printers: [] })[0]).toContain('critical no-printer | - | discover.start: Look for printers')
    expect(ids({ printers: [], displays: [displayFacts()] })).toEqual(['no-printer'])
    expect(found({ printers: [], displays: [displayFacts()] })[0]?.severity).toBe('advice')
    expect(said({ printers: [printerFacts({ isDefault: false })] })).toEqual([
      'critical no-default-printer | - | printers.update: Let Grill take them',
    ])
    expect(said({ printers: [printerFacts({ testedAt: null, parked: 2 }, { paused: true })] })).toEqual([
      'critical tickets-parked:grill | 2 tickets wait for a person. | printers.release: Print them',
      'warning printer-paused:grill | - | printers.resume: Go on',
      'advice printer-untested:grill | - | printers.test: Print a test ticket',
    ])
    const device = { kind: 'other' as const, known: 'A', found: 'B', deviceId: 'd1' }
    expect(said({ printers: [down({ reasons: ['another-printer'], device })] })).toEqual([
      'critical printer-other:grill | - | printers.accept: Accept the device that was found',
    ])
    const elsewhere = down({ reasons: ['timed-out'], device: { ...device, kind: 'elsewhere' as const } })
    expect(ids({ printers: [elsewhere] })).toEqual(['printer-down:grill', 'printer-elsewhere:grill'])
    const moved = { key: 'moved', values: { from: 'a', to: 'b' }, text: 'It moved.' }
    const [note] = found({ printers: [printerFacts({ told: [moved] })] })
    expect(note && englishOf(note)).toMatchObject({ title: 'Grill has another address', text: 'It moved.' })
  })

  it('one that is low on paper or has a message reports it in the printer’s own words', () => {
    expect(ids({ printers: [printerFacts({ reasons: ['media-low'] })] })).toEqual(['paper-low:grill'])
    expect(ids({ printers: [printerFacts({ reasons: ['busy'] })] })).toEqual(['printer-warning:grill'])
    const [finding] = found({ printers: [down()] })
    expect(finding && englishOf(finding)).toMatchObject({ title: 'Grill does not print', text: 'Put in a new roll.' })
  })

  it('without a backup gets one that works, preferably one whose own backups do not lead back to it', () => {
    const act = (...printers: PrinterFacts[]) => said({ printers }).find((one) => one.includes('no-backup:grill'))
    const takeOver = (name: string) => `advice printer-no-backup:grill | - | printers.update: Let ${name} take over`
    const comesBack = fryFacts({}, { backupPrinterId: 'grill' })
    const bar = fryFacts({ printerId: 'bar', name: 'Bar', host: '10.0.0.7', stations: ['bar'] })
    expect(act(printerFacts(), comesBack, bar)).toBe(takeOver('Bar'))
    // Of two that are as good as each other the one that takes the rest, which has room for any ticket.
    expect(act(printerFacts(), fryFacts(), { ...bar, isDefault: true })).toBe(takeOver('Bar'))
    expect(act(printerFacts(), comesBack)).toBe(takeOver('Fry'))
    expect(act(printerFacts(), comesBack, { ...bar, state: 'offline' })).toBe(takeOver('Fry'))
    const receipts = fryFacts({}, { papers: ['receipt'] })
    expect(act(printerFacts(), receipts, bar)).toBe(takeOver('Bar'))
  })
})

describe('stations', () => {
  const lines = [{ station: 'Salad', lines: 12 }]

  it('that nothing serves, whose lines go to the default printer, are named with their counts', () => {
    expect(said({ stations: lines })).toEqual([
      'warning station-unserved:salad | 12 lines in the last 7 days went there. | printers.update: Let Grill serve Salad',
    ])
    expect(found({ stations: lines })[0]?.act).toMatchObject({
      input: { printer: 'grill', stations: ['grill', 'Salad'] },
    })
  })

  it('that a printer, a rule, a screen or expo serves are well, in any letter case', () => {
    expect(ids({ stations: [{ station: 'GRILL', lines: 1 }] })).toEqual([])
    expect(ids({ stations: lines, displays: [displayFacts()] })).toEqual([])
    expect(ids({ stations: lines, displays: [displayFacts({ stations: ['salad'] })] })).toEqual([])
    const rule = { name: 'r', when: { station: 'salad' }, print: { printerIds: ['grill'], paper: 'kitchen' as const } }
    expect(ids({ stations: lines, rules: [{ ...rule, stop: false }] })).toEqual([])
    expect(ids({ stations: [{ station: '', lines: 9 }] })).toEqual([])
  })

  it('that no screen serves while there are screens can be given to one', () => {
    const displays = [displayFacts({ stations: ['fry'], name: 'Fry' })]
    expect(said({ displays, stations: [{ station: 'Grill', lines: 3 }] })).toEqual([
      'advice station-no-screen:grill | 3 lines in the last 7 days went there. | displays.update: Show Grill on Fry',
    ])
  })
})

describe('the way to the relay', () => {
  const link = (over: Partial<HealthFacts['link']>): Over => ({
    link: { state: 'connecting', detail: 'ENOTFOUND', sinceMs: NOW, unreported: 0, ...over },
  })

  it('is still opening in the first 15 seconds, then is reported with its reason, and is an error after a minute', () => {
    expect(ids(link({ sinceMs: NOW - 14_999 }))).toEqual([])
    expect(said(link({ sinceMs: NOW - 15_000 }))).toEqual([
      'warning relay-name | No orders come in. | /settings: Settings',
    ])
    expect(said(link({ sinceMs: NOW - 60_000, unreported: 2 }))).toEqual([
      'critical relay-name | No orders come in, and 2 results wait for the relay. | /settings: Settings',
    ])
  })

  it.each([
    ['EAI_AGAIN', 'relay-name'],
    ['EHOSTUNREACH', 'relay-no-way'],
    ['ENETUNREACH', 'relay-no-way'],
    ['ECONNREFUSED', 'relay-closed'],
    [WAITS_FOR_RELAY, 'relay-busy'],
    ['connection closed', 'relay-unreachable'],
  ])('that fails by %s is %s', (detail, id) => {
    expect(ids(link({ detail, sinceMs: NOW - 60_000 }))).toEqual([id])
  })

  it('that waiting does not fix is reported at once', () => {
    expect(ids(link({ trouble: 'refused' }))).toEqual(['relay-refuses'])
    expect(ids(link({ trouble: 'certificate' }))).toEqual(['relay-certificate'])
    expect(ids(link({ state: 'unpaired' }))).toEqual(['not-paired'])
    expect(ids(link({ state: 'unusable' }))).toEqual(['pairing-unusable'])
  })
})

describe('the list', () => {
  it('has what is worst first, then what costs most', () => {
    const list = said({
      printers: [printerFacts({ testedAt: null })],
      displays: [silentDisplay({ stations: ['grill'] }), displayFacts({ displayId: 'dsp_2', stations: ['fry'] })],
      board: boardFacts(5, { dsp_1: [5, 0] }),
      stations: [
        { station: 'Salad', lines: 2 },
        { station: 'Soup', lines: 30 },
      ],
      box: { ...WELL_BOX, disk: { freeBytes: 0, totalBytes: 1, isFull: true } },
    })
    expect(list.map((one) => one.split(' ').slice(0, 2).join(' '))).toEqual([
      'critical display-silent:dsp_1',
      'critical disk-full',
      'warning station-unserved:soup',
      'warning station-unserved:salad',
      'advice printer-untested:grill',
    ])
  })
})
