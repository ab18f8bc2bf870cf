// A gateway's hello when the relay has no time for it: it waits as requested, by its own clock, and no other message shortens that.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Signal } from '#shared/signal.ts'
import { downMessage, LINK_LIMITS } from '#shared/wire/gateway-link.ts'
import { GatewayCore } from '#test/doubles/gateway-core.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { Introduction } from './introduction.ts'

const WELCOME_MS = 5_000

let core: GatewayCore
let clock: ManualClock
let introduction: Introduction
let random: number
/** Instants of the hellos. */
let hellos: number[]
let waits: number[]
let timeouts: number

beforeEach(() => {
  core = new GatewayCore()
  clock = new ManualClock()
  random = 0
  hellos = []
  waits = []
  timeouts = 0
  const { identity, reports, intake, relayTime, log } = core
  introduction = new Introduction(
    {
      pairing: {
        ...{ gatewayId: 'gw_1', token: 'x'.repeat(32), brokerUrl: 'mqtt://127.0.0.1:1', merchantName: '' },
        ...{ timeZone: 'UTC', topics: { up: 'u', down: 'd', all: 'a' } },
      },
      ...{ identity, reports, intake, relayTime, log, clock, app: 'test', bootId: 'boot', bootEpoch: 1 },
      status: {
        snapshot: () => ({ printers: [], queue: { queued: 0, held: 0, unreported: 0 } }),
        isPrinting: () => false,
        changed: new Signal(),
      },
      random: () => random,
    },
    (body) => {
      if (body.t !== 'hello') return
      expect(body).toMatchObject({ proto: [1, 2], caps: expect.arrayContaining(['wait']) })
      hellos.push(clock.monotonicMs())
    },
  )
  introduction.begin(WELCOME_MS, { onTimeout: () => timeouts++, onTold: (ms) => waits.push(ms) })
})
afterEach(async () => {
  introduction.end()
  await core.stop()
})

describe('a gateway that was asked to wait', () => {
  it('sends its hello again after that time, on the same connection, and waits as long as at first', async () => {
    introduction.told(20_000)
    await clock.advance(19_999)
    expect([hellos, timeouts]).toEqual([[0], 0])
    await clock.advance(1)
    expect(hellos).toEqual([0, 20_000])
    await clock.advance(WELCOME_MS - 1)
    expect(timeouts).toBe(0)
    await clock.advance(1)
    expect(timeouts).toBe(1)
  })

  it('waits up to a tenth longer, never less, so that gateways with the same delay do not come together', async () => {
    random = 0.5
    introduction.told(20_000)
    expect(waits).toEqual([21_000])
    await clock.advance(20_999)
    expect(hellos).toEqual([0])
    await clock.advance(1)
    expect(hellos).toEqual([0, 21_000])
  })

  it('obeys the latest of several delays', async () => {
    introduction.told(1_000)
    await clock.advance(500)
    introduction.told(3_000)
    await clock.advance(3_000)
    expect(hellos).toEqual([0, 3_500])
    introduction.told(1_000)
    await clock.advance(1_000)
    expect(hellos).toEqual([0, 3_500, 4_500])
    expect(timeouts).toBe(0)
  })

  it('does not ask earlier for a call for hellos, nor for a damaged message', async () => {
    introduction.asked(1_000)
    introduction.told(10_000)
    introduction.asked(0)
    introduction.again()
    await clock.advance(9_999)
    expect(hellos).toEqual([0])
    await clock.advance(1)
    expect(hellos).toEqual([0, 10_000])
  })

  it('does not ask again after a welcome in between', async () => {
    introduction.told(1_000)
    expect(introduction.accepted()).toBe(true)
    await clock.advance(60_000)
    expect([hellos, timeouts]).toEqual([[0], 0])
  })

  it('asks again after an earlier welcome, but is not reported as waiting: it is connected', async () => {
    introduction.accepted()
    introduction.asked(0)
    await clock.advance(0)
    introduction.told(1_000)
    await clock.advance(WELCOME_MS + 1_000)
    expect([hellos, waits, timeouts]).toEqual([[0, 0, 1_000], [], 0])
  })

  it('sends nothing any more after its connection has ended', async () => {
    introduction.told(1_000)
    introduction.end()
    await clock.advance(60_000)
    expect([hellos, timeouts]).toEqual([[0], 0])
  })
})

describe('the longest delay of a relay', () => {
  const said = (forMs: unknown): unknown => {
    const read = downMessage.safeParse({ v: 1, id: 'm', ts: 0, e: 1, t: 'wait', forMs })
    return read.success && read.data.t === 'wait' ? read.data.forMs : 'not understood'
  }

  it.each([
    [LINK_LIMITS.waitMostMs, LINK_LIMITS.waitMostMs],
    [LINK_LIMITS.waitMostMs + 1, LINK_LIMITS.waitMostMs],
    [1e300, LINK_LIMITS.waitMostMs],
    [-1, 0],
    [250.4, 250],
    ['250', 'not understood'],
    [null, 'not understood'],
    [undefined, 'not understood'],
  ])('%j is taken as %j', (forMs, taken) => {
    expect(said(forMs)).toBe(taken)
  })
})
