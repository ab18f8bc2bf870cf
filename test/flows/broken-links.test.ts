// One-way cuts, half-open connections, flipped bits and kill -9 of relay and gateway at random moments, mixed: every order stands on paper once, or marked, and is told once.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '#shared/clock.ts'
import { inDrill, overNight } from '#test/harness/drill.ts'
import { JudgedKitchen, NOTHING_WRONG } from '#test/harness/judged-kitchen.ts'
import { drillSeed } from '#test/harness/random.ts'

const ORDERS = overNight(500, 200, 40)
const EVERY_MS = inDrill(120, 60)
const PAUSE_MS = inDrill(400, 100)
const SEED = drillSeed()
const kitchen = new JudgedKitchen(SEED)
const { proxy, random } = kitchen

beforeAll(() => kitchen.start())
afterAll(() => kitchen.stop())

type Fault = () => Promise<void> | void
const pause = () => systemClock.sleep(random() * PAUSE_MS)
const deaf = async (direction: 'toClient' | 'toTarget') => {
  proxy.deafen(direction, true)
  await pause()
  proxy.deafen(direction, false)
  // Half a packet may be gone: nothing after it can be read.
  proxy.cutAll()
}
const kill = async (...names: ('cloud' | 'gateway')[]) => {
  const { site } = kitchen
  await Promise.all(names.map((name) => site[name].kill('SIGKILL')))
  if (names.includes('cloud')) await site.startCloud()
  if (names.includes('gateway')) await site.startGateway()
}
const FAULTS: Record<string, Fault> = {
  'nothing reaches the relay': () => deaf('toTarget'),
  'nothing reaches the box': () => deaf('toClient'),
  'only the box hears of a cut': () => proxy.halfOpen('client'),
  'only the relay hears of a cut': () => proxy.halfOpen('target'),
  'bits are flipped': async () => {
    const { corrupt } = proxy
    corrupt.toClient = corrupt.toTarget = 0.15
    await pause()
    corrupt.toClient = corrupt.toTarget = 0
  },
  'the box is killed': () => kill('gateway'),
  'the relay is killed': () => kill('cloud'),
  'both are killed': () => kill('gateway', 'cloud'),
}

it(`brings ${ORDERS} orders through cuts of every kind and kills (DRILL_SEED=${SEED})`, async () => {
  const counts: Record<string, number> = {}
  let ordering = true
  const client = kitchen.orders(ORDERS, EVERY_MS).finally(() => {
    ordering = false
  })
  const names = Object.keys(FAULTS)
  for (let n = 0; ordering || n < names.length; n++) {
    await pause()
    // Each kind at least once, then at random.
    const name = names[n] ?? names[Math.floor(random() * names.length)] ?? ''
    counts[name] = (counts[name] ?? 0) + 1
    await FAULTS[name]?.()
  }
  await client
  kitchen.endOfFaults(inDrill(false, true))
  await kitchen.untilQuiet()
  console.log(JSON.stringify({ ...counts, marked: kitchen.marked }))
  expect(Object.keys(counts)).toEqual(names)
  expect(kitchen.judge()).toEqual(NOTHING_WRONG)
})
