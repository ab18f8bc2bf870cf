// Allowed addresses: those from before the rule stay, added ones survive a restart, and each is removed with its printer.
import { afterEach, beforeEach, expect, it } from 'vitest'
import { GatewayCore } from '#test/doubles/gateway-core.ts'
import { AllowedAddressStore } from './allowed-address-store.ts'

const OLD = { host: '203.0.113.7', port: 22 }
const NEW = { host: '127.0.0.1', port: 9_100 }

let core: GatewayCore
beforeEach(() => {
  core = new GatewayCore([])
})
afterEach(() => core.stop())
const open = (...before: (typeof OLD)[]) => new AllowedAddressStore(core.db, before)

it('contain the printers from before the rule, and nothing is added automatically later', () => {
  expect(open(OLD).has(OLD)).toBe(true)
  const later = open(NEW)
  expect([later.has(OLD), later.has(NEW)]).toEqual([true, false])
})

it('are empty on a new box', () => {
  open()
  expect(open(OLD).has(OLD)).toBe(false)
})

it('keep what was added, for host and port together, until no printer is there', () => {
  open().add(NEW)
  const store = open()
  expect([store.has(NEW), store.has({ ...NEW, port: 22 })]).toEqual([true, false])
  store.keepOnly([NEW, OLD])
  expect(open().has(NEW)).toBe(true)
  store.keepOnly([OLD])
  expect([store.has(NEW), open().has(NEW)]).toEqual([false, false])
})
