// Many searches for orders at once: one runs at a time, a few wait, and one whose caller has gone costs nothing more.
import { describe, expect, it } from 'vitest'
import type { UnreadOrder } from '#gateway/storage/order-store.ts'
import { OrderSearch, type OrderSearchDeps } from './order-search.ts'

/** A box with endless orders, on which each read of the clock takes a millisecond. */
function endlessBox() {
  let nowMs = 0
  let rows = 0
  const pauses: (() => void)[] = []
  const row = { documentText: '{}', position: 1 } as unknown as UnreadOrder
  const deps = {
    orders: {
      belongsTo: () => null,
      unread: () => {
        rows += 32
        return Array.from({ length: 32 }, () => row)
      },
    },
    clock: { monotonicMs: () => ++nowMs, sleep: () => new Promise<void>((resolve) => pauses.push(resolve)) },
  } as unknown as OrderSearchDeps
  return { search: new OrderSearch(deps), rows: () => rows, pauses }
}

describe('runs one search at a time', () => {
  it('are one running, eight waiting, and further ones are asked to retry later', async () => {
    const box = endlessBox()
    const outcomes: string[] = []
    for (let n = 0; n < 60; n++)
      void box.search.named('#404').then(
        () => outcomes.push('done'),
        ({ kind }: { kind: string }) => outcomes.push(kind),
      )
    let most = 0
    while (outcomes.length < 60) {
      await new Promise((resolve) => setImmediate(resolve))
      most = Math.max(most, box.pauses.length)
      for (const go of box.pauses.splice(0)) go()
    }
    expect(most).toBe(1)
    expect([outcomes.filter((one) => one === 'busy').length, outcomes.filter((one) => one === 'done').length]).toEqual([
      51, 9,
    ])
  })

  it('end when the caller has gone, also in the middle', async () => {
    const box = endlessBox()
    const gone = new AbortController()
    const looks = box.search.named('#404', gone.signal)
    while (box.pauses.length === 0) await new Promise((resolve) => setImmediate(resolve))
    gone.abort()
    const before = box.rows()
    for (const go of box.pauses.splice(0)) go()
    await expect(looks).rejects.toMatchObject({ kind: 'busy' })
    expect(box.rows()).toBeLessThanOrEqual(before + 32)
    await expect(box.search.named('#404', gone.signal)).rejects.toMatchObject({ kind: 'busy' })
  })
})
