// Paper, pages and displays use one time zone: one that a person set on the gateway overrides that of the order.
import { afterEach, beforeEach, expect, it } from 'vitest'
import { boxAccess, siteOf } from '#gateway/control/box-access.ts'
import type { ClaimedTicket } from '#gateway/storage/ticket-rows.ts'
import { GatewayCore } from '#test/doubles/gateway-core.ts'
import { inOwnZone } from './own-zone.ts'

let core: GatewayCore
beforeEach(() => {
  core = new GatewayCore()
})
afterEach(() => core.stop())

const part = { printerId: 'grill', station: null, items: [], alsoAt: [] }
const PAIRED = { gatewayId: 'gw_1', merchantName: 'Bistro', timeZone: 'America/New_York' }

it('is that of the gateway on every kind of paper, and that of the relay while none is set', () => {
  const { box } = boxAccess(core.db)
  const site = siteOf(PAIRED, box)
  const order: ClaimedTicket['content'] = { doc: { kind: 'order', order: core.order() }, part }
  const slip: ClaimedTicket['content'] = {
    doc: { kind: 'slip', queuedAtMs: 0, timeZone: 'America/New_York', title: 'T', lines: [] },
    part,
  }
  expect([site.timeZone, site.ownTimeZone, site.relayTimeZone]).toEqual(['America/New_York', '', 'America/New_York'])
  expect(inOwnZone(order, site)).toEqual(order)
  box.change({ timeZone: 'Europe/Madrid' })
  expect([site.timeZone, site.ownTimeZone, site.relayTimeZone]).toEqual([
    'Europe/Madrid',
    'Europe/Madrid',
    'America/New_York',
  ])
  expect(inOwnZone(order, site)).toMatchObject({ doc: { order: { timeZone: 'Europe/Madrid', orderId: 'O-1' } } })
  expect(inOwnZone(slip, site)).toMatchObject({ doc: { title: 'T', timeZone: 'Europe/Madrid' } })
})

it('is that of the relay after pairing a gateway without its own zone, and UTC before', () => {
  const { box } = boxAccess(core.db)
  const site = siteOf({ gatewayId: '', merchantName: '', timeZone: 'UTC' }, box)
  expect([site.timeZone, site.relayTimeZone]).toEqual(['UTC', null])
})
