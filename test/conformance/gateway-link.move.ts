// A gateway that moves from one connection to another while orders come: nothing lost, twice or marked, and no moment without a relay.
import mqtt from 'mqtt'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { registerGateway } from '#cloud/relay/gateway-registry.ts'
import { upText } from '#gateway/link/up-messages.ts'
import { systemClock } from '#shared/clock.ts'
import { PROTOCOL } from '#shared/wire/gateway-link.ts'
import type { BrokerUnderTest } from './gateway-link.brokers.ts'
import { LOCATION, Site, until } from './gateway-link.site.ts'

const COUNT = 60
const JOBS = Array.from({ length: COUNT }, (_, i) => `j${i + 1}`)

/** A site that notes each state of its gateway's link. */
class MovingSite extends Site {
  /** Since `begin`. */
  readonly states: string[] = []
  readonly now = new AbortController()

  async begin(): Promise<void> {
    await this.start()
    const { link } = this.gateway
    link.changed.subscribe(() => this.states.push(`${link.state.connected} ${link.state.detail}`))
  }

  async epoch(): Promise<number> {
    return (await this.relay.gateways.byId(this.gateway.gatewayId))?.sessionEpoch ?? 0
  }

  /** Orders come all the time while `meanwhile` runs. Resolves when all are on paper. */
  async ordersWhile(meanwhile: () => Promise<void>): Promise<void> {
    const some = Promise.withResolvers<void>()
    const done = Promise.withResolvers<void>()
    const orders = (async () => {
      for (const [n, id] of JOBS.entries()) {
        if (n === COUNT / 4) some.resolve()
        if (n === (COUNT * 3) / 4) await done.promise
        await this.relay.order(id)
        await systemClock.sleep(2)
      }
    })()
    await some.promise
    await meanwhile()
    done.resolve()
    await orders
    await until(async () => (await this.relay.states())['printed'] === COUNT)
  }

  async expectNothingNoticed(): Promise<void> {
    expect(this.gateway.paper.map(({ jobId }) => jobId)).toEqual(JOBS)
    expect(this.gateway.paper.filter(({ marked }) => marked)).toEqual([])
    const marked = this.relay.db.read.selectFrom('dispatches').select('id').where('possible_duplicate', '!=', 0)
    expect(await marked.execute()).toEqual([])
    expect(this.relay.recorded.map(({ jobId }) => jobId).sort()).toEqual([...JOBS].sort())
    expect(this.states).toEqual([])
    expect((await this.relay.gateways.byId(this.gateway.gatewayId))?.presence).toBe('online')
  }
}

function useSite(broker: () => BrokerUnderTest): () => MovingSite {
  let site: MovingSite
  beforeEach(async () => {
    site = new MovingSite(broker())
    await site.begin()
  })
  afterEach(async () => {
    site.now.abort()
    await site.stop()
  })
  return () => site
}

export function moveSuite(broker: () => BrokerUnderTest, { external }: { external: boolean }): void {
  const made = useSite(broker)

  test('five moves at one broker, there and back, are invisible to clients', async () => {
    const site = made()
    await site.ordersWhile(async () => {
      for (let moves = 0; moves < 5; moves++) {
        const before = await site.epoch()
        await site.askToMove()
        // The first connection is left when the welcome has been heard.
        await until(async () => (await site.epoch()) > before && site.gateway.proxy.open === 1)
      }
    })
    await site.expectNothingNoticed()
  })

  // Another broker lets the card in each time it tries.
  test.skipIf(external)('a copied card is kept out before a move and after it', async () => {
    const site = made()
    const twin = site.twin()
    await twin.start(site.proxyPort)
    for (let moves = 0; moves < 2; moves++) {
      await until(() => /another box with the same identity/.test(twin.link.state.detail))
      const before = await site.epoch()
      // Again, because it may not have heard its last welcome yet.
      await until(async () => {
        await site.askToMove()
        return (await site.epoch()) > before
      })
    }
    await site.relay.order('a')
    await until(async () => (await site.relay.state('a')) === 'printed')
    expect([site.gateway.link.state.connected, twin.link.state.connected]).toEqual([true, false])
    expect([site.states, twin.paper]).toEqual([[], []])
    await twin.stop()
  })

  test('a move in which every connection breaks ends in one connection, and prints nothing twice', async () => {
    const site = made()
    const { proxy, link } = site.gateway
    await site.ordersWhile(async () => {
      await site.askToMove()
      await until(() => proxy.accepted === 2)
      // None comes as far as its welcome.
      proxy.cutAfterBytes = 60
      await until(() => proxy.accepted >= 4)
      proxy.cutAfterBytes = null
      await until(() => link.state.connected && proxy.open === 1)
    })
    expect(site.gateway.paper.map(({ jobId }) => jobId)).toEqual(JOBS)
    expect(site.gateway.paper.filter(({ marked }) => marked)).toEqual([])
  })
}

