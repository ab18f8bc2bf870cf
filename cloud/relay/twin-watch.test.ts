// Two boxes with one identity, distinguished from one box that restarts or gets another board.
import { describe, expect, test } from 'vitest'
import { asId, type GatewayId } from '#shared/ids.ts'
import { TwinWatch } from './twin-watch.ts'

const GW: GatewayId = asId('gw')
const unnamed = (bootId: string) => ({ bootId, machine: null, knownMachine: null })

const run = (boots: string[], stepMs = 1_000) => {
  const watch = new TwinWatch()
  return boots.map((bootId, i) => watch.observe(GW, unnamed(bootId), i * stepMs))
}

describe('boxes that do not send a machine id', () => {
  test('a box that reconnects or restarts is welcome, however often', () => {
    expect(run(['a', 'a', 'a', 'b', 'c', 'd', 'e', 'e', 'f'])).not.toContain('twins')
  })

  test('alternating boots are two boxes, and the later one is refused', () => {
    expect(run(['a', 'b', 'a', 'b', 'a', 'b'])).toEqual(['welcome', 'welcome', 'welcome', 'twins', 'welcome', 'refuse'])
  })

  test('a boot that ended before keeps no place, which would leave both boxes out', () => {
    expect(run(['old', 'b', 'a', 'b', 'a', 'b', 'a', 'b']).slice(4)).toEqual(['twins', 'welcome', 'refuse', 'welcome'])
  })

  test('the refusal ends, so that a box that was refused by mistake returns', () => {
    const watch = new TwinWatch()
    for (const [i, boot] of ['a', 'b', 'a', 'b'].entries()) watch.observe(GW, unnamed(boot), i)
    expect(watch.observe(GW, unnamed('c'), 1_000)).toBe('refuse')
    expect(watch.observe(GW, unnamed('c'), 61_000)).toBe('welcome')
  })

  test('the place is free as soon as the connection of its owner has ended, not when that of the other box has', () => {
    const watch = new TwinWatch()
    for (const [i, boot] of ['a', 'b', 'a', 'b'].entries()) watch.observe(GW, unnamed(boot), i)
    watch.ended(GW, { placeIsFree: true }, 5)
    expect(watch.observe(GW, unnamed('restarted'), 6)).toBe('refuse')
    watch.observe(GW, unnamed('a'), 7)
    watch.ended(GW, { placeIsFree: true }, 8)
    expect(watch.observe(GW, unnamed('restarted'), 9)).toBe('welcome')
  })

  test('turns that lie far apart prove nothing', () => {
    expect(run(['a', 'b', 'a', 'b'], 100_000)).not.toContain('twins')
  })

  test('gateways are distinguished', () => {
    const watch = new TwinWatch()
    for (const boot of ['a', 'b', 'a']) watch.observe(asId('one'), unnamed(boot), 0)
    expect(watch.observe(asId('two'), unnamed('b'), 0)).toBe('welcome')
  })
})

describe('boxes that send a machine id', () => {
  const on = (machine: string | null, bootId: string) => ({ bootId, machine, knownMachine: 'home' })

  test('the known machine is welcome after every restart, and the other one refused while it is here', () => {
    const watch = new TwinWatch()
    const hellos = [on('home', 'a'), on('copy', 'x'), on('home', 'b'), on('copy', 'x'), on('home', 'c'), on(null, 'y')]
    const verdicts = hellos.map((hello, i) => watch.observe(GW, hello, i))
    expect(verdicts).toEqual(['welcome', 'refuse', 'welcome', 'refuse', 'welcome', 'refuse'])
  })

  test('another machine may work while the known one is absent, and is disconnected when that returns', () => {
    const watch = new TwinWatch()
    watch.observe(GW, on('home', 'a'), 0)
    watch.ended(GW, { placeIsFree: true }, 1)
    expect(watch.observe(GW, on('new-board', 'x'), 2)).toBe('welcome')
    expect(watch.observe(GW, on('home', 'b'), 3)).toBe('welcome')
    expect(watch.observe(GW, on('new-board', 'x'), 4)).toBe('refuse')
  })

  test('the end of the other box’s connection frees nothing', () => {
    const watch = new TwinWatch()
    watch.observe(GW, on('home', 'a'), 0)
    watch.observe(GW, on('copy', 'x'), 1)
    watch.ended(GW, { placeIsFree: true }, 2)
    expect(watch.observe(GW, on('copy', 'x'), 3)).toBe('refuse')
  })

  test('a place that the other box may have taken just now is kept for a minute', () => {
    const watch = new TwinWatch()
    watch.observe(GW, on('home', 'a'), 0)
    watch.ended(GW, { placeIsFree: false }, 1_000)
    expect(watch.observe(GW, on('copy', 'x'), 2_000)).toBe('refuse')
    watch.observe(GW, on('home', 'a'), 3_000)
    watch.ended(GW, { placeIsFree: false }, 4_000)
    expect(watch.observe(GW, on('copy', 'x'), 65_000)).toBe('welcome')
  })

  test('two other machines are distinguished by alternating', () => {
    const watch = new TwinWatch()
    const boots = ['x', 'y', 'x', 'y'].map((bootId, i) => watch.observe(GW, on(bootId, bootId), i))
    expect(boots.at(-1)).toBe('twins')
  })

  test('two boxes with the known machine id, full clones, are detected by alternating; the first to return stays', () => {
    const watch = new TwinWatch()
    const verdicts = ['a', 'b', 'a', 'b', 'a', 'b'].map((bootId, i) => watch.observe(GW, on('home', bootId), i))
    expect(verdicts).toEqual(['welcome', 'welcome', 'welcome', 'twins', 'welcome', 'refuse'])
    watch.ended(GW, { placeIsFree: true }, 7)
    expect(watch.observe(GW, on('home', 'b'), 8)).toBe('refuse')
    watch.observe(GW, on('home', 'a'), 9)
    watch.ended(GW, { placeIsFree: true }, 10)
    expect(watch.observe(GW, on('home', 'b'), 11)).toBe('welcome')
  })

  test('the known machine is welcome also when one of two others has won the place by turns', () => {
    const watch = new TwinWatch()
    for (const [i, bootId] of ['x', 'y', 'x', 'y'].entries()) watch.observe(GW, on(bootId, bootId), i)
    expect(watch.observe(GW, on('home', 'a'), 5)).toBe('welcome')
  })
})
