// Reports of a runner's display or guests' board about its board, also to a gateway of an older version.
import { beforeEach, expect, it } from 'vitest'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { SignsOfLife } from './signs-of-life.ts'

let said: (number | undefined)[]
let status: number
let signs: SignsOfLife

beforeEach(() => {
  said = []
  status = 200
  signs = new SignsOfLife({
    clock: new ManualClock(),
    post: async (_, body) => {
      said.push((body as { boardAtMs?: number }).boardAtMs)
      return { status }
    },
    isOnShift: () => false,
    isOnBoard: () => true,
    signedOut: () => undefined,
  })
})

it('reports the time of the board that is shown with each heartbeat', async () => {
  await signs.say()
  signs.rendered([], 1_000)
  await signs.say()
  // The orders of a cook's board contain no time of it.
  signs.rendered(['ord_1'])
  await signs.say()
  signs.rendered([], 6_000)
  await signs.say()
  expect(said).toEqual([undefined, 1_000, 1_000, 6_000])
})

it('continues with a gateway of an older version, which refuses unknown fields', async () => {
  signs.rendered([], 1_000)
  status = 400
  await signs.say()
  status = 200
  signs.rendered([], 6_000)
  await signs.say()
  expect(said).toEqual([1_000, undefined])
})
