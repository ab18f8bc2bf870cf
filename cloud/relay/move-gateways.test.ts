// How a stopping relay moves its gateways: which get `move`, which are disconnected, at which pace, and when it is done.
import { pino } from 'pino'
import { beforeEach, expect, test } from 'vitest'
import { asId } from '#shared/ids.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import type { GatewaySession } from './gateway-session.ts'
import { moveGateways } from './move-gateways.ts'

const log = pino({ level: 'silent' })

let clock: ManualClock
let now: AbortController
let asked: Map<string, number>
let closed: string[]
/** Done with the move. */
let isOver: boolean
beforeEach(() => {
  clock = new ManualClock()
  now = new AbortController()
  asked = new Map()
  closed = []
  isOver = false
})

interface Here {
  session: GatewaySession
  leave(): void
}

function gateways(count: number, canMove: (n: number) => boolean = () => true): Here[] {
  return Array.from({ length: count }, (_, n) => {
    const gatewayId = asId<'gw'>(`gw_${n}`)
    const session = {
      closed: false,
      facts: { gatewayId, canMove: canMove(n) },
      say: ({ t, withinMs }: { t: string; withinMs: number }) => {
        if (t === 'move') asked.set(gatewayId, withinMs)
      },
    }
    return { session: session as unknown as GatewaySession, leave: () => Object.assign(session, { closed: true }) }
  })
}

function move(here: readonly Here[]): void {
  const close = (gatewayId: string): void => {
    closed.push(gatewayId)
    here.find(({ session }) => session.facts.gatewayId === gatewayId)?.leave()
  }
  void moveGateways(
    here.map(({ session }) => session),
    { close, clock, log },
    now.signal,
  ).then(() => {
    isOver = true
  })
}

test('a few are asked at once, and it is over as soon as the last has left', async () => {
  const here = gateways(2)
  move(here)
  expect([...asked]).toEqual([
    ['gw_0', 5_100],
    ['gw_1', 5_100],
  ])
  await clock.advance(1_000)
  here[0]?.leave()
  await clock.advance(1_000)
  expect(isOver).toBe(false)
  here[1]?.leave()
  await clock.advance(100)
  expect(isOver).toBe(true)
})

test('of many, a twentieth is asked each second, each once, and all have time until the same end', async () => {
  const here = gateways(1_000)
  move(here)
  await clock.advance(950)
  expect(asked.size).toBe(50)
  expect([...new Set(asked.values())]).toEqual(Array.from({ length: 10 }, (_, step) => 25_000 - step * 100))
  await clock.advance(19_000)
  expect(asked.size).toBe(1_000)
  expect(isOver).toBe(false)
  await clock.advance(5_100)
  expect(isOver).toBe(true)
})

test('one that cannot be asked is closed when it is its turn', async () => {
  move(gateways(40, (n) => n % 2 === 0))
  await clock.advance(950)
  expect([asked.size, closed.length]).toEqual([10, 10])
  await clock.advance(1_000)
  expect([asked.size, closed.length]).toEqual([20, 20])
})

test('it ends at once on request', async () => {
  move(gateways(1_000))
  await clock.advance(500)
  now.abort()
  await clock.advance(0)
  expect(isOver).toBe(true)
  expect(asked.size).toBeLessThan(50)
})

test('without gateways it is over at once', async () => {
  move([])
  await clock.advance(0)
  expect(isOver).toBe(true)
})
