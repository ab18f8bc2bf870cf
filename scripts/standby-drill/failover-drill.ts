// The primary server is killed under a relay that takes orders, and its synchronous standby takes its place: no answered order is lost. Before that the standby is away: no order is answered.

import { must, until } from '#scripts/restore-drill/must.ts'
import { systemClock } from '#shared/clock.ts'
import { Balancer } from '#test/fire/balancer.ts'
import { PostgresServer } from '#test/harness/postgres-server.ts'
import { asked, DrillSite } from './drill-site.ts'

const ORDERS_BEFORE = 100
const ORDERS_AFTER = 50
const ALONE = 'drill-alone'
const STRICT = { fsync: 'on', full_page_writes: 'on' }
const [PRIMARY, STANDBY] = [0, 1]

export interface FailoverResult {
  orders: number
  /** From the kill to the first order that is answered after it. */
  rtoSeconds: number
}

/** @param folder scratch folder, which the caller removes. @throws with one line of what is not as it should be */
export async function failoverDrill(folder: string): Promise<FailoverResult> {
  const primary = await PostgresServer.start({ settings: STRICT })
  const servers = [primary]
  let site: DrillSite | null = null
  let balancer: Balancer | null = null
  try {
    site = await DrillSite.on(primary, folder)
    const standby = await primary.standby()
    servers.push(standby)
    await waitForBoth(primary)
    // In production: a name or an address that moves, or a proxy that asks which server takes writes.
    balancer = await Balancer.start([primary.port, standby.port])
    balancer.flip(PRIMARY)
    await site.start(balancer)
    const first = await site.printed('drill-first')
    await withoutStandby(site, standby)
    return await killAndPromote(site, [first], { primary, standby, balancer })
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error)
    throw new Error(`${what}\nThe relay's warnings:\n${site?.warnings}`, { cause: error })
  } finally {
    await site?.lose()
    await balancer?.stop()
    for (const server of servers) await server.remove()
  }
}

/** From now on a COMMIT is answered when both servers have flushed it. */
async function waitForBoth(primary: PostgresServer): Promise<void> {
  await asked(primary.url(), `alter system set synchronous_standby_names = 'ANY 1 (*)'`)
  await asked(primary.url(), 'select pg_reload_conf()')
  await until('the standby is synchronous', async () => {
    const states = await asked<{ sync_state: string }>(primary.url(), 'select sync_state from pg_stat_replication')
    return states.some(({ sync_state: state }) => state === 'quorum')
  })
}

/** While no standby can flush it no order is answered: an answer is a promise of two disks. */
async function withoutStandby({ client }: DrillSite, standby: PostgresServer): Promise<void> {
  await standby.stop()
  const isAnswered = await client.order(ALONE).then(
    () => true,
    () => false,
  )
  must(!isAnswered, 'no order is answered while the standby is away')
  await standby.run()
}

async function killAndPromote(
  site: DrillSite,
  answered: string[],
  { primary, standby, balancer }: { primary: PostgresServer; standby: PostgresServer; balancer: Balancer },
): Promise<FailoverResult> {
  // The one that was refused is sent again, as its client does.
  answered.push(await site.client.orderSurely(ALONE))
  let isKilled = false
  const afterKill = Promise.withResolvers<number>()
  const flow = async (): Promise<void> => {
    let after = 0
    for (let n = 0; after < ORDERS_AFTER; n++) {
      const began = isKilled
      answered.push(await site.client.orderSurely(`drill-${n}`))
      if (!began) continue
      after += 1
      afterKill.resolve(systemClock.monotonicMs())
    }
  }
  const flowing = flow()
  await until('orders are taken', async () => answered.length >= ORDERS_BEFORE)
  const killedMs = systemClock.monotonicMs()
  await primary.kill()
  isKilled = true
  await standby.promote()
  balancer.flip(STANDBY)
  const rtoSeconds = ((await afterKill.promise) - killedMs) / 1_000
  await flowing
  for (const id of answered) await until(`the answered order ${id} is printed`, () => site.client.isPrinted(id))
  must(site.gateway.received.areJust(answered), 'the gateway was sent each answered order once')
  await site.mustBeWhole(standby, 'the promoted server has no fault')
  return { orders: answered.length, rtoSeconds }
}
