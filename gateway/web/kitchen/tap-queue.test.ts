// The queue of taps: stored, sent in order, each until the gateway has it.
import { beforeEach, describe, expect, it } from 'vitest'
import type { ActResult, KitchenAct } from '#shared/wire/kitchen.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { TapQueue } from './tap-queue.ts'

let clock: ManualClock
let kept: string | null
let sent: string[][]
let refused: string[]
let isSignedOut: boolean
let answer: (acts: readonly KitchenAct[]) => { status: number; results: ActResult[] }

beforeEach(() => {
  clock = new ManualClock()
  kept = null
  sent = []
  refused = []
  isSignedOut = false
  answer = (acts) => ({ status: 200, results: acts.map(({ id }) => ({ id, outcome: 'done' })) })
})

const queue = () =>
  new TapQueue({
    clock,
    load: () => kept,
    save: (text) => {
      kept = text
    },
    send: async (acts) => {
      sent.push(acts.map(({ id }) => id))
      return answer(acts)
    },
    changed: () => undefined,
    refused: ({ id }) => refused.push(id),
    signedOut: () => {
      isSignedOut = true
    },
  })
const tap = (id: string): KitchenAct => ({ id, kind: 'ready', orderId: `ord_${id}`, stations: null, atMs: 1 })

describe('a tap', () => {
  it('waits while the gateway does not answer, and is sent in its order when it does', async () => {
    const healthy = answer
    answer = () => ({ status: 0, results: [] })
    const taps = queue()
    taps.add(tap('a'))
    taps.add(tap('b'))
    await clock.advance(0)
    expect(taps.waiting.map(({ id }) => id)).toEqual(['a', 'b'])
    answer = healthy
    await clock.advance(1_500)
    expect(taps.waiting).toEqual([])
    expect(sent.at(-1)).toEqual(['a', 'b'])
  })

  it('survives a reload of the page', async () => {
    answer = () => ({ status: 0, results: [] })
    queue().add(tap('a'))
    expect(queue().waiting.map(({ id }) => id)).toEqual(['a'])
  })

  it('is shown until the board has it', async () => {
    const taps = queue()
    taps.add(tap('a'))
    await clock.advance(0)
    expect([taps.waiting.length, taps.shown.length]).toEqual([0, 1])
    taps.told(['ord_a'])
    expect(taps.shown).toEqual([])
  })

  it('that is refused is reported and dropped; a display that is signed out keeps its taps', async () => {
    answer = (acts) => ({ status: 200, results: acts.map(({ id }) => ({ id, outcome: 'refused' })) })
    const taps = queue()
    taps.add(tap('a'))
    await clock.advance(0)
    expect(refused).toEqual(['a'])
    answer = () => ({ status: 401, results: [] })
    taps.add(tap('b'))
    await clock.advance(0)
    expect([isSignedOut, taps.waiting.length]).toEqual([true, 1])
  })

  it('that the gateway cannot read does not block the others', async () => {
    const healthy = answer
    answer = () => ({ status: 0, results: [] })
    const taps = queue()
    for (const id of ['a', 'b', 'bad', 'c']) taps.add(tap(id))
    await clock.advance(0)
    answer = (acts) => (acts.some(({ id }) => id === 'bad') ? { status: 400, results: [] } : healthy(acts))
    await clock.advance(1_500)
    await expect.poll(() => taps.waiting).toEqual([])
    expect(refused).toEqual(['bad'])
    expect(taps.shown.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  })

  it('is not read from a storage that contains something else', () => {
    kept = '{"what":1}'
    expect(queue().waiting).toEqual([])
    kept = 'not json'
    expect(queue().waiting).toEqual([])
  })

  it('is sent without what was seen to a gateway of an earlier version, which cannot read that', async () => {
    const read: KitchenAct[] = []
    answer = (acts) => {
      if (acts.some(({ seenRev }) => seenRev !== undefined)) return { status: 400, results: [] }
      read.push(...acts)
      return { status: 200, results: acts.map(({ id }) => ({ id, outcome: 'done' })) }
    }
    const taps = queue()
    taps.add({ ...tap('a'), seenRev: 7, lines: [0], screen: 'x' })
    await clock.advance(0)
    expect([read, refused, taps.waiting]).toEqual([[tap('a')], [], []])
  })

  it('of an order with very many lines is sent in a message that the gateway accepts', async () => {
    const healthy = answer
    answer = () => ({ status: 0, results: [] })
    const taps = queue()
    const lines = Array.from({ length: 1_000 }, (_, place) => place)
    for (let n = 0; n < 30; n++) taps.add({ ...tap(`t${n}`), seenRev: 1, lines })
    await clock.advance(0)
    let longest = 0
    answer = (acts) => {
      longest = Math.max(longest, JSON.stringify({ acts }).length)
      return healthy(acts)
    }
    await clock.advance(2_000)
    expect(taps.waiting).toEqual([])
    expect(longest).toBeLessThan(65_536)
  })
})
