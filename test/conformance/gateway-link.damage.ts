// What a changed byte on the wire may do to an order: nothing but make its message be said again. And peers of before the seal.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '#shared/clock.ts'
import { MqttWire, type Way } from '#test/doubles/mqtt-wire.ts'
import type { BrokerUnderTest } from './gateway-link.brokers.ts'
import { Site, until } from './gateway-link.site.ts'

/** The seal at the end of a message. */
const SEAL = /,"d":"[\w-]{43}"\}$/
/** Longer than anything here is said again for: what came until then was held back for good. */
const TOMORROW_MS = 86_400_000

export function damageSuite(broker: () => BrokerUnderTest): void {
  let site: Site
  let wire: MqttWire

  beforeEach(async () => {
    site = new Site(broker())
    wire = new MqttWire()
    await site.start({ gateway: false })
  })
  afterEach(async () => {
    await site.stop()
    await wire.stop()
  })

  const connect = async () => {
    await site.gateway.start(await wire.start(site.proxyPort))
    await site.online()
  }
  /** The first message that says `before` arrives with `after` there. */
  const change = (way: Way, type: string, [before, after]: [string, string]) =>
    wire.once(way, (text) => (text.includes(`"t":"${type}"`) ? text.replace(before, after) : text))
  const settled = (jobId: string, state: string) => until(async () => (await site.relay.state(jobId)) === state)
  const isHeld = { notBeforeMs: systemClock.now() + TOMORROW_MS }
  /** The gateway's document of a job, as it is on its disk. */
  const storedText = () => JSON.stringify(site.gateway.db.sqlite.prepare('select * from jobs').all())
  const recorded = () => site.relay.recorded.map(({ jobId, state }) => [jobId, state])
  const papers = () => site.gateway.paper.map(({ jobId, kind, marked }) => [jobId, kind, marked])

  describe('a changed byte on the way down', () => {
    test.each([
      ['a text that stays valid', ['"Soup"', '"Sout"']],
      ['the kind of a document, which then fits no schema', ['"kind":"order"', '"kind":"orfer"']],
      ['the seal', [',"d":"', ',"e":"']],
      ['the kind of message', ['"t":"job"', '"t":"jog"']],
      ['a number of the envelope', ['"seq":1', '"seq":3']],
    ] satisfies [string, [string, string]][])(
      'in a job, %s: the order is printed as it was ordered',
      async (_, [before, after]) => {
        await connect()
        const changed = wire.once('down', (text) => (text.includes('"Soup"') ? text.replace(before, after) : text))
        await site.relay.order('a')
        await changed
        await settled('a', 'printed')
        expect(storedText()).toContain('Soup')
        expect(storedText()).not.toContain('Sout')
        expect(papers()).toEqual([['a', 'order', false]])
        expect([recorded(), wire.accepted]).toEqual([[['a', 'printed']], 1])
      },
    )

    test('in the acknowledgement of a result: the result that it would name is still sent', async () => {
      await connect()
      const lost = wire.once('up', (text) => (text.includes('"jobId":"c"') ? null : text))
      await site.relay.order('c')
      await lost
      const changed = change('down', 'rack', ['"a"', '"c"'])
      await site.relay.order('a')
      await changed
      await settled('c', 'printed')
      await until(() => site.gateway.reports.count() === 0)
    })

    test('in a cancel: the other order stays', async () => {
      await connect()
      for (const id of ['a', 'c']) await site.relay.order(id, isHeld)
      await until(async () => (await site.relay.states())['accepted'] === 2)
      const changed = change('down', 'cancel', ['"jobId":"a"', '"jobId":"c"'])
      await site.relay.cancel('a')
      await changed
      await settled('a', 'cancelled')
      expect(await site.relay.state('c')).toBe('accepted')
    })

    test('in a welcome: the gateway introduces itself again on the same connection', async () => {
      const changed = change('down', 'welcome', ['"t1":1', '"t1":3'])
      await connect()
      await changed
      await site.relay.order('a')
      await settled('a', 'printed')
      expect(wire.accepted).toBe(1)
    })
  })

  describe('a changed byte on the way up', () => {
    test('that makes a result one of another job: that job is still open', async () => {
      await connect()
      await site.relay.order('c', isHeld)
      await settled('c', 'accepted')
      const changed = change('up', 'result', ['"jobId":"a"', '"jobId":"c"'])
      await site.relay.order('a')
      await changed
      await settled('a', 'printed')
      expect([await site.relay.state('c'), recorded()]).toEqual(['accepted', [['a', 'printed']]])
    })

    test.each([
      ['the outcome', ['"state":"printed"', '"state":"expired"']],
      ['the evidence', ['"attempts":1', '"attempts":5']],
      ['the seal', [',"d":"', ',"D":"']],
    ] satisfies [string, [string, string]][])('in a result, %s: it is recorded as it was', async (_, change) => {
      await connect()
      const changed = wire.once('up', (text) => (text.includes('"t":"result"') ? text.replace(...change) : text))
      await site.relay.order('a')
      await changed
      await until(async () => site.relay.recorded.length === 1)
      expect(recorded()).toEqual([['a', 'printed']])
      expect(site.relay.recorded[0]?.tickets.map(({ attempts }) => attempts)).toEqual([1])
    })

    test('in an acknowledgement: a job that was lost is still sent again', async () => {
      await connect()
      const lost = wire.once('down', (text) => (text.includes('"jobId":"b"') ? null : text))
      const changed = change('up', 'ack', ['"last":1', '"last":2'])
      await site.relay.order('a')
      await site.relay.order('b')
      await Promise.all([lost, changed])
      await settled('b', 'printed')
      expect(papers()).toEqual([
        ['a', 'order', false],
        ['b', 'order', false],
      ])
    })

    test('in a hello: the relay asks for another one on the same connection', async () => {
      const changed = change('up', 'hello', ['"test/1"', '"test/5"'])
      await connect()
      await changed
      const gateways = await site.relay.db.read.selectFrom('gateways').select('app_version').execute()
      expect([gateways, wire.accepted]).toEqual([[{ app_version: 'test/1' }], 1])
    })
  })

  describe('a peer that supports no seal', () => {
    const strip = (text: string) => text.replace(SEAL, '}')
    const sayNoSeal = (text: string) => strip(text).replace(/,"digest"|"digest",|"digest"/, '')
    const peers = [
      ['relay', 'down'],
      ['gateway', 'up'],
    ] satisfies [string, Way][]

    test.each(peers)('an older %s: jobs, their results and cancels go as before', async (_, way) => {
      wire.each(way, sayNoSeal)
      await connect()
      for (const id of ['a', 'b', 'c']) await site.relay.order(id)
      await site.relay.order('later', isHeld)
      for (const id of ['a', 'b', 'c']) await settled(id, 'printed')
      await settled('later', 'accepted')
      await site.relay.cancel('later')
      await settled('later', 'cancelled')
      await until(() => site.gateway.reports.count() === 0)
      expect(papers()).toEqual(['a', 'b', 'c'].map((id) => [id, 'order', false]))
      expect(wire.accepted).toBe(1)
    })

    test.each(peers)('an older %s: a document that is unreadable fails, and the next one prints', async (_, way) => {
      wire.each(way, sayNoSeal)
      await connect()
      await site.relay.order('bad', { doc: { kind: 'poem' } })
      await site.relay.order('good')
      await settled('bad', 'failed')
      await settled('good', 'printed')
    })

    test('an older relay: a document that was damaged on its way does not fail', async () => {
      wire.each('down', sayNoSeal)
      await connect()
      const changed = change('down', 'job', ['"kind":"order"', '"kind":"orfer"'])
      await site.relay.order('a')
      await changed
      await settled('a', 'printed')
      expect(recorded()).toEqual([['a', 'printed']])
    })

    test('is not taken for one that supports it and whose message lost its seal', async () => {
      await connect()
      await site.relay.order('c', isHeld)
      await settled('c', 'accepted')
      const changed = wire.once('up', (text) =>
        text.includes('"t":"result"') ? strip(text).replace('"jobId":"a"', '"jobId":"c"') : text,
      )
      await site.relay.order('a')
      await changed
      await settled('a', 'printed')
      expect(await site.relay.state('c')).toBe('accepted')
    })
  })
}
