// When the box reports a finding about itself, and its text.
import { describe, expect, it } from 'vitest'
import type { Finding } from '#shared/health.ts'
import { englishOf } from '#shared/health-english.ts'
import { healthyBox, NOW, WELL_BOX } from '#test/fixtures/healthy-box.ts'
import { healthOf } from './health.ts'
import type { BoxFacts, HealthFacts } from './health-facts.ts'

const HOUR_MS = 3_600_000
const { image: IMAGE } = WELL_BOX
const found = (over: Partial<BoxFacts>, rest: Partial<HealthFacts> = {}): Finding[] =>
  healthOf(healthyBox({ ...rest, box: { ...WELL_BOX, ...over } }))
const ids = (over: Partial<BoxFacts>, rest?: Partial<HealthFacts>): string[] => found(over, rest).map(({ id }) => id)
const words = (over: Partial<BoxFacts>): string =>
  found(over)
    .map((one) => Object.values(englishOf(one)).join(' '))
    .join()

describe('the health of the box itself', () => {
  it('are none while all is well, and none for what cannot be measured', () => {
    expect(ids({})).toEqual([])
    expect(ids({ disk: null, memory: { rssBytes: 1e12, limitBytes: null } })).toEqual([])
  })

  it('distinguish a nearly full disk from a full one', () => {
    expect(ids({ disk: { freeBytes: 30e6, totalBytes: 32e9, isFull: false } })).toEqual(['disk-low'])
    const disk = { freeBytes: 0, totalBytes: 32e9, isFull: true }
    expect(found({ disk })[0]).toMatchObject({ id: 'disk-full', severity: 'critical' })
    expect(words({ disk })).toContain('Orders still print')
  })

  it('report a wrong clock from two seconds on, only when the relay contradicts it, and an unset clock only before that', () => {
    expect(ids({ clock: { offsetMs: 1_999, behindLastRunMs: 0 } })).toEqual([])
    expect(ids({ clock: { offsetMs: 2_000, behindLastRunMs: 0 } })).toEqual(['clock-wrong'])
    expect(ids({ clock: { offsetMs: -90_000, behindLastRunMs: 0 } })).toEqual(['clock-wrong'])
    expect(ids({ clock: { offsetMs: null, behindLastRunMs: 5 * HOUR_MS } })).toEqual(['clock-unset'])
    expect(ids({ clock: { offsetMs: 10, behindLastRunMs: 5 * HOUR_MS } })).toEqual([])
    expect(words({ clock: { offsetMs: 3 * HOUR_MS, behindLastRunMs: 0 } })).toContain('It is 3 hours away')
  })

  it('report a hot machine and a worn card', () => {
    expect(ids({ temperatureCelsius: 79 })).toEqual([])
    expect(ids({ temperatureCelsius: 83, storageWearPercent: 90 })).toEqual(['box-hot', 'storage-worn'])
    expect(ids({ temperatureCelsius: null, storageWearPercent: null })).toEqual([])
  })

  it('report a replaced database for a week: more severe when tickets were lost, and ahead of less urgent findings', () => {
    const database = { replacedAtMs: 0, lostTickets: 0, savedTickets: 4, folder: '/x' }
    expect(found({ database })[0]).toMatchObject({ id: 'database-replaced', severity: 'warning' })
    const list = found({
      database: { ...database, lostTickets: 2 },
      disk: { freeBytes: 1, totalBytes: 2, isFull: false },
    })
    expect(list.map(({ id, severity }) => [id, severity])).toEqual([
      ['database-replaced', 'critical'],
      ['disk-low', 'warning'],
    ])
    expect(ids({ database, nowMs: 8 * 24 * HOUR_MS })).toEqual([])
  })

  it('report why waiting tickets were marked, and nothing when none waited', () => {
    const image = { ...IMAGE, doubt: 'older-image', marked: 4 } as const
    expect(found({ image })[0]).toMatchObject({ id: 'older-image', key: 'older-image', severity: 'warning' })
    expect(words({ image })).toContain('Compare marked tickets with the paper')
    expect(ids({ image: { ...image, marked: 0 } })).toEqual([])
  })

  it('are a fault while tickets are held back because the disk may be older', () => {
    const image = { ...IMAGE, doubt: 'older-image', marked: 4, withdrawn: 1, isHolding: true } as const
    expect(found({ image })[0]).toMatchObject({ id: 'image-held', severity: 'critical', cost: { count: 3 } })
    expect(words({ image })).toContain('3 tickets are held back.')
  })

  it('count what was taken out on the word of the relay apart from what prints marked', () => {
    const image = { ...IMAGE, doubt: 'older-image', marked: 4, withdrawn: 3 } as const
    expect(found({ image })[0]).toMatchObject({ key: 'older-image', values: { withdrawn: 3, marked: 1 } })
    expect(words({ image })).toContain(
      'Tickets taken out because the relay had their results: 3. Tickets that print marked: 1.',
    )
  })

  it.each(['older-image', 'another-machine', 'another-database', 'no-disk-proof'] as const)(
    'do not ask to compare marked tickets where none prints marked: %s',
    (doubt) => {
      const image = { ...IMAGE, doubt, marked: 2, withdrawn: 2 }
      const [finding] = found({ image })
      expect(finding).toMatchObject({ id: doubt, key: `${doubt}-settled`, values: { withdrawn: 2, marked: 0 } })
      expect(finding?.severity, 'nobody has to do anything').toBe('advice')
      expect(words({ image })).toContain('nothing that waited on it prints')
      expect(words({ image })).not.toMatch(/[Cc]ompare|duplicate/)
      expect(words({ image })).toContain(
        'Tickets taken out because the relay had their results: 2. Tickets that print marked: 0.',
      )
    },
  )

  it('name the file that cannot be used, also while nothing waits', () => {
    expect(words({ image: { ...IMAGE, doubt: 'disk-proof-unusable' } })).toContain('/state/newest-disk')
  })

  it('do not report another database after one was already reported as replaced', () => {
    const image = { ...IMAGE, doubt: 'another-database', marked: 2 } as const
    const database = { replacedAtMs: 0, lostTickets: 0, savedTickets: 2, folder: '/x' }
    expect(ids({ image, database })).toEqual(['database-replaced'])
    expect(ids({ image })).toEqual(['another-database'])
  })

  it('report memory near its limit, a reverted update, and last an available update', () => {
    expect(ids({ memory: { rssBytes: 300e6, limitBytes: 320e6 } })).toEqual(['memory-high'])
    const update = { undoneVersion: '1.2.0', availableVersion: '1.3.0' }
    expect(found({ update }).map((one) => [one.severity, englishOf(one).title])).toEqual([
      ['warning', 'The update to 1.2.0 was undone'],
      ['advice', 'Version 1.3.0 is available'],
    ])
  })

  it('report different time zones of box and relay, and offer the relay’s; without one, the browser’s', () => {
    const zones = (own: string, relay: string | null) => found({}, { zone: { own, relay } })
    expect(zones('', 'Europe/Madrid')).toEqual([])
    expect(zones('Europe/Madrid', 'Europe/Madrid')).toEqual([])
    expect(zones('Europe/Madrid', null)).toEqual([])
    expect(zones('Asia/Calcutta', 'Asia/Kolkata'), 'one zone with two names').toEqual([])
    expect(zones('Europe/London', 'Europe/Madrid')).toMatchObject([
      { id: 'time-zones-differ', act: { operation: 'settings.put', input: { timeZone: '' } } },
    ])
    expect(zones('', null)).toMatchObject([{ id: 'time-zone', act: { operation: 'settings.put', fill: 'time-zone' } }])
  })

  it('report that no backup was made for 30 days, but not on a younger box', () => {
    const people = (over: Partial<HealthFacts['people']>) =>
      ids({}, { people: { users: 1, sinceMs: 0, backupMs: null, pageUrls: [], ...over } })
    const DAY_MS = 24 * HOUR_MS
    expect(people({})).toEqual(['box-not-backed-up'])
    expect(people({ sinceMs: NOW - 30 * DAY_MS })).toEqual([])
    expect(people({ backupMs: NOW - 30 * DAY_MS })).toEqual([])
    expect(people({ backupMs: NOW - 31 * DAY_MS })).toEqual(['box-not-backed-up'])
    expect(people({ users: 0, sinceMs: null, pageUrls: ['http://127.0.0.1:8081/'] })).toEqual([
      'nobody-signs-in',
      'page-only-here',
    ])
  })

  it('report a page without https and a certificate that is unusable or expires within 14 days', () => {
    const https = (over: Partial<HealthFacts['https']>) =>
      ids({}, { https: { fault: null, certificate: null, certificateFault: null, ...over } })
    const until = (days: number): string => new Date(NOW + days * 24 * HOUR_MS).toISOString()
    expect(https({ fault: 'port 443 is taken' })).toEqual(['page-https'])
    expect(https({ certificateFault: 'no key' })).toEqual(['page-certificate'])
    expect(https({ certificate: { source: 'provided', until: until(15) } })).toEqual([])
    expect(https({ certificate: { source: 'provided', until: until(14) } })).toEqual(['page-certificate-ends'])
    expect(https({ certificate: { source: 'self-signed', until: until(1) } }), 'it is renewed before').toEqual([])
  })

  it('report an order whose paper is incomplete, and how much is missing', () => {
    const ticket = { ticketId: 'pj_1-1', orderNumber: '7', printerName: 'Grill', unprintable: 3, settledAtMs: NOW }
    const [finding] = found({}, { unprintable: [ticket] })
    expect(finding).toMatchObject({
      ...{ id: 'unprintable:pj_1-1', key: 'unprintable', severity: 'warning' },
      values: { order: '7', printer: 'Grill', characters: 3, ticketId: 'pj_1-1' },
      act: { kind: 'open', to: '/jobs/pj_1-1' },
    })
    expect(finding && englishOf(finding).title).toBe('3 characters of order #7 could not be printed')
    const [one] = found({}, { unprintable: [{ ...ticket, unprintable: 1 }] })
    expect(one && englishOf(one).title).toBe('A character of order #7 could not be printed')
  })
})
