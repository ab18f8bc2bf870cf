// One bit is flipped in every seventh chunk of the link, in both directions: every order stands on paper as it was ordered, and is told once.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inDrill, overNight } from '#test/harness/drill.ts'
import { JudgedKitchen, NOTHING_WRONG } from '#test/harness/judged-kitchen.ts'
import { drillSeed } from '#test/harness/random.ts'

const ORDERS = overNight(500, 200, 80)
/** A minute in the drill. */
const EVERY_MS = inDrill(120, 30)
const SHARE = 0.15
const SEED = drillSeed()
const kitchen = new JudgedKitchen(SEED)

beforeAll(() => kitchen.start())
afterAll(() => kitchen.stop())

it(`brings ${ORDERS} orders letter for letter through flipped bits (DRILL_SEED=${SEED})`, async () => {
  const { corrupt } = kitchen.proxy
  corrupt.toClient = corrupt.toTarget = SHARE
  await kitchen.orders(ORDERS, EVERY_MS)
  kitchen.endOfFaults(inDrill(false, true))
  await kitchen.untilQuiet()
  const { flipped, accepted } = kitchen.proxy
  console.log(`${flipped} bits flipped, ${accepted} connections, ${kitchen.marked} tickets marked`)
  expect(flipped).toBeGreaterThan(0)
  expect(kitchen.judge()).toEqual(NOTHING_WRONG)
})