/** What a relay does with its gateways before it stops. `external`: they are not its own. */
export function leavingSuite(broker: () => BrokerUnderTest, { external }: { external: boolean }): void {
  const made = useSite(broker)

  test.runIf(external)('the gateways of an external broker stay where they are', async () => {
    const site = made()
    const { accepted } = site.gateway.proxy
    await site.relay.relay.moveAway(site.now.signal)
    await site.relay.order('a')
    await until(async () => (await site.relay.state('a')) === 'printed')
    expect([site.states, site.gateway.proxy.accepted]).toEqual([[], accepted])
  })

  describe.skipIf(external)('of the embedded broker', () => {
    test('a relay that is about to stop sends its gateway to another one, without any effect on orders', async () => {
      const site = made()
      const other = await site.relay.startBeside()
      site.gateway.proxy.retarget({ host: '127.0.0.1', port: other.mqttPort })
      await site.ordersWhile(async () => {
        await site.relay.relay.moveAway(site.now.signal)
        await site.relay.relay.stop()
      })
      await site.expectNothingNoticed()
      await other.stop()
    })

    test('where only the relay itself is found again, the gateway stays until the end', async () => {
      const site = made()
      const { proxy } = site.gateway
      const before = await site.epoch()
      await site.ordersWhile(async () => {
        const moving = site.relay.relay.moveAway(site.now.signal)
        await until(() => proxy.accepted >= 4)
        site.now.abort()
        await moving
      })
      await site.expectNothingNoticed()
      expect(await site.epoch()).toBe(before)
    })

    test('a gateway that is older than this is closed, and connects to another relay by itself', async () => {
      const site = made()
      const { db, gateways } = site.relay
      const box = await registerGateway({ db, gateways, clock: systemClock }, { locationId: LOCATION, name: 'old' })
      const { gatewayId, token, topics } = box
      const connect = async (port: number, epoch: number) => {
        const who = { clientId: gatewayId, username: gatewayId, password: token, protocolVersion: 4 as const }
        const raw = await mqtt.connectAsync(`mqtt://127.0.0.1:${port}`, { ...who, reconnectPeriod: 0 })
        await raw.subscribeAsync(topics.down, { qos: 1 })
        const heard: string[] = []
        raw.on('message', (_topic, payload) => heard.push(JSON.parse(payload.toString()).t))
        const hello = { t: 'hello', proto: [...PROTOCOL], stream: 's', last: 0, bootId: 'b', app: 'old' } as const
        const rest = { cfgVer: 0, caps: ['digest', 'wait', 'job:order'], t0: 1, unreported: 0 }
        const text = upText({ ...hello, proto: [1, 2], ...rest }, { epoch, nowMs: systemClock.now() })
        await raw.publishAsync(topics.up, text, { qos: 1 })
        await until(() => heard.includes('welcome'))
        return { raw, heard }
      }
      const old = await connect(site.relay.port, 1)
      const other = await site.relay.startBeside()
      site.gateway.proxy.retarget({ host: '127.0.0.1', port: other.mqttPort })
      await site.relay.relay.moveAway(site.now.signal)
      expect([old.raw.connected, old.heard.includes('move')]).toEqual([false, false])
      const again = await connect(other.mqttPort, 2)
      expect((await gateways.byId(gatewayId))?.presence).toBe('online')
      await again.raw.endAsync(true)
      await other.stop()
    })
  })
}
