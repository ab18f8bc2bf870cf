// What the repairs list says in each situation, and that it says nothing when all is well.
import { describe, expect, it } from 'vitest'
import { DEFAULT_PRINTER_SETTINGS } from '#shared/printer-settings.ts'
import type { DisplayAnswer, PrinterAnswer } from './answers.ts'
import { isOperation, OPERATIONS } from './operations.ts'
import { type RepairFacts, repairsOf } from './repairs.ts'

const DEVICE = {
  host: '10.0.0.5',
  port: 9100,
  mac: '64:eb:8c:01:02:03',
  maker: 'EPSON',
  model: 'TM-T20',
  serial: 'X1',
  level: 'L3' as const,
  profileId: 'generic-80',
}
const FOUND = { deviceId: 'd1', profileId: 'epson-thermal-203', isFamilyUnsure: false }
const NOW = 1_795_000_000_000

function printer(over: Partial<PrinterAnswer> = {}, settings: Partial<PrinterAnswer['settings']> = {}): PrinterAnswer {
  return {
    printerId: 'grill',
    name: 'Grill',
    host: '10.0.0.5',
    port: 9100,
    profileId: 'generic-80',
    stations: [],
    isDefault: true,
    state: 'online',
    reasons: ['none'],
    hint: '',
    since: '2026-11-18T11:00:00.000Z',
    queued: 0,
    parked: 0,
    confirm: {} as PrinterAnswer['confirm'],
    testedAt: '2026-11-18T11:00:00.000Z',
    notes: [],
    told: [],
    identity: { known: DEVICE, found: null },
    ...over,
    settings: { ...DEFAULT_PRINTER_SETTINGS, ...settings },
  }
}
const PASS: DisplayAnswer = {
  ...{ displayId: 'dsp_1', name: 'Pass', stations: [], language: 'en', backupPrinterId: 'grill', buzzAfterS: null },
  ...{ signedInAt: '2026-11-18T11:00:00.000Z', isAlive: true, lastHeardAt: null, isOnShift: true },
}
const WELL: RepairFacts = {
  nowMs: NOW,
  link: { state: 'connected', detail: '', sinceMs: NOW - 1_000 },
  printers: [printer()],
  timeZone: '',
  displays: [],
  alarms: [],
  unprintable: [],
}
const ids = (over: Partial<RepairFacts>): string[] => repairsOf({ ...WELL, ...over }).map(({ id }) => id)

