// Long searches are queued, a few wait, the others are asked to retry.
import { expect, it } from 'vitest'
import { LookingLine } from './looking-line.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

it('runs one search at a time, in the order of arrival, and refuses the tenth', async () => {
  const line = new LookingLine()
  const begun: number[] = []
  const ends: (() => void)[] = []
  const looks = Array.from({ length: 9 }, (_, n) =>
    line.take(() => {
      begun.push(n)
      return new Promise<void>((resolve) => ends.push(resolve))
    }),
  )
  await expect(line.take(async () => undefined)).rejects.toMatchObject({ kind: 'busy', said: { key: 'box.looking' } })
  for (let n = 0; n < 9; n++) {
    await turn()
    expect(begun).toEqual(Array.from({ length: n + 1 }, (_, at) => at))
    ends[n]?.()
  }
  await Promise.all(looks)
  expect(line.isBusy).toBe(false)
})

it('drops a caller who left while waiting, and continues after a search that failed', async () => {
  const line = new LookingLine()
  const leave = await line.enter()
  const gone = new AbortController()
  const waits = line.enter(gone.signal)
  const behind = line.take(async () => {
    throw new Error('ill disk')
  })
  gone.abort()
  await expect(waits).rejects.toMatchObject({ kind: 'busy' })
  leave()
  leave()
  await expect(behind).rejects.toThrow('ill disk')
  expect(line.isBusy).toBe(false)
  await expect(line.enter(gone.signal)).rejects.toMatchObject({ kind: 'busy' })
  expect(line.isBusy).toBe(false)
})
