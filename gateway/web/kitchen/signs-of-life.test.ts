// What a screen of runners or guests says of its board, and to a box of an older version.
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

it('says with each sign of which moment the board is that stands drawn', async () => {
  await signs.say()
  signs.rendered([], 1_000)
  await signs.say()
  // What a cook's board has drawn says nothing of it.
  signs.rendered(['ord_1'])
  await signs.say()
  signs.rendered([], 6_000)
  await signs.say()
  expect(said).toEqual([undefined, 1_000, 1_000, 6_000])
})

it('stays alive at a box of an older version, which refuses what it cannot read', async () => {
  signs.rendered([], 1_000)
  status = 400
  await signs.say()
  status = 200
  signs.rendered([], 6_000)
  await signs.say()
  expect(said).toEqual([1_000, undefined])
})
