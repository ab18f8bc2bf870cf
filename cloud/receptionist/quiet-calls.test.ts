// Calls of which nothing was heard for four hours: the telephone company is asked before they end.
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Telephony } from '#cloud/telephony/telephony.ts'
import type { ManualClock } from '#test/doubles/manual-clock.ts'
import { CallDesk } from '#test/fixtures/call-desk.ts'
import { QuietCalls } from './quiet-calls.ts'

const HOUR_MS = 3_600_000

let desk: CallDesk
let answers: Array<Awaited<ReturnType<Telephony['callState']>> | Error>
let asked: string[]
let sweeps: QuietCalls
/** The deletion clock; null: as the clock. */
let livedMs: number | null

beforeEach(async () => {
  desk = await CallDesk.open()
  answers = []
  asked = []
  livedMs = null
  const { db, stores, clock } = desk.api
  const { secretBox, log } = stores
  const company = {
    callState: async (id: string) => {
      asked.push(id)
      const answer = answers.shift() ?? null
      if (answer instanceof Error) throw answer
      return answer
    },
  }
  const deletionClock = { now: () => livedMs ?? clock.now() }
  const telephony = { of: () => company as unknown as Telephony }
  sweeps = new QuietCalls({ db, calls: desk.calls, telephony, secretBox, clock, log, deletionClock })
  await desk.dial()
})
afterEach(() => desk.close())

const after = async (hours: number) => {
  await (desk.api.clock as ManualClock).advance(hours * HOUR_MS)
  await sweeps.sweep()
  const [row] = await desk.rows()
  return [row?.status, row?.outcome]
}

test('a call that was heard of within four hours goes on, and nobody is asked', async () => {
  expect(await after(3.9)).toEqual(['in_progress', null])
  expect(asked).toEqual([])
})

test.each([
  ['completed', ['completed', 'answered']],
  ['missed', ['missed', 'missed']],
  ['failed', ['failed', 'failed']],
  [null, ['failed', 'failed']],
] as const)('one that the company calls %s ends as %j', async (known, ended) => {
  answers = [known]
  const told: unknown[] = []
  desk.calls.changed.subscribe((merchant) => told.push(merchant))
  expect(await after(4.1)).toEqual(ended)
  expect(told).toEqual([desk.api.merchantKey])
})

test('one that still goes on is asked about again four hours later', async () => {
  answers = ['in_progress', 'completed']
  expect(await after(4.1)).toEqual(['in_progress', null])
  expect(await after(1)).toEqual(['in_progress', null])
  expect(asked).toHaveLength(1)
  expect(await after(3.1)).toEqual(['completed', 'answered'])
})

test('while the company cannot be asked it waits, for a day at most', async () => {
  answers = [new Error('away'), new Error('away')]
  expect(await after(4.1)).toEqual(['in_progress', null])
  expect(await after(20)).toEqual(['failed', 'failed'])
})

test('answers to hooks are forgotten after a day', async () => {
  const count = async () => (await desk.api.db.read.selectFrom('call_inputs').select('at').execute()).length
  expect(await count()).toBe(1)
  await after(23)
  expect(await count()).toBe(1)
  await after(2)
  expect(await count()).toBe(0)
})

test('a call whose state cannot be read ends as failed, and those after it end too', async () => {
  await desk.dial('+12125550143')
  const [first] = await desk.rows()
  await desk.api.db.unit((tx) => tx.updateTable('calls').set({ state_enc: '' }).where('id', '=', first!.id).execute())
  answers = ['completed', 'completed']
  await after(4.1)
  expect((await desk.rows()).map(({ outcome }) => outcome)).toEqual(['failed', 'answered'])
})

test('a hundred calls of which the company cannot tell anything now do not keep others from their end', async () => {
  const [call] = await desk.rows()
  await desk.api.db.unit(async (tx) => {
    for (let n = 0; n < 100; n++)
      await desk.calls.insert(tx, {
        ...call!,
        id: `call_${n}` as never,
        provider_id: `CA${n}`,
        last_at: call!.last_at - 1,
      })
  })
  answers = [...Array.from({ length: 100 }, () => new Error('not now')), 'completed']
  await after(4.1)
  const ended = (await desk.rows()).filter(({ ended_at }) => ended_at !== null)
  expect(ended.map(({ id }) => id)).toEqual([call!.id])
})

test('a clock that jumps ahead ends no call and forgets no answer', async () => {
  livedMs = desk.api.clock.now()
  expect(await after(48)).toEqual(['in_progress', null])
  expect(asked).toEqual([])
  expect(await desk.api.db.read.selectFrom('call_inputs').select('at').execute()).toHaveLength(1)
})
