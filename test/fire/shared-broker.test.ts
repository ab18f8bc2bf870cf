// Two relays that share a Mosquitto: each hears half of the gateways, and those of one that stops, dies or stands still go to the other.
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PostgresDatabase } from '#cloud/storage/postgres/postgres-database.ts'
import { mosquittoProgram } from '#test/doubles/mosquitto.ts'
import { postgresPrograms } from '#test/harness/postgres-server.ts'
import type { FireOrder } from './fire-client.ts'
import { FireSite } from './fire-site.ts'
import { isQuiet, judgeFire, whatWaits } from './judge-fire.ts'

const GATEWAYS = 32
const ORDERS_A_SECOND = 20
/** One that is too many is given back each second, and a dead relay has them for 15 s. */
const WITHIN = { timeout: 150_000, interval: 100 }

const isThere = postgresPrograms() !== null && mosquittoProgram() !== null
if (!isThere) process.stderr.write('test/fire/shared-broker is skipped: apt-get install postgresql mosquitto\n')

describe.runIf(isThere)('two relays that share a Mosquitto', () => {
  let site: FireSite
  let db: PostgresDatabase
  beforeAll(async () => {
    site = await FireSite.open({ relays: 2, gateways: GATEWAYS, broker: 'mosquitto' })
    db = await site.db
  })
  afterAll(async () => {
    await db?.close()
    await site?.close()
  })

  /** How many shards each relay has whose lease has not ended, the fewest first. */
  async function parts(): Promise<number[]> {
    const { rows } = await sql<{ n: number }>`select count(*) as n from shards
      where owner is not null and until > extract(epoch from clock_timestamp()) * 1000 group by owner order by 1`.execute(
      db.read,
    )
    return rows.map(({ n }) => n)
  }
  const missing = (orders: readonly FireOrder[]): string[] =>
    orders.filter(({ orderId }) => !site.kitchen.cameAtMs.has(orderId)).map(({ orderId }) => orderId)
  const onPaper = (orders: readonly FireOrder[]) => expect.poll(() => missing(orders), WITHIN).toEqual([])
  const orderEverywhere = (): FireOrder[] => site.fleetOf.members.map((_, n) => site.client.order(n))
  const marked = (): number =>
    [...site.kitchen.jobs.values()].filter(({ numbers, unmarked }) => numbers.size > unmarked).length

  async function nothingIsWrong(): Promise<void> {
    await site.client.stop()
    await expect
      .poll(() => isQuiet(db.read), WITHIN)
      .toBe(true)
      .catch(async () => expect.fail(`not quiet: ${await whatWaits(db.read)}`))
    await onPaper(orderEverywhere())
    await site.client.stop()
    await expect.poll(() => isQuiet(db.read), WITHIN).toBe(true)
    expect(await judgeFire(site, db.read)).toEqual([])
  }

  it('halve the gateways among them, and an order at either reaches its gateway', async () => {
    await expect.poll(parts, WITHIN).toEqual([32, 32])
    for (const relay of [0, 1]) {
      site.http.direct(relay)
      await onPaper(orderEverywhere())
    }
    site.http.direct(null)
    await nothingIsWrong()
    expect(marked()).toBe(0)
  })

  it('take over from one that stops in order: nothing is marked, and nothing waits for a lease to end', async () => {
    site.client.orderAtRate(ORDERS_A_SECOND)
    await site.relays[0]?.stop()
    // One that had died would have them for 15 s more.
    const { rows } = await sql`select shard from shards where owner is not null and until = 0`.execute(db.read)
    expect(rows).toEqual([])
    await expect.poll(parts, WITHIN).toEqual([64])
    await site.relays[0]?.start()
    await expect.poll(parts, WITHIN).toEqual([32, 32])
    await nothingIsWrong()
    expect(marked()).toBe(0)
  })

  it('take over from one that is killed, when its leases have ended', async () => {
    site.client.orderAtRate(ORDERS_A_SECOND)
    await site.relays[0]?.kill()
    await expect.poll(parts, WITHIN).toEqual([64])
    await onPaper(orderEverywhere())
    await site.relays[0]?.start()
    await expect.poll(parts, WITHIN).toEqual([32, 32])
    await nothingIsWrong()
  })

  it('take over from a suspended one, which receives and sends nothing of them when it resumes', async () => {
    site.client.orderAtRate(ORDERS_A_SECOND)
    site.relays[1]?.freeze()
    await expect.poll(parts, WITHIN).toEqual([64])
    site.relays[1]?.thaw()
    await expect.poll(parts, WITHIN).toEqual([32, 32])
    await nothingIsWrong()
  })

  it('continue when the broker is killed and started again', async () => {
    site.client.orderAtRate(ORDERS_A_SECOND)
    await site.broker?.kill()
    await site.broker?.run()
    await site.fleet.allWelcomed()
    await nothingIsWrong()
  })
})
