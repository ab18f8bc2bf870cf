// What a gateway says twice, too late, of another connection, or without sense: told to the relay by a raw MQTT client.
import mqtt, { type MqttClient } from 'mqtt'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { topicsOf } from '#cloud/relay/broker-rules.ts'
import { registerGateway, revokeGateway } from '#cloud/relay/gateway-registry.ts'
import { systemClock } from '#shared/clock.ts'
import type { GatewayId } from '#shared/ids.ts'
import { sealText } from '#shared/link-seal.ts'
import { type DownMessage, downMessage } from '#shared/wire/gateway-link.ts'
import type { BrokerUnderTest } from './gateway-link.brokers.ts'
import { LOCATION, Site, until } from './gateway-link.site.ts'

export function strangersSuite(broker: () => BrokerUnderTest): void {
  let site: Site

  beforeEach(() => {
    site = new Site(broker())
  })
  afterEach(() => site.stop())

  describe('messages that are repeated, late or foreign', () => {
    let raw: MqttClient
    let down: DownMessage[]
    let rawId: GatewayId

    const presence = async () => (await site.relay.gateways.byId(rawId))?.presence

    async function rawGateway(): Promise<(body: object, e?: number) => void> {
      const { db, gateways } = site.relay
      const brokerAuth = site.broker.auth
      const deps = { db, gateways, clock: systemClock, ...(brokerAuth && { brokerAuth }) }
      const { gatewayId, token, topics } = await registerGateway(deps, { locationId: LOCATION, name: 'raw' })
      down = []
      rawId = gatewayId
      // Mosquitto reads its password file a moment after the signal.
      await until(async () => {
        raw = mqtt.connect(`mqtt://127.0.0.1:${site.relay.port}`, {
          clientId: gatewayId,
          username: gatewayId,
          password: token,
          protocolVersion: 4,
          reconnectPeriod: 0,
        })
        return new Promise((resolve) => {
          raw.once('connect', () => resolve(true))
          raw.once('error', () => resolve(false))
        })
      })
      raw.on('message', (_topic, payload) => down.push(downMessage.parse(JSON.parse(payload.toString()))))
      await raw.subscribeAsync([topics.down, topics.all], { qos: 1 })
      return (body, e = 5) =>
        void raw.publish(topics.up, JSON.stringify({ v: 1, id: 'x', ts: 0, e, ...body }), { qos: 1 })
    }

    const hello = {
      t: 'hello',
      proto: [1, 1],
      stream: 's',
      last: 0,
      bootId: 'b',
      app: 'raw',
      cfgVer: 0,
      caps: [],
      t0: 1,
    }
    const of = <T extends DownMessage['t']>(t: T) => down.filter((m): m is Extract<DownMessage, { t: T }> => m.t === t)

    afterEach(() => raw.endAsync(true))

    test('acknowledgements and goodbyes of an older connection change nothing', async () => {
      await site.start({ gateway: false })
      const say = await rawGateway()
      say({ ...hello, unreported: 0 })
      await until(() => of('welcome').length === 1)
      await site.relay.order('a')
      await until(() => of('job').length === 1)
      say({ t: 'ack', stream: 's', last: 1 }, 4)
      say({ t: 'ack', stream: 'another', last: 1 })
      say({ t: 'will' }, 4)
      // Not acknowledged, so it comes again.
      await until(() => of('job').length === 2)
      expect(await presence()).toBe('online')
      say({ t: 'ack', stream: 's', last: 1 })
      await until(async () => (await site.relay.state('a')) === 'accepted')
      say({ t: 'will' })
      await until(async () => (await presence()) === 'offline')
    })

    test('what another living box with this identity may have printed goes out marked; what a box lost by a restart does not', async () => {
      await site.start({ gateway: false })
      const say = await rawGateway()
      const sent = async (jobs: number) => until(() => of('job').length === jobs)
      const marks = () => of('job').map(({ jobId, possibleDuplicate }) => [jobId, possibleDuplicate])
      say({ ...hello, unreported: 0, bootEpoch: 5 })
      await until(() => of('welcome').length === 1)
      await site.relay.order('a')
      await sent(1)
      // The same box after a power cut: it had not got it.
      say({ ...hello, unreported: 0, bootId: 'c', bootEpoch: 6 }, 6)
      await sent(2)
      // A box that was up already when the other one was welcomed.
      say({ ...hello, unreported: 0, bootId: 'twin', bootEpoch: 6 }, 8)
      await sent(3)
      expect(marks()).toEqual([
        ['a', false],
        ['a', false],
        ['a', true],
      ])
    })

    test('a result sent three times is recorded once and acknowledged each time', async () => {
      await site.start({ gateway: false })
      const say = await rawGateway()
      say({ ...hello, unreported: 0 })
      await until(() => of('welcome').length === 1)
      await site.relay.order('a')
      await until(() => of('job').length === 1)
      const result = { t: 'result', jobId: 'a', state: 'printed', startedAt: 1, endedAt: 2, reason: null, tickets: [] }
      for (let i = 1; i <= 3; i++) {
        say(result)
        await until(() => of('rack').length === i)
      }
      say({ ...result, state: 'failed' })
      await until(() => of('rack').length === 4)
      expect(site.relay.recorded.map((r) => [r.jobId, r.state])).toEqual([['a', 'printed']])
      say({ ...result, jobId: 'nobody-knows' })
      await until(() => of('rack').length === 5)
      expect(site.relay.unknown).toEqual(['nobody-knows'])
    })

    test('a message that a broker has retained is old: a relay that connects later ignores it', async () => {
      await site.start({ gateway: false })
      await rawGateway()
      const { up } = topicsOf(rawId)
      const result = { t: 'result', state: 'printed', startedAt: 1, endedAt: 2, reason: null, tickets: [] }
      const say = (jobId: string, retain: boolean) =>
        raw.publishAsync(up, sealText(JSON.stringify({ v: 1, id: 'x', ts: 0, e: 5, ...result, jobId })), {
          qos: 1,
          retain,
        })
      if (!site.broker.auth) {
        // The embedded one keeps nothing, and ends a connection that asks for it.
        say('kept', true).catch(() => undefined)
        await until(() => !raw.connected)
        expect(site.relay.unknown).toEqual([])
        return
      }
      await say('kept', true)
      await until(() => site.relay.unknown.length === 1)
      await site.relay.stop()
      await site.startRelay()
      await say('after', false)
      await until(() => site.relay.unknown.includes('after'))
      expect(site.relay.unknown).toEqual(['kept', 'after'])
    })

    test('nonsense is ignored and the relay continues', async () => {
      await site.start({ gateway: false })
      const say = await rawGateway()
      say({ t: 'nack' })
      say({ t: '__proto__' })
      say({ ...hello, unreported: 0, last: -1 })
      say({ ...hello, unreported: 0, proto: [7, 9] })
      say({ t: 'ack', stream: 's', last: 99 })
      say({ ...hello, unreported: 0 })
      await until(() => of('welcome').length === 1)
      say({ t: 'ack', stream: 's', last: 99 })
      await site.relay.order('a')
      await until(() => of('job').length === 1)
      expect(of('job')[0]?.seq).toBe(1)
    })

    test('a gateway that has more than the relay gave out is believed', async () => {
      await site.start({ gateway: false })
      const say = await rawGateway()
      say({ ...hello, unreported: 0, last: 41 })
      await until(() => of('welcome').length === 1)
      await site.relay.order('a')
      await until(() => of('job').length === 1)
      expect(of('job')[0]?.seq).toBe(42)
    })
  })

  test('of two boxes with one identity the second is refused and the first continues', async () => {
    await site.start()
    const twin = site.twin()
    await twin.start(site.proxyPort)
    // Mosquitto lets it in each time it tries, ever more rarely; there the relay does not answer it.
    const keptOut = site.broker.auth ? /./ : /another box with the same identity/
    await until(() => !twin.link.state.connected && keptOut.test(twin.link.state.detail))
    await until(() => site.gateway.link.state.connected)
    await site.relay.order('a')
    await until(async () => (await site.relay.state('a')) === 'printed')
    if (!site.broker.auth) expect([...site.gateway.paper, ...twin.paper].filter((p) => !p.marked).length).toBe(1)
    await twin.stop()
  })

  test('a gateway that was revoked gets nothing more', async () => {
    await site.start()
    const { db, gateways, dispatches } = site.relay
    const brokerAuth = site.broker.auth
    const deps = { db, gateways, dispatches, clock: systemClock, ...(brokerAuth && { brokerAuth }) }
    await revokeGateway(deps, site.gateway.gatewayId)
    await site.relay.order('a')
    // Mosquitto would let a present connection live on.
    if (brokerAuth) site.gateway.proxy.cutAll()
    await until(() => site.gateway.link.state.detail.includes('refuses this box'))
    expect(await site.relay.state('a')).toBe('queued')
  })
}
