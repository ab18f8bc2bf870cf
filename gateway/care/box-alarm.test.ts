// When the box raises its hand, and what it says.
import { describe, expect, it } from 'vitest'
import { type BoxFacts, boxAlarms } from './box-alarm.ts'

const HOUR_MS = 3_600_000
const WELL: BoxFacts = {
  disk: { freeBytes: 5e9, totalBytes: 32e9, isFull: false },
  clock: { offsetMs: 12, behindLastRunMs: 0 },
  database: null,
  image: { doubt: null, marked: 0, withdrawn: 0, proofFile: '/state/newest-disk' },
  memory: { rssBytes: 100e6, limitBytes: 320e6 },
  update: null,
  nowMs: 10 * HOUR_MS,
}
const ids = (over: Partial<BoxFacts>): string[] => boxAlarms({ ...WELL, ...over }).map(({ id }) => id)

describe('the alarms of the box', () => {
  it('are none while all is well, and none of what cannot be asked', () => {
    expect(ids({})).toEqual([])
    expect(ids({ disk: null, memory: { rssBytes: 1e12, limitBytes: null } })).toEqual([])
  })

  it('tell a nearly full disk from a full one', () => {
    expect(ids({ disk: { freeBytes: 30e6, totalBytes: 32e9, isFull: false } })).toEqual(['disk-low'])
    const [full] = boxAlarms({ ...WELL, disk: { freeBytes: 0, totalBytes: 32e9, isFull: true } })
    expect(full).toMatchObject({ id: 'disk-full', severity: 'error' })
    expect(full?.text).toContain('Orders still print')
  })

  it('say that a clock is wrong only when the relay contradicts it, and unset only before', () => {
    expect(ids({ clock: { offsetMs: 3 * HOUR_MS, behindLastRunMs: 0 } })).toEqual(['clock-wrong'])
    expect(ids({ clock: { offsetMs: -90_000, behindLastRunMs: 0 } })).toEqual(['clock-wrong'])
    expect(ids({ clock: { offsetMs: null, behindLastRunMs: 5 * HOUR_MS } })).toEqual(['clock-unset'])
    expect(ids({ clock: { offsetMs: 10, behindLastRunMs: 5 * HOUR_MS } })).toEqual([])
    const [alarm] = boxAlarms({ ...WELL, clock: { offsetMs: 3 * HOUR_MS, behindLastRunMs: 0 } })
    expect(alarm?.text).toContain('3 hours behind the relay')
  })

  it('tell of a replaced database for a week, louder when tickets were lost, and before what is less urgent', () => {
    const database = { replacedAtMs: 0, lostTickets: 0, savedTickets: 4, folder: '/x' }
    expect(boxAlarms({ ...WELL, database })[0]).toMatchObject({ id: 'database-replaced', severity: 'warning' })
    const facts = {
      ...WELL,
      database: { ...database, lostTickets: 2 },
      disk: { freeBytes: 1, totalBytes: 2, isFull: false },
    }
    expect(boxAlarms(facts).map(({ id, severity }) => [id, severity])).toEqual([
      ['database-replaced', 'error'],
      ['disk-low', 'warning'],
    ])
    expect(ids({ database, nowMs: 8 * 24 * HOUR_MS })).toEqual([])
  })

  it('say why waiting tickets were marked, and nothing when none waited', () => {
    const image = { doubt: 'older-image', marked: 4, withdrawn: 0, proofFile: '/state/newest-disk' } as const
    const [alarm] = boxAlarms({ ...WELL, image })
    expect(alarm).toMatchObject({ id: 'older-image', key: 'older-image', severity: 'warning' })
    expect(alarm?.text).toContain('Compare marked tickets with the paper')
    expect(ids({ image: { ...image, marked: 0 } })).toEqual([])
  })

  it('count what was taken out on the word of the relay apart from what prints marked', () => {
    const image = { doubt: 'older-image', marked: 4, withdrawn: 3, proofFile: '/state/newest-disk' } as const
    const [alarm] = boxAlarms({ ...WELL, image })
    expect(alarm).toMatchObject({ key: 'older-image', values: { withdrawn: 3, marked: 1 } })
    expect(alarm?.text).toContain(
      'Tickets taken out because the relay had their results: 3. Tickets that print marked: 1.',
    )
  })

  it.each(['older-image', 'another-machine', 'another-database', 'no-disk-proof'] as const)(
    'do not ask to compare marked tickets where none prints marked: %s',
    (doubt) => {
      const image = { doubt, marked: 2, withdrawn: 2, proofFile: '/state/newest-disk' }
      const [alarm] = boxAlarms({ ...WELL, image })
      expect(alarm).toMatchObject({ id: doubt, key: `${doubt}-settled`, values: { withdrawn: 2, marked: 0 } })
      expect(alarm?.title).toContain('nothing that waited on it prints')
      expect(alarm?.text).not.toMatch(/[Cc]ompare|duplicate/)
      expect(alarm?.text).toContain(
        'Tickets taken out because the relay had their results: 2. Tickets that print marked: 0.',
      )
    },
  )

  it('name the file that cannot be used, also while nothing waits', () => {
    const [alarm] = boxAlarms({
      ...WELL,
      image: { doubt: 'disk-proof-unusable', marked: 0, withdrawn: 0, proofFile: '/state/newest-disk' },
    })
    expect(alarm?.text).toContain('/state/newest-disk')
  })

  it('do not call a database another one when they have said that it was replaced', () => {
    const image = { doubt: 'another-database', marked: 2, withdrawn: 0, proofFile: '/x' } as const
    const database = { replacedAtMs: 0, lostTickets: 0, savedTickets: 2, folder: '/x' }
    expect(ids({ image, database })).toEqual(['database-replaced'])
    expect(ids({ image })).toEqual(['another-database'])
  })

  it('tell of memory near its limit, of an update that was undone, and last of one that is there', () => {
    expect(ids({ memory: { rssBytes: 300e6, limitBytes: 320e6 } })).toEqual(['memory-high'])
    const update = { undoneVersion: '1.2.0', availableVersion: '1.3.0' }
    expect(boxAlarms({ ...WELL, update }).map(({ severity, title }) => [severity, title])).toEqual([
      ['warning', 'The update to 1.2.0 was undone'],
      ['info', 'Version 1.3.0 is available'],
    ])
  })
})
