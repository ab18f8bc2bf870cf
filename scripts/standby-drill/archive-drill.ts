// The server and its standby are lost: a base backup and the archived log bring the database back to a moment, and the gateway hands back what came after it.

import { must, until } from '#scripts/restore-drill/must.ts'
import { systemClock } from '#shared/clock.ts'
import { PostgresServer } from '#test/harness/postgres-server.ts'
import { asked, DrillSite } from './drill-site.ts'

export interface ArchiveResult {
  /** From the moment that is restored to the loss: what is forgotten, but for what gateways hand back. */
  rpoSeconds: number
  /** From the beginning of the restore to the first new order on paper. */
  rtoSeconds: number
}

/** @param folder scratch folder, which the caller removes. @throws with one line of what is not as it should be */
export async function archiveDrill(folder: string): Promise<ArchiveResult> {
  const server = await PostgresServer.start({ archives: true, settings: { fsync: 'on', full_page_writes: 'on' } })
  const servers = [server]
  let site: DrillSite | null = null
  try {
    site = await DrillSite.on(server, folder)
    server.baseBackup()
    await site.start(server)
    const kept = await site.printed('kept')
    const moment = await now(server)
    const forgotten = await site.printed('forgotten')
    await archived(server)
    await site.lose()
    await server.kill()
    const lostMs = systemClock.now()

    const beganMs = systemClock.monotonicMs()
    const restored = await server.restored(moment)
    servers.push(restored)
    await until('the server takes writes', async () => {
      const rows = await asked<{ standby: boolean }>(restored.url(), 'select pg_is_in_recovery() as standby')
      return rows[0]?.standby === false
    })
    await site.mustBeWhole(restored, 'the restored database has no fault')
    await site.start(restored)
    const next = await site.printed('next')
    const rtoSeconds = (systemClock.monotonicMs() - beganMs) / 1_000
    await handedBack(site, { kept, forgotten, next })
    await site.mustBeWhole(restored, 'after it all there is no fault')
    return { rpoSeconds: (lostMs - moment.getTime()) / 1_000, rtoSeconds }
  } finally {
    await site?.lose()
    for (const one of servers) await one.remove()
  }
}

/** The database does not have it, and the gateway does. */
async function handedBack(site: DrillSite, orders: { kept: string; forgotten: string; next: string }): Promise<void> {
  const { client, gateway } = site
  const { kept, forgotten, next } = orders
  await until('the forgotten order comes back from the gateway', () => client.isPrinted(forgotten))
  must((await client.order('forgotten')) === forgotten, 'a client that repeats it is answered with its first id')
  must(gateway.received.areJust([kept, forgotten, next]), 'the gateway was sent each order once')
}

/** On the server's own clock, which its log has. */
async function now(server: PostgresServer): Promise<Date> {
  const [row] = await asked<{ at: Date }>(server.url(), 'select clock_timestamp() as at')
  if (row === undefined) throw new Error('the server does not say the time')
  return row.at
}

/** What was written so far is in the archive. */
async function archived(server: PostgresServer): Promise<void> {
  const [row] = await asked<{ file: string }>(server.url(), 'select pg_walfile_name(pg_switch_wal()) as file')
  await until('the log is archived', async () => {
    const [last] = await asked<{ file: string | null }>(
      server.url(),
      'select last_archived_wal as file from pg_stat_archiver',
    )
    return (last?.file ?? '') >= (row?.file ?? '')
  })
}
