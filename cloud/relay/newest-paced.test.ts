// Work of a gateway that is overtaken by newer work: the first at once, then the newest at the pace, never the last one lost.
import { beforeEach, expect, it } from 'vitest'
import { asId } from '#shared/ids.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { NewestPaced, type PacedWork } from './newest-paced.ts'

const ONE = asId<'gw'>('gw_1')
const OTHER = asId<'gw'>('gw_2')
let clock: ManualClock
let paced: NewestPaced
let done: string[]

beforeEach(() => {
  clock = new ManualClock()
  paced = new NewestPaced(clock, 250)
  done = []
})

const work =
  (name: string, until: Promise<void> = Promise.resolve()): PacedWork =>
  async () => {
    done.push(name)
    await until
  }

it('the first is done at once, the newest of the others after the pace', async () => {
  for (const name of ['a', 'b', 'c', 'd']) paced.take(ONE, work(name))
  expect(done).toEqual(['a'])
  await clock.advance(249)
  expect(done).toEqual(['a'])
  await clock.advance(1)
  expect(done).toEqual(['a', 'd'])
  paced.take(ONE, work('e'))
  expect(done).toEqual(['a', 'd'])
  await clock.advance(250)
  expect(done).toEqual(['a', 'd', 'e'])
})

it('a thousand in a second are five, and the last one is among them', async () => {
  for (let n = 0; n < 1_000; n++) {
    paced.take(ONE, work(`${n}`))
    await clock.advance(1)
  }
  await clock.advance(250)
  expect(done).toHaveLength(5)
  expect(done.at(-1)).toBe('999')
})

it('after a pause the next one is done at once', async () => {
  paced.take(ONE, work('a'))
  await clock.advance(250)
  expect(paced.isResting(ONE)).toBe(false)
  paced.take(ONE, work('b'))
  expect(done).toEqual(['a', 'b'])
})

it('the next one waits for one that takes longer than the pace', async () => {
  let end = (): void => undefined
  const slow = new Promise<void>((resolve) => {
    end = resolve
  })
  paced.take(ONE, work('slow', slow))
  paced.take(ONE, work('b'))
  await clock.advance(10_000)
  expect(done).toEqual(['slow'])
  end()
  await clock.advance(0)
  expect(done).toEqual(['slow', 'b'])
})

it('one gateway does not wait for another', () => {
  paced.take(ONE, work('a'))
  paced.take(OTHER, work('b'))
  expect(done).toEqual(['a', 'b'])
})

it('what waits is done before the end, of one gateway or of all, and once', async () => {
  for (const id of [ONE, OTHER]) for (const name of ['first', 'last']) paced.take(id, work(`${id} ${name}`))
  paced.flush(ONE)
  expect(done).toEqual(['gw_1 first', 'gw_2 first', 'gw_1 last'])
  paced.flush()
  await clock.advance(1_000)
  expect(done).toEqual(['gw_1 first', 'gw_2 first', 'gw_1 last', 'gw_2 last'])
})
