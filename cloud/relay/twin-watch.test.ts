// Two boxes with one identity, told from one box that restarts.
import { expect, test } from 'vitest'
import { asId, type GatewayId } from '#shared/ids.ts'
import { TwinWatch } from './twin-watch.ts'

const GW: GatewayId = asId('gw')

const run = (boots: string[], stepMs = 1_000) => {
  const watch = new TwinWatch()
  return boots.map((bootId, i) => watch.observe(GW, bootId, i * stepMs))
}

test('a box that reconnects or restarts is welcome, however often', () => {
  expect(run(['a', 'a', 'a', 'b', 'c', 'd', 'e', 'e', 'f'])).not.toContain('twins')
})

test('boots that take turns are two boxes, and the one that came second is refused', () => {
  expect(run(['a', 'b', 'a', 'b', 'a', 'b'])).toEqual(['welcome', 'welcome', 'welcome', 'twins', 'welcome', 'refuse'])
})

test('a boot that ended before keeps no place, which would leave both boxes out', () => {
  expect(run(['old', 'b', 'a', 'b', 'a', 'b', 'a', 'b']).slice(4)).toEqual(['twins', 'welcome', 'refuse', 'welcome'])
})

test('the refusal ends, so that a box that was mistaken comes back', () => {
  const watch = new TwinWatch()
  for (const [i, boot] of ['a', 'b', 'a', 'b'].entries()) watch.observe(GW, boot, i)
  expect(watch.observe(GW, 'c', 1_000)).toBe('refuse')
  expect(watch.observe(GW, 'c', 61_000)).toBe('welcome')
})

test('turns that lie far apart prove nothing', () => {
  expect(run(['a', 'b', 'a', 'b'], 100_000)).not.toContain('twins')
})

test('gateways are told apart', () => {
  const watch = new TwinWatch()
  for (const boot of ['a', 'b', 'a']) watch.observe(asId('one'), boot, 0)
  expect(watch.observe(asId('two'), 'b', 0)).toBe('welcome')
})
