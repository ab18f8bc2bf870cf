// When a backup printer takes over, which one, and which tickets are too old.
import { describe, expect, it } from 'vitest'
import type { ListedTicket } from '#gateway/storage/outage-store.ts'
import { DEFAULT_PRINTER_SETTINGS, type PrinterSettings } from '#shared/printer-settings.ts'
import { OFFLINE } from '#test/doubles/scripted-transport.ts'
import { movedSlip, staleSlip } from './outage-desk.ts'
import {
  type BackupCandidate,
  backupDueInMs,
  NO_TROUBLE,
  staleTickets,
  takeOverFor,
  troubleAfterAsking,
  troubleAfterSending,
  troubleInPlace,
} from './outage-policy.ts'

const READY = { kind: 'ready' } as const
const BLOCKED = { kind: 'blocked', reason: 'media-empty', detail: '' } as const
const uncertain = {
  kind: 'uncertain',
  reason: 'timed-out',
  detail: '',
  firstByteAtMs: 0,
  bytesWritten: 1,
  answering: true,
} as const
const withBackup: PrinterSettings = { ...DEFAULT_PRINTER_SETTINGS, backupPrinterId: 'b' }

describe('backupDueInMs', () => {
  const offline = troubleAfterAsking(NO_TROUBLE, OFFLINE, 1_000)
  it('counts from the first failure, and waits longer for a printer that reports the reason', () => {
    expect(backupDueInMs(troubleAfterAsking(offline, OFFLINE, 9_000), withBackup, 9_000)).toBe(12_000)
    expect(backupDueInMs(troubleAfterAsking(NO_TROUBLE, BLOCKED, 1_000), withBackup, 9_000)).toBe(37_000)
    expect(backupDueInMs(troubleInPlace(NO_TROUBLE, true, 1_000), withBackup, 99_000)).toBe(0)
  })

  it('continues counting when the reason changes, and restarts only after it was ready', () => {
    const blocked = troubleAfterAsking(offline, BLOCKED, 5_000)
    expect(backupDueInMs(blocked, withBackup, 9_000)).toBe(37_000)
    const again = troubleAfterAsking(blocked, OFFLINE, 9_000)
    expect(backupDueInMs(again, withBackup, 9_000)).toBe(12_000)
    expect(backupDueInMs(troubleAfterAsking(again, BLOCKED, 30_000), withBackup, 30_000)).toBe(16_000)
    const later = troubleAfterAsking(troubleAfterAsking(again, READY, 30_000), OFFLINE, 31_000)
    expect(backupDueInMs(later, withBackup, 31_000)).toBe(20_000)
  })

  it('is null for a printer that is ready or paused', () => {
    expect(backupDueInMs(troubleAfterAsking(offline, READY, 2_000), withBackup, 99_000)).toBeNull()
    expect(backupDueInMs(offline, { ...withBackup, paused: true }, 99_000)).toBeNull()
  })

  it('ends doubt only after a proof, not after a status', () => {
    const doubt = troubleAfterAsking(troubleAfterSending(NO_TROUBLE, uncertain, 1_000), READY, 2_000)
    expect(backupDueInMs(troubleAfterSending(doubt, uncertain, 40_000), withBackup, 46_000)).toBe(0)
  })

  it('counts a slip without proof like a ticket without proof', () => {
    const slip = { kind: 'not-sent', readiness: OFFLINE, slipUnproved: true } as const
    const doubt = troubleAfterAsking(troubleAfterSending(NO_TROUBLE, slip, 1_000), READY, 2_000)
    expect(backupDueInMs(doubt, withBackup, 46_000)).toBe(0)
  })
})

