// Which calls are sold, and that each is counted once, whatever the disk does. On a real SQLite file.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { StorageRefusal } from '#cloud/storage/storage-refusal.ts'
import { UsageStore } from '#cloud/storage/usage-store.ts'
import { asId } from '#shared/ids.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'
import { ONE_FAULT, ofOneRun } from '#test/harness/units-twice.ts'
import { isMetered, UsageMeter } from './usage-meter.ts'

let api: RelayApi
let clock: ManualClock
let usage: UsageStore
let meter: UsageMeter

beforeEach(async () => {
  clock = new ManualClock(Date.UTC(2026, 10, 20, 23, 59, 50))
  api = await RelayApi.open({ clock })
  usage = new UsageStore(api.db)
  meter = new UsageMeter({ ...api.stores, usage })
  await meter.start()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await meter.stop()
  await api.close()
})

const count = (status: number): void =>
  meter.count({ accountId: api.account.accountId, environment: 'sandbox', keyId: asId('key_1'), status })
const days = () => usage.days(api.account.accountId, 'sandbox', '2026-11')

it.each([200, 201, 401, 404, 409, 422])('an answer %i is sold', (status) => {
  expect(isMetered(status)).toBe(true)
})

it.each([429, 500, 503])('an answer %i is not sold: the client has got nothing', (status) => {
  expect(isMetered(status)).toBe(false)
})

it('calls are written every five seconds, by the day on which they were made', async () => {
  for (const status of [200, 422, 503]) count(status)
  expect(await days()).toEqual([])
  await clock.advance(5_000)
  await meter.flush()
  expect(await days()).toEqual([{ day: '2026-11-20', calls: 2 }])
  await clock.advance(5_000)
  count(200)
  await meter.flush()
  expect(await days()).toEqual([
    { day: '2026-11-20', calls: 2 },
    { day: '2026-11-21', calls: 1 },
  ])
})

ofOneRun(ONE_FAULT)('calls that could not be written are written the next time, once', async () => {
  vi.spyOn(usage, 'add').mockRejectedValueOnce(new Error('disk I/O error'))
  count(200)
  await expect(meter.flush()).rejects.toThrow('disk I/O error')
  count(200)
  await meter.flush()
  await meter.flush()
  expect(await days()).toEqual([{ day: '2026-11-20', calls: 2 }])
})

ofOneRun(ONE_FAULT)(
  'calls of which nobody knows whether they were written are not written again: no call is sold twice',
  async () => {
    const unit = api.db.unit.bind(api.db)
    vi.spyOn(api.db, 'unit').mockImplementationOnce(async (work) => {
      await unit(work)
      throw new StorageRefusal('unknown')
    })
    // More than one piece: what was not tried is not lost.
    for (let n = 0; n < 130; n++)
      meter.count({ accountId: api.account.accountId, environment: 'sandbox', keyId: asId(`key_${n}`), status: 200 })
    await expect(meter.flush()).rejects.toMatchObject({ reason: 'unknown' })
    await meter.flush()
    expect(await days()).toEqual([{ day: '2026-11-20', calls: 130 }])
  },
)

it('what was counted last is written at the stop', async () => {
  count(200)
  await meter.stop()
  expect(await days()).toEqual([{ day: '2026-11-20', calls: 1 }])
})
