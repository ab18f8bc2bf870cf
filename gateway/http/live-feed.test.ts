// What the feed of the technicians' pages costs: a twentieth of the program's time while a page is open, and nothing while none is.
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Signal } from '#shared/signal.ts'
import { FeedPage, feedApp } from '#test/doubles/feed-page.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { SESSION_COOKIE } from './cookie-names.ts'
import { LiveFeed } from './live-feed.ts'
import type { Sessions } from './sessions.ts'

let clock: ManualClock
let feed: LiveFeed
let app: FastifyInstance
const changed = new Signal()
/** When each read began, in milliseconds of the clock. */
let looks: number[]
let look: (breathe: () => Promise<void>) => Promise<void>
/** Time that the program has worked for: the clock shows it, but no timer falls due in it. */
let workedMs: number

beforeEach(async () => {
  clock = new ManualClock()
  looks = []
  workedMs = 0
  look = async () => undefined
  const monotonicMs = clock.monotonicMs.bind(clock)
  vi.spyOn(clock, 'monotonicMs').mockImplementation(() => monotonicMs() + workedMs)
  feed = new LiveFeed({
    clock,
    log: pino({ level: 'silent' }),
    sessions: { find: () => ({}) } as unknown as Sessions,
    topics: async (breathe) => {
      looks.push(monotonicMs())
      await look(breathe)
      return { status: { box: { looks: looks.length } } }
    },
    changes: [changed],
    nowMs: () => clock.now(),
  })
  await feed.start()
  app = feedApp()
  feed.routes(app)
})

afterEach(async () => {
  vi.restoreAllMocks()
  await feed.stop()
  await app.close()
})

async function open(): Promise<FeedPage> {
  const page = await FeedPage.open(app, '/api/v1/live', { cookie: `${SESSION_COOKIE}=${'x'.repeat(43)}` })
  await clock.advance(0)
  return page
}

/** A read that computes for so long. */
const takes = (ms: number) => async () => {
  workedMs += ms
}

describe('the poll of the box state', () => {
  it('waits nineteen times as long as the previous one took', async () => {
    look = takes(20)
    await open()
    expect(looks).toEqual([0])
    changed.notify()
    await clock.advance(379)
    expect(looks).toEqual([0])
    await clock.advance(1)
    expect(looks).toEqual([0, 380])
    look = takes(50)
    changed.notify()
    await clock.advance(380)
    look = takes(0)
    changed.notify()
    await clock.advance(950)
    expect(looks).toEqual([0, 380, 760, 1_710])
    changed.notify()
    await clock.advance(100)
    expect(looks.at(-1)).toBe(1_810)
  })

  it('gathers the changes of a tenth of a second, however quick it is', async () => {
    await open()
    for (let i = 0; i < 10; i++) {
      changed.notify()
      await clock.advance(9)
    }
    expect(looks).toEqual([0])
    await clock.advance(10)
    expect(looks).toEqual([0, 100])
    await clock.advance(4_000)
    expect(looks).toEqual([0, 100])
  })

  it('does not count what others do while it breathes', async () => {
    look = async (breathe) => {
      workedMs += 10
      setImmediate(() => {
        workedMs += 500
      })
      await breathe()
      workedMs += 10
    }
    await open()
    changed.notify()
    await clock.advance(380)
    expect(looks).toEqual([0, 380])
  })

  it('runs again for a change that happened during it', async () => {
    let goOn = (): void => undefined
    look = () =>
      new Promise((resolve) => {
        goOn = resolve
      })
    await open()
    changed.notify()
    look = async () => undefined
    goOn()
    await clock.advance(100)
    expect(looks).toEqual([0, 100])
  })
})

describe('while no page is open', () => {
  it('nothing is read, whatever changes', async () => {
    for (let i = 0; i < 20; i++) {
      changed.notify()
      await clock.advance(1_000)
    }
    expect(looks).toEqual([])
  })

  it('nothing is read any more after the last page has left, not even for an earlier change', async () => {
    const [first, second] = [await open(), await open()]
    changed.notify()
    first.leave()
    await clock.advance(0)
    await clock.advance(100)
    const before = looks.length
    expect(looks.at(-1)).toBe(100)
    changed.notify()
    second.leave()
    await clock.advance(0)
    for (let i = 0; i < 20; i++) {
      await clock.advance(1_000)
      changed.notify()
    }
    expect(looks).toHaveLength(before)
  })

  it('nothing is forgotten: the next page gets all that there is', async () => {
    const first = await open()
    first.leave()
    await clock.advance(0)
    await clock.advance(60_000)
    const next = await open()
    expect(next.events).toMatchObject([{ event: 'hello', data: { topics: { status: { box: { looks: 2 } } } } }])
  })
})
