// Fairness: places for healthy endpoints stay free however many dead ones hang.
import { beforeEach, describe, expect, it } from 'vitest'
import { DeliveryLanes } from './delivery-lanes.ts'

let lanes: DeliveryLanes
let ordinal = 0
beforeEach(() => {
  lanes = new DeliveryLanes({ total: 64, perEndpoint: 4, slowMs: 1_000 })
})

const begin = (id: string, count: number, startedMs: number, retry = false) =>
  Array.from({ length: count }, () => {
    ordinal += 1
    lanes.begun(id, ordinal, { startedMs, retry })
    return ordinal
  })
const prove = (id: string) => {
  for (const done of begin(id, 1, 0)) lanes.ended(id, done, true)
}
/** Grants all that is asked, as if every endpoint had plenty waiting. */
const grantAll = (nowMs: number) => {
  const granted = new Map<string, number>()
  for (;;) {
    const requests = lanes.requests(nowMs)
    if (requests.length === 0) return granted
    for (const { endpointId, limit } of requests) {
      begin(endpointId, limit, nowMs)
      granted.set(endpointId, (granted.get(endpointId) ?? 0) + limit)
    }
  }
}
const ready = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, i) => {
    lanes.ready(`${prefix}${i}`)
    return `${prefix}${i}`
  })

describe('DeliveryLanes', () => {
  it('gives a new endpoint one place until its first answer, then four', () => {
    lanes.ready('a')
    expect(grantAll(0).get('a')).toBe(1)
    lanes.ended('a', ordinal, true)
    expect(grantAll(0).get('a')).toBe(4)
  })

  it('gives an endpoint one place again once its last attempt failed', () => {
    prove('a')
    for (const done of begin('a', 1, 0)) lanes.ended('a', done, false)
    expect(grantAll(0).get('a')).toBe(1)
  })

  it('gives no more places to an endpoint that hangs', () => {
    prove('a')
    begin('a', 1, 0)
    expect(lanes.requests(999)).toMatchObject([{ endpointId: 'a', limit: 3 }])
    expect(lanes.requests(1_001)).toEqual([])
  })

  it('keeps half of all places for healthy endpoints when a hundred new ones hang', () => {
    ready('dead', 100)
    expect([...grantAll(0).values()].reduce((sum, n) => sum + n, 0)).toBe(32)
    prove('well')
    lanes.ready('well')
    expect(grantAll(60_000).get('well')).toBeGreaterThan(0)
    expect(lanes.inFlight).toBeLessThanOrEqual(64)
  })

  it('has room for a healthy endpoint when twenty that were healthy hang at once', () => {
    for (const id of ready('was-well', 20)) prove(id)
    grantAll(0)
    prove('well')
    expect(grantAll(0).get('well')).toBe(1)
  })

  it('never has more than 64 in flight', () => {
    for (const id of ready('well', 200)) prove(id)
    grantAll(0)
    expect(lanes.inFlight).toBe(64)
  })

  it('takes turns among endpoints that all have plenty', () => {
    const ids = ready('well', 200)
    for (const id of ids) prove(id)
    const served = new Set<string>()
    for (let round = 0; round < 20; round++) {
      for (const { endpointId, limit } of lanes.requests(0)) {
        served.add(endpointId)
        for (const done of begin(endpointId, limit, 0)) lanes.ended(endpointId, done, true)
      }
    }
    expect(served.size).toBe(200)
  })

  it('lets retries hold half of the places, and lets neither kind wait for ever', () => {
    prove('a')
    const [first] = lanes.requests(0)
    const [second] = lanes.requests(0)
    expect([first?.retries, second?.retries]).toEqual([2, 2])
    expect(first?.retriesFirst).not.toBe(second?.retriesFirst)
    begin('a', 2, 0, true)
    expect(lanes.requests(0)).toMatchObject([{ limit: 2, retries: 0 }])
  })

  it('asks nothing of an endpoint that is drained, until it is ready again', () => {
    prove('a')
    lanes.drained('a')
    expect(lanes.requests(0)).toEqual([])
    lanes.ready('a')
    expect(lanes.requests(0)).toHaveLength(1)
  })
})
