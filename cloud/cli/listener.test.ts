// The listener without a network, on a fake clock: repeated numbers, lost results, silence, kills and the end of a stream.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { delivery, listening as life, OK, RESET, ScriptedRelay, type Target } from '#test/doubles/scripted-relay.ts'
import { type AttemptResult, ListenJournal } from './listen-journal.ts'

let dir: string
let relay: ScriptedRelay
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'listener-'))
  relay = new ScriptedRelay()
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const listening = (target?: Target, random?: () => number) =>
  life({ relay, file: join(dir, 'journal') }, target, random)

describe('a delivery', () => {
  it('that is repeated while the program works on it is posted once, and reported once', async () => {
    const answered = Promise.withResolvers<AttemptResult>()
    const life = listening(() => answered.promise)
    await relay.until(() => relay.streams === 1)
    relay.say('delivery', delivery())
    relay.say('delivery', delivery())
    relay.say('delivery', delivery(1, 'dlv_2'))
    await relay.until(() => life.posted.length === 2)
    answered.resolve(OK)
    await relay.until(() => relay.results.length === 2)
    life.stop()
    await life.ended
    expect(life.posted.map(({ deliveryId }) => deliveryId)).toEqual(['dlv_1', 'dlv_2'])
    expect(relay.results).toHaveLength(2)
  })

  it('that is repeated after its answer is not posted again: the same result is sent', async () => {
    const life = listening()
    await relay.until(() => relay.streams === 1)
    relay.say('delivery', delivery())
    await relay.until(() => relay.results.length === 1)
    await life.clock.advance(0)
    relay.say('delivery', delivery())
    await relay.until(() => relay.results.length === 2)
    relay.say('delivery', delivery(2))
    await relay.until(() => relay.results.length === 3)
    expect(life.posted.map(({ number }) => number)).toEqual([1, 2])
    expect(relay.results[1]).toEqual(relay.results[0])
    life.stop()
    await life.ended
  })
})

describe('a result', () => {
  it('that the relay cannot accept now is sent again until it is accepted', async () => {
    // More than the SDK retries itself.
    relay.resultStatuses = [503, 503, 503, 503, 503, 503, 503]
    const life = listening()
    await relay.until(() => relay.streams === 1)
    relay.say('delivery', delivery())
    while (relay.results.length < 8) await life.clock.advance(1_000)
    expect(new Set(relay.results.map((body) => JSON.stringify(body))).size).toBe(1)
    life.stop()
    await life.ended
  })

  it('that the relay refuses as invalid is reported again without details', async () => {
    relay.resultStatuses = [422]
    const life = listening(async () => ({ status: 500, ms: 7, response: 'half of \ud83c' }))
    await relay.until(() => relay.streams === 1)
    relay.say('delivery', delivery())
    await relay.until(() => relay.results.length === 2)
    expect(relay.results[1]).toEqual({ deliveryId: 'dlv_1', number: 1, status: 500, ms: 7 })
    await life.clock.advance(0)
    expect(life.lost).toEqual([])
    expect(ListenJournal.open(join(dir, 'journal')).leftOver()).toEqual([])
    life.stop()
    await life.ended
  })

  it('that the relay does not accept any more is dropped, and the stream continues', async () => {
    relay.resultStatuses = [409, 404]
    const life = listening()
    await relay.until(() => relay.streams === 1)
    for (const id of ['dlv_1', 'dlv_2', 'dlv_3']) relay.say('delivery', delivery(1, id))
    await relay.until(() => relay.results.length === 3)
    life.stop()
    await life.ended
    expect(relay.results.map(({ deliveryId }) => deliveryId)).toEqual(['dlv_1', 'dlv_2', 'dlv_3'])
  })
})

describe('the end of the program', () => {
  it('comes at once, without a step of the clock, if nothing is in flight', async () => {
    const life = listening()
    await relay.until(() => relay.streams === 1)
    relay.say('delivery', delivery())
    await relay.until(() => relay.results.length === 1)
    await life.clock.advance(0)
    life.stop()
    await life.ended
  })

  it('does not wait for an unreachable relay: the next run sends the result', async () => {
    relay.resultStatuses = Array(100).fill(503)
    const life = listening()
    await relay.until(() => relay.streams === 1)
    relay.say('delivery', delivery())
    while (relay.results.length < 10) await life.clock.advance(1_000)
    life.stop()
    await life.clock.advance(0)
    await life.clock.advance(3_000)
    await life.ended
    const told = relay.results.length
    await life.clock.advance(60_000)
    expect(relay.results).toHaveLength(told)
    expect(ListenJournal.open(join(dir, 'journal')).leftOver()).toEqual([{ key: 'dlv_1:1', result: OK }])
  })

  it('gives up a target that does not answer within 3 s: its attempt is in doubt', async () => {
    let over: AbortSignal | null = null
    const life = listening((_, signal) => {
      over = signal
      return new Promise(() => {})
    })
    await relay.until(() => relay.streams === 1)
    relay.say('delivery', delivery())
    await relay.until(() => life.posted.length === 1)
    life.stop()
    // The stream ends before time advances.
    await life.clock.advance(0)
    await life.clock.advance(2_900)
    expect(over).toMatchObject({ aborted: false })
    await life.clock.advance(100)
    await life.ended
    expect(over).toMatchObject({ aborted: true })
    expect(ListenJournal.open(join(dir, 'journal')).leftOver()).toEqual([
      { key: 'dlv_1:1', result: { error: 'reset', ms: 0 } },
    ])
  })
})

