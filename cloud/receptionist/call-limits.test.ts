// How many calls a restaurant may have: further ones are refused before they cost anything, and are seen.
import { afterEach, expect, test } from 'vitest'
import type { Turn } from '#cloud/telephony/simulated/simulated-call.ts'
import type { ManualClock } from '#test/doubles/manual-clock.ts'
import { CallDesk, type CallDeskOptions } from '#test/fixtures/call-desk.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

let desk: CallDesk
afterEach(() => desk.close())

const advance = (ms: number) => (desk.api.clock as ManualClock).advance(ms)

async function open(callLimits: NonNullable<CallDeskOptions['callLimits']>, profile: CallDeskOptions['profile'] = {}) {
  desk = await CallDesk.open({ callLimits, profile })
}

const isRefused = ({ call }: Turn): boolean => call.place.now === 'over' && call.place.status === 'busy'
const outcomes = async () => (await desk.rows()).map(({ status, outcome }) => outcome ?? status).toSorted()

test('a call beyond those that may go on at once hears the engaged tone, is not recorded and not passed on, and is listed as refused', async () => {
  await open({ atOnce: 1, aDay: 100 }, { mode: 'off', recording: { mode: 'whole-call', consent: 'Recorded.' } })
  const first = await desk.dial()
  expect(isRefused(first)).toBe(false)
  const second = await desk.dial()
  expect(isRefused(second)).toBe(true)
  expect(second.heard).toEqual([])
  const rows = await desk.rows()
  expect(rows.find(({ outcome }) => outcome !== null)).toMatchObject({
    status: 'missed',
    outcome: 'refused',
    answered_at: null,
    transferred_to: null,
  })
  const dialled = desk.sent.findLast(({ url }) => url.endsWith('/answer'))
  expect((await desk.send(dialled!)).body).toContain('<Response><Reject reason="busy"/></Response>')
  expect(await desk.rows()).toEqual(rows)
  await desk.phone.hangUp(first.call)
  expect(isRefused(await desk.dial())).toBe(false)
})

test('of calls that begin at one moment no more are let in than may go on at once', async () => {
  await open({ atOnce: 2, aDay: 100 })
  const turns = await Promise.all(Array.from({ length: 8 }, () => desk.dial()))
  expect(turns.filter((turn) => !isRefused(turn))).toHaveLength(2)
  expect((await outcomes()).filter((one) => one === 'refused')).toHaveLength(6)
})

test('a call beyond those of 24 hours is refused; those that were refused or blocked do not count', async () => {
  await open({ atOnce: 100, aDay: 2 }, { blocked: ['+12125550177'] })
  await desk.dial('+12125550177')
  for (let call = 0; call < 2; call++) await desk.phone.hangUp((await desk.dial()).call)
  expect(isRefused(await desk.dial())).toBe(true)
  expect(isRefused(await desk.dial())).toBe(true)
  await advance(DAY_MS + 1)
  expect(isRefused(await desk.dial())).toBe(false)
  expect(await outcomes()).toEqual(['answered', 'answered', 'blocked', 'in_progress', 'refused', 'refused'])
})

test('a call whose end was lost takes nobody’s place after ten minutes, one that a person speaks in keeps it for two hours', async () => {
  await open({ atOnce: 1, aDay: 100 })
  await desk.dial()
  await advance(9 * MINUTE_MS)
  expect(isRefused(await desk.dial())).toBe(true)
  await advance(2 * MINUTE_MS)
  const rings = await desk.phone.say((await desk.dial()).call, 'a person please')
  await desk.phone.pickUp(rings.call)
  await advance(110 * MINUTE_MS)
  expect(isRefused(await desk.dial())).toBe(true)
  await advance(20 * MINUTE_MS)
  expect(isRefused(await desk.dial())).toBe(false)
})

test('one caller alone does not use up the calls of a day', async () => {
  await open({ atOnce: 100, aDay: 500 })
  for (let call = 0; call < 50; call++) await desk.phone.hangUp((await desk.dial('+12125550166')).call)
  expect(isRefused(await desk.dial('+12125550166'))).toBe(true)
  expect(isRefused(await desk.dial('+12125550177'))).toBe(false)
  expect(isRefused(await desk.dial(null))).toBe(false)
})