describe('takeOverFor', () => {
  const printer = (printerId: string, backupPrinterId: string | null, over: Partial<BackupCandidate> = {}) => ({
    printerId,
    backupPrinterId,
    isAbsent: false,
    isUsable: true,
    isDoubtful: false,
    ...over,
  })
  const away = { isAbsent: true, isUsable: false }
  const off = { isUsable: false }
  const doubtful = { isDoubtful: true }

  it.each([
    ['its backup', [printer('a', 'b', off), printer('b', null)], 'b'],
    ["the backup's backup while that is absent", [printer('a', 'b'), printer('b', 'c', away), printer('c', null)], 'c'],
    [
      "the backup's backup while that is off and idle",
      [printer('a', 'b'), printer('b', 'c', off), printer('c', null)],
      'c',
    ],
    [
      "the backup's backup while that one's own tickets still go elsewhere, although it could print",
      [printer('a', 'b', off), printer('b', 'c', { isAbsent: true }), printer('c', null)],
      'c',
    ],
    [
      "the backup's backup while that leaves tickets in doubt",
      [printer('a', 'b', off), printer('b', 'c', doubtful), printer('c', null)],
      'c',
    ],
    [
      'one that leaves tickets in doubt when nobody else can print at all',
      [printer('a', 'b', off), printer('b', 'c', doubtful), printer('c', null, off)],
      'b',
    ],
    ['nobody when both would leave it in doubt', [printer('a', 'b', doubtful), printer('b', null, doubtful)], null],
    ['nobody when it has none', [printer('a', null), printer('b', null)], null],
    ['nobody when the backup was removed', [printer('a', 'b')], null],
    ['nobody when the backup cannot print', [printer('a', 'b'), printer('b', null, off)], null],
    ['nobody in a circle', [printer('a', 'b'), printer('b', 'c', away), printer('c', 'b', away)], null],
    ['not the printer itself', [printer('a', 'b'), printer('b', 'a', away)], null],
  ] as const)('is %s', (_, printers, expected) => {
    expect(takeOverFor({ meantFor: 'a', at: 'a' }, printers)).toBe(expected)
  })

  it.each([
    ['goes on', [printer('a', 'b', away), printer('b', 'c', off), printer('c', null)], 'c'],
    ['goes home when that is well again', [printer('a', 'b'), printer('b', null, off)], 'a'],
    ['stays when nobody is well', [printer('a', 'b', away), printer('b', null, off)], null],
  ] as const)('a ticket at a backup that failed %s', (_, printers, expected) => {
    expect(takeOverFor({ meantFor: 'a', at: 'b' }, printers)).toBe(expected)
  })

  it('follows a person who moved the ticket to a printer of another chain', () => {
    const printers = [printer('a', null), printer('x', 'y', off), printer('y', null)]
    expect(takeOverFor({ meantFor: 'a', at: 'x' }, printers)).toBe('y')
  })
})

const listed = (n: number, over: Partial<ListedTicket> = {}): ListedTicket => ({
  ticketId: `t${n}`,
  position: n,
  kind: 'order',
  state: 'queued',
  paper: 'kitchen',
  called: `#${n}`,
  printerName: 'Fry',
  possibleDuplicate: false,
  isWanted: false,
  dueAtMs: n * 60_000,
  ...over,
})

describe('staleTickets', () => {
  const waiting = [1, 2, 3, 4].map((n) => listed(n))
  const stale = (settings: Partial<PrinterSettings>) =>
    staleTickets(waiting, { ...DEFAULT_PRINTER_SETTINGS, ...settings }, 12 * 60_000).map(({ position }) => position)
  it('are those above the age, and all except the newest ones up to the limit', () => {
    expect(stale({})).toEqual([])
    expect(stale({ staleAfterMs: 9 * 60_000 })).toEqual([1, 2])
    expect(stale({ staleAboveTickets: 3 })).toEqual([1])
    expect(stale({ staleAboveTickets: 4 })).toEqual([])
    expect(stale({ staleAfterMs: 10 * 60_000, staleAboveTickets: 2 })).toEqual([1, 2])
  })
})

describe('slips', () => {
  const when = { nowMs: Date.UTC(2026, 10, 20, 21, 52), timeZone: 'UTC' }
  it('list where each ticket went', () => {
    const moved = [
      listed(1, { state: 'printed' }),
      listed(2, { possibleDuplicate: true }),
      listed(3, { state: 'uncertain' }),
      listed(4, { kind: 'void', state: 'printed' }),
      listed(5, { paper: 'label', state: 'cancelled' }),
    ]
    expect(movedSlip(moved, when)).toMatchObject({
      lines: [
        '#1 -> Fry',
        '#2 (part may be here) -> Fry, waits there',
        '#3 -> Fry: LOOK THERE',
        'VOID #4 -> Fry',
        '#5 label - cancelled',
      ],
    })
  })

  it('have the start time, and shorten long texts', () => {
    const many = Array.from({ length: 250 }, (_, n) => listed(n, { dueAtMs: Date.UTC(2026, 10, 20, 21, 14) }))
    const slip = staleSlip(many, when)
    expect(slip).toMatchObject({ title: '250 TICKETS WAITED 21:14-21:52' })
    const lines = 'lines' in slip ? slip.lines : []
    expect([lines.length, lines.at(-1)]).toEqual([100, '... and 151 more'])
  })
})
