// What the guests' board calls the restaurant: as its people named it on the box, not as the account is called.
import { afterEach, beforeEach, expect, it } from 'vitest'
import { boxAccess, siteOf } from '#gateway/control/box-access.ts'
import { KitchenRoom } from '#test/doubles/kitchen-room.ts'
import { openKitchen } from './open-kitchen.ts'

let room: KitchenRoom
beforeEach(() => {
  room = new KitchenRoom()
})
afterEach(() => room.stop())

it.each([
  ['', 'Holding 7 GmbH'],
  ['Casa Ana', 'Casa Ana'],
])('with the name "%s" given on the page of a paired box the screens say %s', (given, told) => {
  const { db, queue, jobs, intake, relayTime: time, clock, log } = room.core
  const { box } = boxAccess(db)
  const site = siteOf({ gatewayId: 'gw_1', merchantName: 'Holding 7 GmbH', timeZone: 'UTC' }, box)
  const kitchen = openKitchen({ db, queue, jobs, intake, time, clock, log, app: 'test', site })
  box.change({ name: given })
  expect(kitchen.hello(room.display).restaurant).toBe(told)
})
