// The drill of a server's loss on PostgreSQL, with real servers that it starts itself: the primary is killed and its synchronous standby promoted, then all is restored from base backup and archive. Prints RPO and RTO.
//
//   npm run -s standby-drill
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { archiveDrill } from './standby-drill/archive-drill.ts'
import { failoverDrill } from './standby-drill/failover-drill.ts'

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ticketrail-standby-drill-'))
  const say = (line: string) => process.stdout.write(`${line}\n`)
  try {
    const { orders, rtoSeconds } = await failoverDrill(folder)
    say(`failover: RPO 0: each of ${orders} answered orders is there, and was printed once`)
    say(`failover: RTO ${rtoSeconds.toFixed(1)} s: from the kill of the primary to the next answered order`)
    const archive = await archiveDrill(folder)
    say(`archive: RPO ${archive.rpoSeconds.toFixed(1)} s: from the moment that was restored to the loss`)
    say(`archive: RTO ${archive.rtoSeconds.toFixed(1)} s: from the base backup to the next order on paper`)
    say('the gateway handed back what the restored database had forgotten')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

try {
  await main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
