// Two relays on one database whose wall clocks are a minute apart: what one of them takes is on paper at once at the gateways of the other.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresPrograms } from '#test/harness/postgres-server.ts'
import { hasFaketime } from './fire-relay.ts'
import { FireSite } from './fire-site.ts'

/** Long before the clock of the relay that is behind gets there. */
const PAPER_WITHIN_MS = 25_000

describe.runIf(postgresPrograms() !== null && hasFaketime)('an order at one relay for a gateway of the other', () => {
  let site: FireSite
  beforeAll(async () => {
    site = await FireSite.open({ relays: 2, gateways: 2, clocks: [60, 0] })
    site.mqtt.flip(1)
    await site.fleet.allGone()
    await site.fleet.allWelcomed()
  })
  afterAll(() => site?.close())

  it.each([
    ['ahead', 0, 1],
    ['behind', 1, 0],
  ])('is on paper before the clocks meet, when it was taken by the one that is %s', async (_, takes, owns) => {
    site.http.flip(takes)
    site.mqtt.flip(owns)
    await site.fleet.allWelcomed()
    const orders = site.fleetOf.members.map((__, n) => site.client.order(n))
    const missing = () => orders.filter(({ orderId }) => !site.kitchen.cameAtMs.has(orderId))
    await expect.poll(missing, { timeout: PAPER_WITHIN_MS }).toEqual([])
  })
})
