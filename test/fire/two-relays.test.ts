// Two relays on one PostgreSQL server, twenty gateways and a client that orders all the time, while relays, database, network and clocks fail at random.
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { PostgresDatabase } from '#cloud/storage/postgres/postgres-database.ts'
import { mosquittoProgram } from '#test/doubles/mosquitto.ts'
import { inDrill, playRounds } from '#test/harness/drill.ts'
import { postgresPrograms } from '#test/harness/postgres-server.ts'
import { drillSeed, seededRandom } from '#test/harness/random.ts'
import { hasFaketime } from './fire-relay.ts'
import { FireRounds } from './fire-rounds.ts'
import { FireSite } from './fire-site.ts'
import { isQuiet, judgeFire, whatWaits } from './judge-fire.ts'

const ROUNDS = Number(process.env['FIRE_ROUNDS'] ?? inDrill(1_000, 60))
const AT_MOST_MS = Number(process.env['FIRE_MINUTES'] ?? inDrill(50, 5)) * 60_000
const ORDERS_A_SECOND = Number(process.env['FIRE_ORDERS'] ?? 50)
/** FIRE_TOLD=1: each fault is said when it begins. */
const IS_TOLD = process.env['FIRE_TOLD'] === '1'
const GATEWAYS = 20
/** A lease of a delivery whose relay was killed runs out, and a minute later a failed one is tried again. */
const QUIET_WITHIN_MS = 150_000
const PRINTS_WITHIN_MS = 30_000
/** Of pino. */
const ERROR = 50
const SEED = drillSeed()
/** FIRE_BROKER: only relays that share a Mosquitto, or only such as have brokers of their own. */
const BROKER = z.enum(['embedded', 'mosquitto']).optional().parse(process.env['FIRE_BROKER'])
const BROKERS = BROKER ? [BROKER] : inDrill(['embedded', 'mosquitto'] as const, ['embedded'] as const)

const isThere = postgresPrograms() !== null
if (!isThere) process.stderr.write('test/fire is skipped: apt-get install postgresql\n')
if (!hasFaketime) process.stderr.write('test/fire: no clock jumps: apt-get install libfaketime\n')
const say = (line: string): void => void process.stdout.write(`${line}\n`)

const canPlay = BROKERS.filter((broker) => isThere && (broker === 'embedded' || mosquittoProgram() !== null))
describe.each(canPlay)(`two relays with the broker %s under fire (DRILL_SEED=${SEED})`, (broker) => {
  let site: FireSite
  let db: PostgresDatabase
  beforeAll(async () => {
    site = await FireSite.open({ relays: 2, gateways: GATEWAYS, broker })
  })
  afterAll(async () => {
    await db?.close()
    await site?.close()
  })

  it('lose no order, print none twice unmarked, send each event in order, and leave no gateway stuck', async () => {
    const { client, kitchen, fleetOf } = site
    client.orderAtRate(ORDERS_A_SECOND)
    const beganMs = performance.now()
    const tell = (line: string): void => {
      const seconds = ((performance.now() - beganMs) / 1_000).toFixed(1)
      if (IS_TOLD) say(`${seconds} s, ${client.orders.length} orders, ${kitchen.jobs.size} on paper: ${line}`)
    }
    const rounds = new FireRounds(site, seededRandom(SEED), tell)
    const played = await playRounds({ most: ROUNDS, atMostMs: AT_MOST_MS }, () => rounds.play())
    await rounds.end()
    await client.stop()
    const seconds = Math.round((performance.now() - beganMs) / 1_000)
    say(`${played} of ${ROUNDS} rounds in ${seconds} s: ${JSON.stringify(Object.fromEntries(rounds.played))}`)
    db = await site.db
    await expect
      .poll(() => isQuiet(db.read), { timeout: QUIET_WITHIN_MS, interval: 100 })
      .toBe(true)
      .catch(async () => expect.fail(`not quiet: ${await whatWaits(db.read)}`))

    const last = fleetOf.members.map((_, n) => client.order(n))
    await expect
      .poll(() => last.filter(({ orderId }) => !kitchen.cameAtMs.has(orderId)).map(({ locationId }) => locationId), {
        timeout: PRINTS_WITHIN_MS,
      })
      .toEqual([])
    await client.stop()
    await expect.poll(() => isQuiet(db.read), { timeout: QUIET_WITHIN_MS, interval: 100 }).toBe(true)

    await sayFigures(site, db)
    expect(await judgeFire(site, db.read)).toEqual([])
  })
})

async function sayFigures({ client, kitchen, webhooks, relays }: FireSite, { read }: PostgresDatabase): Promise<void> {
  const { rows } = await sql<{ deadlocks: number }>`select deadlocks from pg_stat_database
    where datname = current_database()`.execute(read)
  const marked = [...kitchen.jobs.values()].filter(({ numbers, unmarked }) => numbers.size > unmarked).length
  say(
    `${client.orders.length} orders, answers ${JSON.stringify(Object.fromEntries(client.answers))}; ${kitchen.jobs.size} jobs of which ${marked} were marked, ` +
      `${kitchen.again} sent again; ${webhooks.count} webhooks of which ${webhooks.again} again; ${rows[0]?.deadlocks} deadlocks`,
  )
  // What relays said of errors, for whoever looks: none of it is a fault by itself.
  const lines = relays.flatMap(({ log }) => log.filter(({ level }) => level >= ERROR))
  const counts = [...Map.groupBy(lines, ({ msg, err }) => `${msg}: ${(err as Error | undefined)?.message ?? ''}`)]
  for (const [what, all] of counts.toSorted((a, b) => b[1].length - a[1].length).slice(0, 20))
    say(`${all.length} x ${what}`)
}
