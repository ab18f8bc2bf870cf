// Two relays on one PostgreSQL server, behind a balancer, with twenty gateways: an order that comes in at the other relay, the death of a
// gateway's owner, what an order costs with one relay and with two, and what an idle relay asks of the server.
import { sql } from 'kysely'
import { FireSite } from '#test/fire/fire-site.ts'
import { cpuMsOf } from '#test/guard/process-cpu.ts'
import { postgresPrograms } from '#test/harness/postgres-server.ts'
import { type Figure, median, ms, percentile } from './figures.ts'

const GATEWAYS = 20
/** Orders a second of all relays: with 100 a machine of two cores is busy and not full. A relay with fewer works more for each. */
const RATES = [100, 50]
const TOP_STATEMENTS = 25
/** After everybody was welcomed: what came with the hellos has been written. */
const SETTLED_MS = 5_000
/** A relay's code becomes quicker with its first thousand orders, and each of two sees half of them. */
const WARM_UP_ROUNDS = 2

interface TwoRelays {
  /** Order sent -> its job is at the gateway, in ms: the gateway is at the relay that takes the order, or at the other one. */
  own: { p50: number; p99: number }
  foreign: { p50: number; p99: number }
  /** `kill -9` of the relay that has the gateways -> the next order of each is at it, in ms. */
  afterKill: { p50: number; p99: number }
  cpu: CpuOfOrders[]
  /** Statements a second of an idle relay, without begin and commit. */
  idleStatements: number
  /** What these are, most first. */
  idleMost: string[]
}

/** Processor time of all relays for an order, in ms, beyond what they work without any, by rounds: of a relay that is alone, and of two. */
interface CpuOfOrders {
  perSecond: number
  one: number[]
  two: number[]
}

function cpuFigure({ perSecond, one, two }: CpuOfOrders): Figure {
  const dearer = median(two) / median(one)
  const [least = 0, most = 0] = [Math.min, Math.max].map((of) =>
    of(...two.map((ms, round) => ms / (one[round] ?? Number.NaN))),
  )
  return {
    name: `processor time of the relays for an order, ${perSecond} orders/s in all, without what they work idle: two relays / one alone`,
    goal: '<= 1.1 x',
    value: `${dearer.toFixed(2)} x (${ms(median(two))} to ${ms(median(one))}; rounds ${least.toFixed(2)} to ${most.toFixed(2)} x)`,
    met: dearer <= 1.1,
  }
}

export async function twoRelayFigures(quick: boolean): Promise<Figure[]> {
  const name = 'two relays on one PostgreSQL: order -> its gateway at the other relay, later than at the own, p50'
  if (postgresPrograms() === null)
    return [{ name, goal: '<= 10 ms', value: 'skipped: PostgreSQL is not installed', met: null }]
  const { own, foreign, afterKill, cpu, idleStatements, idleMost } = await measureTwoRelays(quick)
  for (const line of idleMost) console.log(`  ${line}`)
  const later = foreign.p50 - own.p50
  return [
    { name, goal: '<= 10 ms', value: `${ms(later)} (${ms(foreign.p50)} to ${ms(own.p50)})`, met: later <= 10 },
    {
      name: 'kill -9 of a relay -> the next order of each of its gateways is at it, p99',
      goal: '<= 5 s',
      value: `${ms(afterKill.p99)} (p50 ${ms(afterKill.p50)})`,
      met: afterKill.p99 <= 5_000,
    },
    ...cpu.map(cpuFigure),
    {
      name: 'statements a second of an idle relay',
      goal: '<= 15',
      value: idleStatements.toFixed(1),
      met: idleStatements <= 15,
    },
  ]
}