describe('the repairs list', () => {
  it('is empty when all is well', () => {
    expect(ids({})).toEqual([])
  })

  it('tells an order whose paper does not say everything, and how much is missing', () => {
    const facts = { ticketId: 'pj_1-1', orderNumber: '7', printerName: 'Grill', unprintable: 3, settledAtMs: NOW }
    const [first] = repairsOf({ ...WELL, unprintable: [facts] })
    expect(first).toMatchObject({
      id: 'unprintable:pj_1-1',
      key: 'unprintable',
      severity: 'warning',
      title: '3 characters of order #7 could not be printed',
      values: { order: '7', printer: 'Grill', characters: 3, ticketId: 'pj_1-1' },
    })
    expect(first?.text, 'a file that a technician’s browser does not have').not.toContain('docs/')
    const [one] = repairsOf({ ...WELL, unprintable: [{ ...facts, unprintable: 1 }] })
    expect(one).toMatchObject({
      id: 'unprintable:pj_1-1',
      key: 'unprintable-one',
      title: 'A character of order #7 could not be printed',
    })
  })

  it('says in the title what there is to know of a printer', () => {
    const told = [{ key: 'away', values: { backup: 'Fry' }, text: 'It is away.' }]
    const [note] = repairsOf({ ...WELL, printers: [printer({ told })] })
    expect(note).toMatchObject({ key: 'printer-note', title: 'Grill is away: Fry has its tickets' })
  })

  it('tells a printer that does not print from one that only runs low, with the printer’s own words', () => {
    const down = printer({ state: 'offline', reasons: ['media-empty'], hint: 'Put in a new roll.' })
    const [first] = repairsOf({ ...WELL, printers: [down] })
    expect(first).toMatchObject({
      id: 'printer-down:grill',
      severity: 'error',
      text: 'Put in a new roll.',
      values: { printer: 'Grill', reason: 'media-empty' },
    })
    expect(ids({ printers: [printer({ reasons: ['media-low'] })] })).toEqual(['paper-low:grill'])
    expect(ids({ printers: [printer({ reasons: ['busy'] })] })).toEqual(['printer-warning:grill'])
    expect(ids({ printers: [printer({ state: 'unknown', reasons: [] })] })).toEqual([])
  })

  it('tells a box that the relay refuses, or a relay that proves nothing, at once; other silence only when it lasts', () => {
    const away = { state: 'connecting', detail: 'The certificate is not trusted.', sinceMs: NOW - 1_000 }
    expect(ids({ link: away })).toEqual([])
    expect(ids({ link: { ...away, trouble: 'refused' } })).toEqual(['relay-refuses'])
    const [certificate] = repairsOf({ ...WELL, link: { ...away, trouble: 'certificate' } })
    expect(certificate).toMatchObject({ id: 'relay-certificate', severity: 'error' })
    expect(certificate?.text).toContain(away.detail)
    expect(ids({ link: { ...away, sinceMs: NOW - 120_000 } })).toEqual(['relay-unreachable'])
  })

  it('puts what is worst first, and what the care of the box found with the rest', () => {
    const list = repairsOf({
      ...WELL,
      printers: [
        printer({ testedAt: null, parked: 2 }, { paused: true }),
        printer({ printerId: 'fry', name: 'Fry', isDefault: false }),
      ],
      alarms: [{ id: 'disk-full', severity: 'error', title: 'The disk is full', text: 'Remove files.' }],
    })
    expect(list.map(({ id, severity }) => [id, severity])).toEqual([
      ['disk-full', 'error'],
      ['tickets-parked:grill', 'error'],
      ['printer-paused:grill', 'warning'],
      ['printer-untested:grill', 'info'],
      ['no-backup:grill', 'info'],
      ['no-backup:fry', 'info'],
    ])
  })

  it('waits a minute before it complains about the relay, and says at once that the box is not paired', () => {
    const lost = (agoMs: number) => ids({ link: { state: 'connecting', detail: 'refused', sinceMs: NOW - agoMs } })
    expect(lost(59_000)).toEqual([])
    expect(lost(60_000)).toEqual(['relay-unreachable'])
    const unpaired = { state: 'unpaired', detail: '', sinceMs: NOW }
    expect(ids({ link: unpaired })).toEqual(['not-paired', 'time-zone'])
    expect(ids({ link: unpaired, timeZone: 'Europe/Madrid' })).toEqual(['not-paired'])
    expect(ids({ link: { ...unpaired, state: 'unusable' } })).toEqual(['pairing-unusable'])
  })

  it('says that nothing can print, or that some items have nowhere to go', () => {
    expect(ids({ printers: [] })).toEqual(['no-printer'])
    expect(ids({ printers: [printer({ isDefault: false })] })).toEqual(['no-default-printer'])
  })

  it('tells of a screen for which nothing prints, as a warning while it is silent, and of none that nobody uses', () => {
    const alone = { ...PASS, backupPrinterId: null }
    expect(ids({ displays: [PASS, { ...PASS, isAlive: false }] })).toEqual([])
    const [advice] = repairsOf({ ...WELL, displays: [alone] })
    expect(advice).toMatchObject({ id: 'display-no-backup:dsp_1', severity: 'info' })
    const [silent] = repairsOf({ ...WELL, displays: [{ ...alone, isAlive: false }] })
    expect(silent).toMatchObject({ id: 'display-unseen:dsp_1', severity: 'warning', values: { display: 'Pass' } })
    expect(ids({ displays: [{ ...alone, signedInAt: null }] })).toEqual([])
    expect(ids({ displays: [alone], printers: [] })).toEqual(['no-printer'])
  })

  it('shows both devices where another one stands at a printer’s address, or may be it at another one', () => {
    const other = { ...DEVICE, mac: 'aa:aa:aa:00:00:01', serial: null, level: 'L1' as const, ...FOUND }
    const here = printer({ state: 'offline', reasons: ['another-printer'], identity: { known: DEVICE, found: other } })
    const list = repairsOf({ ...WELL, printers: [here] })
    expect(list.map(({ id, severity }) => [id, severity])).toEqual([['printer-other:grill', 'error']])
    expect(list[0]?.values).toEqual({
      printer: 'Grill',
      known: 'EPSON TM-T20, S/N X1, MAC 64:eb:8c:01:02:03, L3, 10.0.0.5:9100, generic-80',
      found: 'EPSON TM-T20, S/N ?, MAC aa:aa:aa:00:00:01, L1, 10.0.0.5:9100, epson-thermal-203',
    })
    expect(list[0]?.fix).toMatchObject({ operation: 'printers.accept', input: { printer: 'grill', deviceId: 'd1' } })
    const quieter = { ...other, mac: DEVICE.mac, maker: null, model: null }
    const changed = { ...here, reasons: ['not-responding'], identity: { known: DEVICE, found: quieter } }
    expect(ids({ printers: [changed] })).toEqual(['printer-quieter:grill'])
    const moved = {
      ...here,
      reasons: ['timed-out'],
      identity: { known: DEVICE, found: { ...other, host: '10.0.0.6' } },
    }
    expect(ids({ printers: [moved] })).toEqual(['printer-down:grill', 'printer-elsewhere:grill'])
  })

  it('offers only operations that there are, with an input that they take', () => {
    const facts: RepairFacts = {
      ...WELL,
      printers: [printer({ testedAt: null, parked: 1, isDefault: false }, { paused: true })],
      displays: [{ ...PASS, backupPrinterId: null }],
    }
    const fixes = [...repairsOf(facts), ...repairsOf({ ...WELL, printers: [] })].flatMap(({ fix }) => fix ?? [])
    expect(fixes.length).toBe(6)
    for (const { operation, input, role } of fixes) {
      expect(isOperation(operation)).toBe(true)
      if (isOperation(operation)) expect(OPERATIONS[operation].role, operation).toBe(role)
      if (isOperation(operation)) expect(OPERATIONS[operation].input.safeParse(input).success, operation).toBe(true)
    }
  })
})
