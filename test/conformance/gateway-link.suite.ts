// What the gateway link promises, told once and run on every broker: nothing lost, nothing taken twice, order kept, one result per job.
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Clock, systemClock } from '#shared/clock.ts'
import { LINK_LIMITS } from '#shared/wire/gateway-link.ts'
import type { BrokerUnderTest } from './gateway-link.brokers.ts'
import { LOCATION, Site, until } from './gateway-link.site.ts'

/** A clock on which nothing that takes so long or longer ever happens. */
const neverWaitsFor = (longMs: number): Clock => ({
  ...systemClock,
  after: (ms, fn) => (ms < longMs ? systemClock.after(ms, fn) : () => {}),
})

export function gatewayLinkSuite(broker: () => BrokerUnderTest): void {
  let site: Site

  beforeEach(() => {
    site = new Site(broker())
  })
  afterEach(() => site.stop())

  const ids = (count: number, prefix = 'j') => Array.from({ length: count }, (_, i) => `${prefix}${i + 1}`)
  const printed = () => site.gateway.paper.filter((p) => p.kind === 'order').map((p) => p.jobId)
  const allSettled = (count: number) => until(async () => (await site.relay.states())['printed'] === count)

  describe('in fair weather', () => {
    test('jobs arrive in order, are printed once and their results are recorded once', async () => {
      await site.start()
      const jobs = ids(40)
      for (const id of jobs) await site.relay.order(id)
      await allSettled(40)
      expect(printed()).toEqual(jobs)
      expect(site.relay.recorded.map((r) => r.jobId).sort()).toEqual([...jobs].sort())
      await until(() => site.gateway.reports.count() === 0)
    })

    test('jobs that were ordered while the gateway was away arrive when it connects', async () => {
      await site.start({ gateway: false })
      for (const id of ids(40)) await site.relay.order(id)
      await site.startGateway()
      await allSettled(40)
      expect(printed()).toEqual(ids(40))
    })

    test('a scheduled job is sent when its time has come', async () => {
      await site.start()
      await site.relay.order('later', { availableAtMs: systemClock.now() + 700 })
      await site.relay.order('now')
      await until(async () => (await site.relay.state('now')) === 'printed')
      expect(await site.relay.state('later')).toBe('queued')
      await allSettled(2)
    })

    test('the gateway has the relay time and the relay knows that the gateway is connected', async () => {
      const presence = async () => (await site.relay.gateways.ofLocation(LOCATION))[0]?.presence
      await site.start()
      await until(async () => (await presence()) === 'online')
      await site.gateway.stop()
      await until(async () => (await presence()) === 'offline')
      await site.startGateway()
      await until(async () => (await presence()) === 'online')
    })
  })

  describe('when the wire fails', () => {
    test('a message that was lost is sent again without a new connection', async () => {
      await site.start()
      site.gateway.proxy.deafen('toClient', true)
      await site.relay.order('lost')
      await until(() => site.gateway.proxy.swallowed > 0)
      site.gateway.proxy.deafen('toClient', false)
      await allSettled(1)
      expect(site.gateway.proxy.accepted).toBe(1)
    })

    test('a number that is missing in the middle is noticed by the next one', async () => {
      site.relay.clock = neverWaitsFor(LINK_LIMITS.ackTimeoutMs)
      await site.start()
      site.gateway.proxy.deafen('toClient', true)
      await site.relay.order('lost')
      await until(() => site.gateway.proxy.swallowed > 0)
      site.gateway.proxy.deafen('toClient', false)
      await site.relay.order('next')
      await allSettled(2)
      expect(printed()).toEqual(['lost', 'next'])
    })

    test('acknowledgements and results that were lost are sent again', async () => {
      await site.start()
      site.gateway.proxy.deafen('toTarget', true)
      await site.relay.order('a')
      await until(() => site.gateway.paper.length === 1)
      site.gateway.proxy.deafen('toTarget', false)
      await allSettled(1)
      await until(async () => (await site.relay.gateways.byId(site.gateway.gatewayId))?.ackedSeq === 1)
      expect(printed()).toEqual(['a'])
    })

    test('an interrupted connection reconnects and continues where it stopped', async () => {
      await site.start()
      for (const id of ids(5)) await site.relay.order(id)
      site.gateway.proxy.cutAll()
      await site.relay.order('after')
      await allSettled(6)
      expect(printed()).toEqual([...ids(5), 'after'])
    })

    test('a wire that is silently dead is noticed by the keepalive', async () => {
      await site.start()
      site.gateway.proxy.blackHole(true)
      await site.relay.order('a')
      await until(() => !site.gateway.link.state.connected)
      site.gateway.proxy.blackHole(false)
      await allSettled(1)
      expect(printed()).toEqual(['a'])
    })

    test('a slow wire slows down and loses nothing', async () => {
      await site.start()
      site.gateway.proxy.delayMs = 30
      for (const id of ids(40)) await site.relay.order(id)
      await allSettled(40)
      expect(printed()).toEqual(ids(40))
    })
  })

  describe('when a program dies', () => {
    test('a relay that restarts finds its gateway again', async () => {
      await site.start()
      for (const id of ids(5)) await site.relay.order(id)
      await site.relay.crash()
      await site.startRelay()
      await site.relay.order('after')
      await allSettled(6)
      expect(printed()).toEqual([...ids(5), 'after'])
    })

    test('a gateway that dies between receiving and printing prints after its start', async () => {
      await site.start()
      site.gateway.printing = false
      // The worker that was waiting takes one.
      for (const id of ids(6)) await site.relay.order(id)
      await until(() => site.gateway.identity.lastSeq() === 6)
      await site.gateway.crash()
      site.gateway.printing = true
      await site.startGateway()
      await allSettled(6)
      const unmarked = site.gateway.paper.filter((p) => !p.marked).map((p) => p.jobId)
      expect(new Set(unmarked).size).toBe(unmarked.length)
      expect(new Set(printed()).size).toBe(6)
    })

    test('a broker that dies needs nothing back', async () => {
      await site.start()
      const kill = site.broker.killAndRestart
      for (const id of ids(5)) await site.relay.order(id)
      if (kill) await kill()
      else {
        await site.relay.stop()
        await site.startRelay()
      }
      await site.relay.order('after')
      await allSettled(6)
      expect(printed()).toEqual([...ids(5), 'after'])
    })
  })

  describe('when a memory is lost', () => {
    test('a gateway with a new disk gets its open jobs again, marked', async () => {
      await site.start()
      await site.relay.order('done')
      await allSettled(1)
      site.gateway.printing = false
      await site.gateway.stop()
      await site.startGateway()
      await site.relay.order('open1')
      await site.relay.order('open2')
      await until(async () => (await site.relay.state('open2')) === 'accepted')
      await site.gateway.crash()
      site.gateway.wipe()
      site.gateway.printing = true
      await site.startGateway()
      await site.online()
      await site.relay.order('fresh')
      await allSettled(4)
      expect(site.gateway.paper.map((p) => [p.jobId, p.marked])).toEqual([
        ['done', false],
        ['open1', true],
        ['open2', true],
        ['fresh', false],
      ])
    })

    test('a relay restored from an older backup prints nothing twice and continues', async () => {
      await site.start()
      await site.relay.order('before')
      await allSettled(1)
      await site.gateway.stop()
      await site.relay.order('in-backup')
      const backup = join(site.dir, 'backup.db')
      site.relay.backup(backup)
      await site.startGateway()
      await site.relay.order('forgotten')
      await allSettled(3)
      await site.relay.stop()
      site.relay.restore(backup)
      await site.startRelay()
      await site.online()
      await site.relay.order('after')
      await until(async () => (await site.relay.states())['printed'] === 3)
      expect(printed()).toEqual(['before', 'in-backup', 'forgotten', 'after'])
      expect(await site.relay.state('in-backup')).toBe('printed')
    })

    test('a relay restored from an older backup gets the results of jobs that the gateway reported long ago', async () => {
      await site.start({ gateway: false })
      site.gateway.printing = false
      await site.startGateway()
      await site.relay.order('waits')
      await site.relay.order('to-cancel')
      await until(async () => (await site.relay.states())['accepted'] === 2)
      await site.gateway.stop()
      expect(await site.relay.cancel('to-cancel')).toBe('requested')
      const backup = join(site.dir, 'backup.db')
      site.relay.backup(backup)
      site.gateway.printing = true
      await site.startGateway()
      await allSettled(2)
      await until(() => site.gateway.reports.count() === 0)
      await site.relay.stop()
      site.relay.restore(backup)
      await site.startRelay()
      await allSettled(2)
      expect(await site.relay.state('waits')).toBe('printed')
      expect(printed().filter((jobId) => jobId === 'waits')).toEqual(['waits'])
    })

    test('it does so also while the kitchen holds an order for later, and leaves that one alone', async () => {
      await site.start({ gateway: false })
      site.gateway.printing = false
      await site.startGateway()
      await site.relay.order('waits')
      await site.relay.order('tomorrow', { notBeforeMs: systemClock.now() + 86_400_000 })
      await until(async () => (await site.relay.states())['accepted'] === 2)
      const backup = join(site.dir, 'backup.db')
      site.relay.backup(backup)
      site.gateway.letPrint()
      await allSettled(1)
      await until(() => site.gateway.reports.count() === 0)
      await site.relay.stop()
      site.relay.restore(backup)
      await site.startRelay()
      await allSettled(1)
      expect(await site.relay.states()).toEqual({ printed: 1, accepted: 1 })
      expect(site.gateway.identity.lastSeq()).toBe(3)
      expect(printed()).toEqual(['waits'])
    })

    test('it does so as soon as a result that was still on its way has arrived, not with the next regular status', async () => {
      await site.start({ gateway: false })
      site.gateway.printing = false
      await site.startGateway()
      await site.relay.order('waits')
      await until(async () => (await site.relay.state('waits')) === 'accepted')
      const backup = join(site.dir, 'backup.db')
      site.relay.backup(backup)
      site.gateway.letPrint()
      await allSettled(1)
      await until(() => site.gateway.reports.count() === 0)
      await site.gateway.stop()
      site.gateway.printing = false
      await site.startGateway()
      await site.relay.order('late')
      await until(async () => (await site.relay.state('late')) === 'accepted')
      // The result arrives, its acknowledgement does not.
      site.gateway.proxy.deafen('toClient', true)
      site.gateway.letPrint()
      await allSettled(2)
      await site.relay.stop()
      expect(site.gateway.reports.count()).toBe(1)
      site.relay.restore(backup)
      site.gateway.proxy.deafen('toClient', false)
      await site.startRelay()
      await until(async () => (await site.relay.state('waits')) === 'printed', LINK_LIMITS.statusEveryMs - 5_000)
      expect(printed()).toEqual(['waits', 'late'])
    })
  })

  describe('taking a job back', () => {
    test('before it was handed over: it never leaves the relay', async () => {
      await site.start({ gateway: false })
      await site.relay.order('a')
      await site.relay.order('b')
      expect(await site.relay.cancel('a')).toBe('cancelled')
      await site.startGateway()
      await until(async () => (await site.relay.state('b')) === 'printed')
      expect(printed()).toEqual(['b'])
    })

    test('handed over but never received: its number is skipped', async () => {
      await site.start()
      site.gateway.proxy.deafen('toClient', true)
      await site.relay.order('a')
      await until(async () => (await site.relay.state('a')) === 'sent')
      expect(await site.relay.cancel('a')).toBe('requested')
      site.gateway.proxy.cutAll()
      site.gateway.proxy.deafen('toClient', false)
      await until(async () => (await site.relay.state('a')) === 'cancelled')
      await site.relay.order('b')
      await until(async () => (await site.relay.state('b')) === 'printed')
      expect(printed()).toEqual(['b'])
      expect(site.gateway.identity.lastSeq()).toBe(2)
    })

    test('received and waiting: the gateway cancels it and confirms', async () => {
      await site.start({ gateway: false })
      site.gateway.printing = false
      await site.startGateway()
      await site.relay.order('a')
      await until(async () => (await site.relay.state('a')) === 'accepted')
      expect(await site.relay.cancel('a')).toBe('requested')
      await until(async () => (await site.relay.state('a')) === 'cancelled')
      expect(site.gateway.paper).toEqual([])
    })

    test('on paper already: it stays printed, a VOID slip prints, once', async () => {
      await site.start()
      await site.relay.order('a')
      await allSettled(1)
      expect(await site.relay.cancel('a')).toBe('requested')
      await until(async () => (await site.relay.dispatches.cancelsOf(site.gateway.gatewayId)).length === 0)
      await until(() => site.gateway.paper.length === 2)
      await site.relay.cancel('a')
      await site.relay.order('b')
      await until(async () => (await site.relay.state('b')) === 'printed')
      expect(await site.relay.state('a')).toBe('printed')
      expect(site.gateway.paper.map(({ jobId, kind }) => [jobId, kind])).toEqual([
        ['a', 'order'],
        ['a', 'void'],
        ['b', 'order'],
      ])
    })

    test('on paper, while the gateway is away: the slip prints when it is back', async () => {
      await site.start()
      await site.relay.order('a')
      await allSettled(1)
      await site.gateway.stop()
      expect(await site.relay.cancel('a')).toBe('requested')
      await site.startGateway()
      await until(() => site.gateway.paper.some(({ kind }) => kind === 'void'))
    })
  })
}
