// The listener while the developer's program is away or breaks off: events wait, arrive once it is back, and none is lost without a word.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { delivery, listening as life, OK, RESET, ScriptedRelay, type Target } from '#test/doubles/scripted-relay.ts'
import { type AttemptResult, ListenJournal } from './listen-journal.ts'
import { HELD_MS } from './listener.ts'

let dir: string
let relay: ScriptedRelay
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'listener-'))
  relay = new ScriptedRelay()
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const listening = (target?: Target, random?: () => number) =>
  life({ relay, file: join(dir, 'journal') }, target, random)

describe('while the program is away', () => {
  const REFUSED: AttemptResult = { error: 'refused', ms: 1 }

  it('an event waits, is posted again until it arrives, and is reported once', async () => {
    const answers = [REFUSED, REFUSED, REFUSED, OK]
    const life = listening(
      async () => answers.shift() ?? OK,
      () => 1,
    )
    await relay.until(() => relay.streams === 1)
    relay.say('delivery', delivery())
    while (relay.results.length === 0) await life.clock.advance(100)
    expect([life.posted.length, relay.results]).toEqual([4, [{ deliveryId: 'dlv_1', number: 1, ...OK }]])
    expect(life.away.map(({ kind }) => kind)).toEqual(['held', 'back'])
    life.stop()
    await life.ended
  })

  it('for longer than events are held, they fail at once, until the program answers again', async () => {
    let isBack = false
    const life = listening(
      async () => (isBack ? OK : REFUSED),
      () => 1,
    )
    await relay.until(() => relay.streams === 1)
    relay.say('delivery', delivery())
    let beats = 0
    for (; relay.results.length === 0; beats++) {
      relay.say('beat', {})
      await life.clock.advance(2_000)
    }
    expect(relay.results[0]).toEqual({ deliveryId: 'dlv_1', number: 1, ...REFUSED })
    expect(beats * 2_000).toBeGreaterThanOrEqual(HELD_MS)
    relay.say('delivery', delivery(1, 'dlv_2'))
    await relay.until(() => relay.results.length === 2)
    isBack = true
    relay.say('delivery', delivery(1, 'dlv_3'))
    await relay.until(() => relay.results.length === 3)
    expect(life.away).toMatchObject([
      { kind: 'held' },
      { kind: 'missed', webhookId: 'we_1' },
      { kind: 'back', missed: 2 },
    ])
    life.stop()
    await life.ended
  })

  it('the end leaves an event that waits as one that was never begun', async () => {
    const life = listening(
      async () => REFUSED,
      () => 1,
    )
    await relay.until(() => relay.streams === 1)
    relay.say('delivery', delivery())
    await relay.until(() => life.posted.length === 1)
    await life.clock.advance(0)
    life.stop()
    await life.ended
    expect([relay.results, ListenJournal.open(join(dir, 'journal')).leftOver()]).toEqual([[], []])
  })

  it('an attempt that it broke off is reported so, and the next is posted after a pause', async () => {
    const answers: AttemptResult[] = [{ error: 'reset', ms: 3 }, OK]
    const life = listening(
      async () => answers.shift() ?? OK,
      () => 1,
    )
    await relay.until(() => relay.streams === 1)
    relay.say('delivery', delivery())
    await relay.until(() => relay.results.length === 1)
    relay.say('delivery', delivery(2))
    await life.clock.advance(0)
    expect([life.posted.length, relay.results[0]]).toEqual([1, { ...RESET, ms: 3 }])
    await life.clock.advance(250)
    await relay.until(() => relay.results.length === 2)
    expect(relay.results[1]).toEqual({ deliveryId: 'dlv_1', number: 2, ...OK })
    life.stop()
    await life.ended
  })

  it('an event that it breaks off eleven times in a row is missing, and this is said', async () => {
    const life = listening(
      async () => ({ error: 'reset', ms: 3 }),
      () => 0,
    )
    await relay.until(() => relay.streams === 1)
    for (let number = 1; number <= 11; number++) {
      expect(life.away).toEqual([])
      relay.say('delivery', delivery(number))
      while (relay.results.length < number) await life.clock.advance(100)
    }
    await life.clock.advance(0)
    expect(relay.results.map(({ again }) => again ?? false)).toEqual([...Array(10).fill(true), false])
    expect(life.away).toMatchObject([{ kind: 'missed', webhookId: 'we_1' }])
    life.stop()
    await life.ended
  })

  it('an event over which listen was killed often is asked for again: the program is not to blame', async () => {
    const life = listening(async () => ({ error: 'reset', ms: 3 }))
    await relay.until(() => relay.streams === 1)
    relay.say('delivery', delivery(11))
    await relay.until(() => relay.results.length === 1)
    expect(relay.results[0]).toMatchObject({ number: 11, again: true })
    expect(life.away).toEqual([])
    life.stop()
    await life.ended
  })
})
