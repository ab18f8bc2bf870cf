// Parts of a recording as players ask for them, and how many are read at once.
import { expect, test } from 'vitest'
import { partOf, SoundReads } from './voicemail-sound.ts'

test.each([
  [undefined, null],
  ['bytes=0-', { from: 0, to: 99 }],
  ['bytes=10-19', { from: 10, to: 19 }],
  ['bytes=90-500', { from: 90, to: 99 }],
  ['bytes=-10', { from: 90, to: 99 }],
  ['bytes=-500', { from: 0, to: 99 }],
  ['bytes=100-', null],
  ['bytes=20-10', null],
  ['bytes=0-1,5-6', null],
  ['lines=0-1', null],
  ['bytes=-', null],
])('%s of 100 bytes is %o', (range, part) => {
  expect(partOf(range, 100)).toEqual(part)
})

test('two are read at once, twenty wait in order, more are refused, and one that fails makes room', async () => {
  const reads = new SoundReads()
  const held: PromiseWithResolvers<number>[] = []
  const begun: number[] = []
  const all = Array.from({ length: 22 }, (_, at) =>
    reads.run(() => {
      begun.push(at)
      held[at] = Promise.withResolvers()
      return held[at].promise
    }),
  )
  const ends = Promise.allSettled(all)
  expect(begun).toEqual([0, 1])
  await expect(reads.run(async () => 0)).rejects.toMatchObject({ said: { key: 'voicemail.busy' } })
  held[1]?.reject(new Error('missing'))
  await expect.poll(() => begun).toEqual([0, 1, 2])
  held[0]?.resolve(0)
  for (let at = 2; at < 22; at++) {
    await expect.poll(() => begun).toContain(at)
    held[at]?.resolve(at)
  }
  expect((await ends).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', ...Array(20).fill('fulfilled')])
  expect(begun).toEqual(Array.from({ length: 22 }, (_, at) => at))
  expect(await reads.run(async () => 1)).toBe(1)
})
