// verify: finds damage, and rows that contradict each other, in a file or in the database on PostgreSQL.
import { inThread } from '#cloud/backup/in-thread.ts'
import { isSameFile } from '#cloud/backup/own-files.ts'
import { serverFaults } from '#cloud/backup/server-faults.ts'
import { placeOf } from '#cloud/storage/postgres/postgres-cannot-open.ts'
import { onServer } from '#cloud/storage/postgres/server-session.ts'
import { EXIT, type Output } from '#shared/cli/command.ts'
import { text } from '#shared/wire/api/fields.ts'
import { type Command, defineFileCommand } from './command.ts'
import type { FileContext } from './context.ts'
import { told } from './file-refusal.ts'

const verify = defineFileCommand({
  name: 'verify',
  summary: 'Looks for damage in the database, and for rows that contradict each other: one line a fault, exit code 1',
  options: { database: text(4_096).optional().describe("Another file than the relay's own") },
  operand: 'database',
  example: '',
  run: async (context, { database }) => {
    if (context.url !== null && database === undefined) return verifyServer(context, context.url)
    const named = database === undefined ? context.database : context.pathOf(database)
    // Under another of its names SQLite does not find its log.
    const isCopy = !isSameFile(named, context.database)
    const file = isCopy ? named : context.database
    const { faults, sum } = await told(inThread({ do: 'verify', file, isCopy }))
    const isFault = faults.length > 0
    const lines = isFault ? faults : [`${file}: no fault`]
    if (sum !== null && sum.state !== 'differs') lines.push(sum.words)
    return {
      data: { file, faults, sha256: sum?.state ?? null },
      text: lines.join('\n'),
      exitCode: isFault ? EXIT.failed : EXIT.ok,
    }
  },
})

/** A standby will do: the primary goes on undisturbed. */
async function verifyServer({ clock }: FileContext, url: string): Promise<Output> {
  const faults = await told(onServer(url, 'reads', (session) => serverFaults(session, clock.now())))
  const isFault = faults.length > 0
  const place = placeOf(url)
  return {
    data: { database: place, faults },
    text: (isFault ? faults : [`${place}: no fault`]).join('\n'),
    exitCode: isFault ? EXIT.failed : EXIT.ok,
  }
}

export const verifyCommands: readonly Command[] = [verify]
