// The budget of one gateway: when it is read on, slowed down, or disconnected for a while.
import { beforeEach, describe, expect, it } from 'vitest'
import { asId } from '#shared/ids.ts'
import { createLogger } from '#shared/log.ts'
import { SampledLog } from '#shared/sampled-log.ts'
import { LINK_LIMITS } from '#shared/wire/gateway-link.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { GatewayBudget } from './gateway-budget.ts'

const LOUD = asId<'gw'>('gw_loud')
const OTHER = asId<'gw'>('gw_other')
const AT_ONCE = 600
const A_SECOND = 100

let clock: ManualClock
let budget: GatewayBudget
let said: string[]

beforeEach(() => {
  clock = new ManualClock()
  said = []
  const log = createLogger('test', 'info', { destination: { write: (line) => said.push(line) } })
  budget = new GatewayBudget({ clock, lines: new SampledLog(log, clock) })
})

const says = (messages: number, bytes = 0): void => budget.spend(LOUD, { messages, bytes })

describe('a gateway', () => {
  it('is read on until its budget is spent, and again as soon as the debt is paid', async () => {
    says(AT_ONCE)
    expect(budget.mayRead(LOUD)).toEqual({ waitMs: 0 })
    says(A_SECOND)
    expect(budget.mayRead(LOUD)).toEqual({ waitMs: 1_000 })
    expect(budget.mayRead(OTHER)).toEqual({ waitMs: 0 })
    await clock.advance(999)
    expect(budget.mayRead(LOUD)).toEqual({ waitMs: 1 })
    await clock.advance(1)
    expect(budget.mayRead(LOUD)).toEqual({ waitMs: 0 })
  })

  it('with little content in many bytes waits as well', () => {
    says(1, 4_194_304)
    expect(budget.mayRead(LOUD)).toEqual({ waitMs: 0 })
    says(1, 262_144)
    expect(budget.mayRead(LOUD)).toEqual({ waitMs: 1_000 })
  })

  it('never waits for messages that make progress, however many they are', () => {
    for (let n = 0; n < 5_000; n++) {
      says(1, 50_000)
      expect(budget.mayRead(LOUD)).toEqual({ waitMs: 0 })
      budget.giveBack(LOUD, { messages: 1, bytes: 50_000 })
    }
  })

  describe.each([
    ['98 kB, as most are, from near by', { bytes: 98_000, paceMs: 20 }],
    ['98 kB, as most are, from far away', { bytes: 98_000, paceMs: 300 }],
    ['one order of the largest size, from near by', { bytes: LINK_LIMITS.jobBytes, paceMs: 20 }],
  ])('that hands back pieces of %s', (_, { bytes, paceMs }) => {
    const PIECE = { messages: 1, bytes }

    /** As many as the relay asks for in one session, each when the one before is stored. @returns how many were read at once, and how many in all */
    async function handsBack(isNews: boolean): Promise<[atOnce: number, inAll: number]> {
      let atOnce = 0
      for (let n = 0; n < 1_000; n++) {
        const verdict = budget.mayRead(LOUD)
        if (verdict === 'closed') return [atOnce, n]
        if (verdict.waitMs === 0) atOnce++
        await clock.advance(verdict.waitMs)
        budget.spend(LOUD, PIECE)
        await clock.advance(paceMs)
        if (isNews) budget.giveBack(LOUD, PIECE)
      }
      return [atOnce, 1_000]
    }

    it('never waits when each of them brings an order back', async () => {
      expect(await handsBack(true)).toEqual([1_000, 1_000])
    })

    it('is closed long before the last when they bring nothing back', async () => {
      const [atOnce, inAll] = await handsBack(false)
      expect(inAll).toBeLessThan(400)
      expect(atOnce).toBeLessThan(inAll)
    })
  })

  it('saves nothing up by that: more than its budget is never there', () => {
    budget.giveBack(LOUD, { messages: 1_000_000, bytes: 1e9 })
    says(AT_ONCE + A_SECOND)
    expect(budget.mayRead(LOUD)).toEqual({ waitMs: 1_000 })
  })

  it('pays for a hello what it costs', () => {
    for (let n = 0; n < 30; n++) {
      says(1)
      budget.spendHello(LOUD)
    }
    expect(budget.mayRead(LOUD)).toEqual({ waitMs: 0 })
    says(1)
    budget.spendHello(LOUD)
    expect(budget.mayRead(LOUD)).toEqual({ waitMs: 200 })
  })
})

describe('a flood', () => {
  /** As fast as it is read, for so long. @returns the last verdict */
  async function floods(seconds: number) {
    says(AT_ONCE)
    let verdict = budget.mayRead(LOUD)
    for (let n = 0; n < seconds && verdict !== 'closed'; n++) {
      says(A_SECOND)
      verdict = budget.mayRead(LOUD)
      if (verdict !== 'closed') await clock.advance(verdict.waitMs)
    }
    return verdict
  }

  it('of a minute is read slowly; of more than a minute it is closed, and stays out for another', async () => {
    expect(await floods(60)).toEqual({ waitMs: 1_000 })
    expect(budget.isHeldOff(LOUD)).toBe(false)
    expect(await floods(2)).toBe('closed')
    expect([budget.isHeldOff(LOUD), budget.isHeldOff(OTHER)]).toEqual([true, false])
    await clock.advance(59_999)
    expect(budget.isHeldOff(LOUD)).toBe(true)
    await clock.advance(1)
    expect(budget.isHeldOff(LOUD)).toBe(false)
    expect(budget.mayRead(LOUD)).toEqual({ waitMs: 0 })
    expect(said.at(-1)).toContain('its connection is closed')
  })

  it('is another one after ten quiet seconds', async () => {
    await floods(50)
    await clock.advance(10_000)
    expect(await floods(50)).toEqual({ waitMs: 1_000 })
  })

  it('that arrived in one burst, so that its debt would outlast a connection, is closed at once', () => {
    says(AT_ONCE + 32_000)
    expect(budget.mayRead(LOUD)).toBe('closed')
    expect(budget.isHeldOff(LOUD)).toBe(true)
  })
})