async function measureTwoRelays(quick: boolean): Promise<TwoRelays> {
  const settings = { shared_preload_libraries: 'pg_stat_statements' }
  const site = await FireSite.open({ relays: 2, gateways: GATEWAYS, settings })
  try {
    const [own, foreign] = await timesToGateways(site, quick ? 40 : 200)
    site.flip(null)
    await site.fleet.allWelcomed()
    const idle = await statementsWhileIdle(site, quick ? 5_000 : 20_000)
    const cpu = await cpuOfOrders(site, RATES, quick)
    const afterKill = await timesAfterKills(site, quick ? 2 : 20)
    return { own: ranks(own), foreign: ranks(foreign), afterKill: ranks(afterKill), cpu, ...idle }
  } finally {
    await site.close()
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const ranks = (times: readonly number[]) => ({ p50: median(times), p99: percentile(times, 99) })

/** Sends an order to a gateway's location. @returns when its job came, in ms after it was sent */
async function toGateway(site: FireSite, gateway: number): Promise<number> {
  const beganMs = performance.now()
  const { orderId } = site.client.order(gateway)
  while (!site.kitchen.cameAtMs.has(orderId)) await site.kitchen.came.next()
  return (site.kitchen.cameAtMs.get(orderId) ?? Number.NaN) - beganMs
}

async function allAt(site: FireSite, relay: number): Promise<void> {
  site.mqtt.flip(relay)
  await site.fleet.allGone()
  await site.fleet.allWelcomed()
}

/** One order at a time, by both relays in turn, with all gateways at the first. */
async function timesToGateways(site: FireSite, each: number): Promise<[own: number[], foreign: number[]]> {
  await allAt(site, 0)
  const times: [number[], number[]] = [[], []]
  for (let n = 0; n < 2 * each; n++) {
    const relay = n % 2 === 0 ? 0 : 1
    site.http.direct(relay)
    times[relay].push(await toGateway(site, n))
  }
  site.http.direct(null)
  return times
}

async function timesAfterKills(site: FireSite, kills: number): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < kills; n++) {
    const owner = n % 2
    await allAt(site, owner)
    for (const balancer of [site.http, site.mqtt]) balancer.direct(null)
    await site.relays[owner]?.kill()
    times.push(...(await Promise.all(site.fleet.gateways.map((_, gateway) => toGateway(site, gateway)))))
    await site.relays[owner]?.start()
  }
  return times
}

/**
 * Of a relay that is alone and of two, in turns; all of them are warm. What they work without any order is taken off: a second relay looks for
 * work, too, but not once for each order.
 */
async function cpuOfOrders(pair: FireSite, rates: readonly number[], quick: boolean): Promise<CpuOfOrders[]> {
  const alone = await FireSite.open({ relays: 1, gateways: GATEWAYS })
  const found = rates.map((perSecond): CpuOfOrders => ({ perSecond, one: [], two: [] }))
  try {
    for (let round = -WARM_UP_ROUNDS; round < (quick ? 1 : 5); round++) {
      // Anew in each round: which gateway is where decides how many orders come in at the other relay.
      pair.flip(null)
      await pair.fleet.allGone()
      await pair.fleet.allWelcomed()
      for (const [site, times] of [
        [alone, 'one'],
        [pair, 'two'],
      ] as const) {
        const idle = await spent(site, () => pause(SETTLED_MS))
        for (const of of found) {
          const each = await cpuAnOrder(site, { perSecond: of.perSecond, orders: quick ? 200 : 500, idle })
          if (round >= 0) of[times].push(each)
        }
      }
    }
    return found
  } finally {
    await alone.close()
  }
}

async function cpuAnOrder(
  site: FireSite,
  { perSecond, orders, idle }: { perSecond: number; orders: number; idle: Spent },
): Promise<number> {
  const first = site.client.orders.length
  const busy = await spent(site, async () => {
    site.client.orderAtRate(perSecond)
    while (site.client.orders.length < first + orders) await site.client.accepted.next()
    await site.client.stop()
    const mine = site.client.orders.slice(first)
    while (mine.some(({ orderId }) => !site.kitchen.cameAtMs.has(orderId))) await site.kitchen.came.next()
  })
  const forOrders = busy.cpuMs - (idle.cpuMs / idle.tookMs) * busy.tookMs
  return forOrders / (site.client.orders.length - first)
}

interface Spent {
  /** Of all relays. */
  cpuMs: number
  tookMs: number
}

async function spent(site: FireSite, work: () => Promise<unknown>): Promise<Spent> {
  const used = (): number => site.relays.reduce((sum, { pid }) => sum + cpuMsOf(pid), 0)
  const [usedBefore, beganMs] = [used(), performance.now()]
  await work()
  return { cpuMs: used() - usedBefore, tookMs: performance.now() - beganMs }
}

async function statementsWhileIdle(site: FireSite, forMs: number) {
  const db = await site.db
  try {
    await sql`create extension if not exists pg_stat_statements`.execute(db.read)
    await pause(SETTLED_MS)
    await sql`select pg_stat_statements_reset()`.execute(db.read)
    const beganMs = performance.now()
    await pause(forMs)
    const seconds = (performance.now() - beganMs) / 1_000
    const { rows } = await sql<{
      calls: number
      query: string
    }>`select calls, regexp_replace(query, '\\s+', ' ', 'g') as query
      from pg_stat_statements where query not ilike '%pg_stat%' order by calls desc`.execute(db.read)
    const perRelay = (calls: number): number => calls / seconds / site.relays.length
    const said = rows.filter(({ query }) => !/^(begin|commit|rollback)$/i.test(query))
    return {
      idleStatements: perRelay(said.reduce((calls, row) => calls + row.calls, 0)),
      idleMost: said
        .slice(0, TOP_STATEMENTS)
        .map(({ calls, query }) => `${perRelay(calls).toFixed(2)}  ${query.slice(0, 150)}`),
    }
  } finally {
    await db.close()
  }
}