describe('a stream', () => {
  it('that is silent for 25 s is replaced by another one, with the same listener', async () => {
    const life = listening()
    await relay.until(() => relay.streams === 1)
    await life.clock.advance(24_000)
    relay.say('beat', { time: '2026-11-20T18:00:24.000Z' })
    // The heartbeat is read before time advances.
    await life.clock.advance(0)
    await life.clock.advance(24_000)
    expect([relay.streams, life.lost]).toEqual([1, []])
    while (relay.streams < 2) await life.clock.advance(1_000)
    expect(life.lost).toEqual(['The stream was lost'])
    expect(relay.calls.filter(({ path }) => path.endsWith('/listener'))).toHaveLength(1)
    life.stop()
    await life.ended
  })

  it('that was cut is reopened, after a drain without a pause; a deleted listener is replaced by a new one', async () => {
    const life = listening()
    await relay.until(() => relay.streams === 1)
    relay.cut()
    while (relay.streams < 2) await life.clock.advance(1_000)
    await life.clock.advance(11_000)
    relay.say('bye', { reason: 'draining' })
    await relay.until(() => relay.streams === 3)
    await life.clock.advance(11_000)
    relay.say('bye', { reason: 'deleted' })
    await relay.until(() => relay.streams === 4)
    expect(relay.calls.filter(({ path }) => path.endsWith('/listener'))).toHaveLength(2)
    life.stop()
    await life.ended
  })

  it.each(['draining', 'a word of a later relay'])(
    'that ends with %s at once each time is not asked for without a pause',
    async (reason) => {
      const life = listening(undefined, () => 1)
      await relay.until(() => relay.streams === 1)
      relay.say('bye', { reason })
      await relay.until(() => relay.streams === 2)
      relay.say('bye', { reason })
      await life.clock.advance(0)
      expect(relay.streams).toBe(2)
      await life.clock.advance(500)
      expect(relay.streams).toBe(3)
      life.stop()
      await life.ended
    },
  )

  it('that another program took over is not taken back', async () => {
    const life = listening()
    await relay.until(() => relay.streams === 1)
    relay.say('bye', { reason: 'replaced' })
    await expect(life.ended).rejects.toThrow(/in place of this one/)
    expect(relay.streams).toBe(1)
  })
})

describe('the run after a kill', () => {
  it('reports an attempt that was answered with its result, without posting it again', async () => {
    const journal = ListenJournal.open(join(dir, 'journal'))
    journal.listens({ webhookId: 'we_1', secret: 'whsec_x' })
    journal.begun('dlv_1:1')
    journal.answered('dlv_1:1', { status: 418, ms: 7 })
    const life = listening()
    await relay.until(() => relay.streams === 1)
    relay.say('delivery', delivery())
    await relay.until(() => relay.results.length === 1)
    expect([life.posted, relay.results[0]]).toEqual([[], { deliveryId: 'dlv_1', number: 1, status: 418, ms: 7 }])
    life.stop()
    await life.ended
  })

  it('reports one that was not answered as reset, and asks for the next with it', async () => {
    const journal = ListenJournal.open(join(dir, 'journal'))
    journal.listens({ webhookId: 'we_1', secret: 'whsec_x' })
    journal.begun('dlv_1:1')
    // More than the client of the API tries by itself.
    relay.resultStatuses = [503, 503, 503, 503, 503, 503, 503]
    const life = listening()
    await relay.until(() => relay.streams === 1)
    relay.say('delivery', delivery())
    while (relay.results.length < 8) await life.clock.advance(1_000)
    expect([life.posted, relay.results[7]]).toEqual([[], { ...RESET, ms: 0 }])
    life.stop()
    await life.ended
    expect(ListenJournal.open(join(dir, 'journal')).leftOver()).toEqual([])
  })

  it('forgets an attempt whose result the relay has', async () => {
    const journal = ListenJournal.open(join(dir, 'journal'))
    journal.listens({ webhookId: 'we_1', secret: 'whsec_x' })
    journal.begun('dlv_1:1')
    relay.recorded = { dlv_1: [1] }
    const life = listening()
    await relay.until(() => relay.streams === 1)
    life.stop()
    await life.ended
    expect([relay.calls, ListenJournal.open(join(dir, 'journal')).leftOver()]).toEqual([[], []])
  })
})
