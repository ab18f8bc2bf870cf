// Fairness: places for healthy endpoints stay free, however many hanging ones there are.
import { beforeEach, describe, expect, it } from 'vitest'
import type { ClaimedDelivery } from '#cloud/storage/delivery-claim.ts'
import { asId, type WebhookId } from '#shared/ids.ts'
import { DeliveryLanes } from './delivery-lanes.ts'

let lanes: DeliveryLanes
let ordinal = 0
const a: WebhookId = asId('a')
const b: WebhookId = asId('b')
const well: WebhookId = asId('well')
beforeEach(() => {
  lanes = new DeliveryLanes({ total: 64, perEndpoint: 4, ahead: 12, slowMs: 1_000, staleMs: 5_000 })
})

const delivery = (endpointId: WebhookId, attempts = 0): ClaimedDelivery => {
  ordinal += 1
  return {
    ordinal,
    id: asId(`dlv_${ordinal}`),
    endpointId,
    eventId: asId('evt_1'),
    eventType: 'order.accepted',
    audience: 'account',
    subjectId: `ord_${ordinal}`,
    attempts,
    manualAttempts: 0,
    manualAt: null,
    payload: '{}',
  }
}
const claim = (endpointId: WebhookId, count: number, nowMs: number, attempts = 0) => {
  const deliveries = Array.from({ length: count }, () => delivery(endpointId, attempts))
  lanes.claimed([], deliveries, nowMs)
  return deliveries
}
const end = (deliveries: readonly ClaimedDelivery[], taken: boolean) => {
  for (const done of deliveries) lanes.ended(done.endpointId, done.ordinal, taken)
}
const prove = (endpointId: WebhookId) => {
  claim(endpointId, 1, 0)
  end(lanes.next(0).begun, true)
}
/** Every ready endpoint has plenty to claim. @returns the attempts begun, by endpoint */
const grantAll = (nowMs: number) => {
  const begun = new Map<WebhookId, number>()
  for (;;) {
    const requests = lanes.requests(nowMs)
    if (requests.length === 0) return begun
    const claimed = requests.flatMap(({ endpointId, limit }) =>
      Array.from({ length: limit }, () => delivery(endpointId)),
    )
    lanes.claimed(requests, claimed, nowMs)
    for (const { endpointId } of lanes.next(nowMs).begun) begun.set(endpointId, (begun.get(endpointId) ?? 0) + 1)
  }
}
const sum = (counts: ReadonlyMap<WebhookId, number>) => [...counts.values()].reduce((all, n) => all + n, 0)
const ready = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, i) => {
    const id: WebhookId = asId(`${prefix}${i}`)
    lanes.ready(id)
    return id
  })

describe('DeliveryLanes', () => {
  it('gives a new endpoint one place until its first response, then four and some claimed ahead', () => {
    lanes.ready(a)
    expect(lanes.requests(0)).toMatchObject([{ endpointId: 'a', limit: 1 }])
    claim(a, 1, 0)
    end(lanes.next(0).begun, true)
    lanes.ready(a)
    expect(lanes.requests(0)).toMatchObject([{ endpointId: 'a', limit: 16 }])
    claim(a, 16, 0)
    expect(lanes.next(0).begun).toHaveLength(4)
  })

  it('begins the next delivery claimed ahead as soon as a place is free', () => {
    prove(a)
    const [first, ...later] = claim(a, 6, 0)
    const { begun } = lanes.next(0)
    expect(begun).toEqual([first, ...later.slice(0, 3)])
    end(begun.slice(0, 1), true)
    expect(lanes.next(0).begun).toEqual(later.slice(3, 4))
  })

  it('reduces an endpoint to one place after a failed attempt', () => {
    prove(a)
    claim(a, 1, 0)
    end(lanes.next(0).begun, false)
    lanes.ready(a)
    expect(lanes.requests(0)).toMatchObject([{ limit: 1 }])
  })

  it('gives no more places to a hanging endpoint, and gives back what waits too long', () => {
    prove(a)
    const all = claim(a, 6, 0)
    lanes.next(0)
    lanes.ready(a)
    expect(lanes.requests(1_001)).toEqual([])
    expect(lanes.next(5_000)).toEqual({ begun: [], stale: [] })
    expect(lanes.next(5_001)).toEqual({ begun: [], stale: all.slice(4) })
  })

  it('keeps half of all places for healthy and new endpoints when a hundred failing ones hang', () => {
    prove(well)
    for (const id of ready('dead', 100)) lanes.failing(id)
    expect(sum(grantAll(0))).toBe(32)
    ready('well', 1)
    lanes.ready(well)
    const begun = grantAll(60_000)
    expect([begun.get(well), begun.get(asId('well0'))]).toEqual([1, 1])
  })

  it('has room for a healthy endpoint when twenty formerly healthy ones hang at once', () => {
    for (const id of ready('was-well', 20)) prove(id)
    grantAll(0)
    prove(well)
    lanes.ready(well)
    expect(grantAll(0).get(well)).toBe(1)
  })

  it('never has more than 64 in flight', () => {
    for (const id of ready('well', 200)) prove(id)
    expect(sum(grantAll(0))).toBe(64)
  })

  it('alternates between endpoints that all have plenty', () => {
    for (const id of ready('well', 200)) prove(id)
    const served = new Set<string>()
    for (let round = 0; round < 20; round++) {
      const requests = lanes.requests(0)
      lanes.claimed(
        requests,
        requests.flatMap(({ endpointId, limit }) => Array.from({ length: limit }, () => delivery(endpointId))),
        0,
      )
      const { begun } = lanes.next(0)
      for (const { endpointId } of begun) served.add(endpointId)
      end(begun, true)
    }
    expect(served.size).toBe(200)
  })

  it('lets retries use half of the places, and alternates which kind comes first', () => {
    prove(a)
    const request = () => {
      lanes.ready(a)
      return lanes.requests(0)[0]
    }
    const [first, second] = [request(), request()]
    expect([first?.retries, second?.retries]).toEqual([2, 2])
    expect(first?.retriesFirst).not.toBe(second?.retriesFirst)
    claim(a, 2, 0, 1)
    lanes.next(0)
    expect(request()).toMatchObject({ retries: 0 })
  })

  it('claims again only for endpoints that filled their request, or became ready meanwhile', () => {
    prove(a)
    prove(b)
    for (const id of [a, b]) lanes.ready(id)
    const requests = lanes.requests(0)
    lanes.claimed(requests, [], 0)
    expect(lanes.requests(0)).toEqual([])
    lanes.ready(a)
    const again = lanes.requests(0)
    lanes.ready(a)
    lanes.claimed(again, [], 0)
    expect(lanes.requests(0)).toMatchObject([{ endpointId: 'a' }])
  })

  it('drops the endpoints that were used longest ago, which then count as new', () => {
    prove(b)
    prove(a)
    for (let i = 0; i < 9_998; i++) prove(asId(`other${i}`))
    prove(a)
    prove(well)
    for (const id of [a, b, well]) lanes.ready(id)
    expect(lanes.requests(0)).toMatchObject([
      { endpointId: 'a', limit: 16 },
      { endpointId: 'b', limit: 1 },
      { endpointId: 'well', limit: 16 },
    ])
  })

  it('drops everything that waits on request', () => {
    const [first, ...later] = claim(a, 3, 0)
    expect(lanes.next(0).begun).toEqual([first])
    expect(lanes.abandon()).toEqual(later)
    end([first!], true)
    expect(lanes.next(0)).toEqual({ begun: [], stale: [] })
  })
})
