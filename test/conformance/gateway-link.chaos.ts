// A hundred jobs, in a drill five hundred (LINK_JOBS), while wire, relay, gateway and broker fail at random; LINK_SEED plays one run again.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '#shared/clock.ts'
import { overNight } from '#test/harness/drill.ts'
import { seededRandom } from '#test/harness/random.ts'
import type { BrokerUnderTest } from './gateway-link.brokers.ts'
import { noteOf, Site, until } from './gateway-link.site.ts'

const COUNT = Number(process.env['LINK_JOBS'] ?? overNight(500, 250, 100))

export function chaosSuite(broker: () => BrokerUnderTest): void {
  let site: Site

  beforeEach(() => {
    site = new Site(broker())
  })
  afterEach(() => site.stop())

  test(
    `${COUNT} jobs under random faults: none lost, none changed, none taken twice, order kept, one result each`,
    async () => {
      await site.start()
      const seed = Number(process.env['LINK_SEED'] ?? Math.floor(Math.random() * 1e9))
      console.log(`  ${site.broker.name}: LINK_SEED=${seed}`)
      const random = seededRandom(seed)
      const jobs = Array.from({ length: COUNT }, (_, i) => `j${i + 1}`)
      /** False when the relay died under it: then, as a client would, try again. */
      const orderSurely = async (id: string): Promise<boolean> => {
        try {
          if ((await site.relay.state(id)) === undefined) await site.relay.order(id)
          return true
        } catch {
          await until(() => site.relay.relay.ready())
          return false
        }
      }
      let inserting = true
      let relayUp: Promise<void> = Promise.resolve()
      const inserter = (async () => {
        for (const id of jobs) {
          await relayUp
          for (;;) {
            if (await orderSurely(id)) break
          }
          if (random() < 0.7) await systemClock.sleep(random() * 25)
        }
        inserting = false
      })()
      const { proxy } = site.gateway
      const flipBits = (share: number): void => {
        proxy.corrupt.toTarget = proxy.corrupt.toClient = share
      }
      while (inserting) {
        flipBits(random() < 0.5 ? 0.15 : 0)
        await systemClock.sleep(random() * 400)
        const fault = Math.floor(random() * 11)
        if (fault === 0) proxy.cutAll()
        else if (fault === 1) proxy.delayMs = random() < 0.5 ? 0 : random() * 40
        else if (fault === 2) {
          proxy.blackHole(true)
          await systemClock.sleep(random() * 600)
          proxy.blackHole(false)
        } else if (fault === 3) {
          await proxy.refuse(true)
          await systemClock.sleep(random() * 300)
          await proxy.refuse(false)
        } else if (fault === 4) {
          await site.gateway.crash()
          await site.startGateway()
        } else if (fault === 5) {
          const again = Promise.withResolvers<void>()
          relayUp = again.promise
          await site.relay.crash()
          await site.startRelay()
          again.resolve()
        } else if (fault === 6) {
          const direction = random() < 0.5 ? 'toClient' : 'toTarget'
          proxy.deafen(direction, true)
          await systemClock.sleep(random() * 300)
          proxy.deafen(direction, false)
          // Half a packet may be gone: nothing after it can be read.
          proxy.cutAll()
        } else if (fault === 7) site.gateway.makeImage()
        else if (fault === 8) {
          await site.gateway.crash()
          site.gateway.restoreImage()
          await site.startGateway()
        } else if (fault === 9) await site.askToMove().catch(() => undefined)
        else if (site.broker.killAndRestart) await site.broker.killAndRestart()
      }
      await inserter
      proxy.delayMs = 0
      flipBits(0)
      await until(async () => (await site.relay.states())['printed'] === COUNT, 120_000)
      const first = [...new Set(site.gateway.paper.map((p) => p.jobId))]
      expect(first).toEqual(jobs)
      expect(site.gateway.paper.filter(({ jobId, text }) => text !== noteOf(jobId))).toEqual([])
      const unmarked = site.gateway.paper.filter((p) => !p.marked).map((p) => p.jobId)
      expect(unmarked.length).toBe(new Set(unmarked).size)
      const recorded = site.relay.recorded.map((r) => r.jobId)
      expect(recorded.length).toBe(new Set(recorded).size)
      expect(await site.relay.states()).toEqual({ printed: COUNT })
      const stored = site.gateway.db.sqlite.prepare('select count(*) as n from jobs').get() as { n: number }
      // An older image has forgotten jobs that were settled since.
      expect(stored.n).toBeLessThanOrEqual(COUNT)
    },
    240_000 + COUNT * 200,
  )
}
