// move: everything that a stopped relay keeps in its SQLite file goes into an empty database on PostgreSQL.
import { z } from 'zod'
import { databaseUrlWords, isDatabaseUrl } from '#cloud/storage/postgres/database-url.ts'
import { placeOf } from '#cloud/storage/postgres/postgres-cannot-open.ts'
import { moveDatabase } from '#cloud/transfer/move-database.ts'
import { LineError } from '#shared/cli/command.ts'
import { toIso } from '#shared/clock.ts'
import { text } from '#shared/wire/api/fields.ts'
import { type Command, defineFileCommand } from './command.ts'
import { told } from './file-refusal.ts'
import { table } from './print.ts'

export const moveCommands: readonly Command[] = [
  defineFileCommand({
    name: 'move',
    summary: "Moves the stopped relay's SQLite file into an empty database on PostgreSQL, and compares every row",
    options: {
      from: text(4_096).optional().describe('The SQLite file; default: CLOUD_DATABASE'),
      to: z
        .string()
        .refine(isDatabaseUrl, { error: databaseUrlWords })
        .optional()
        .describe('postgres://USER:PASSWORD@HOST:5432/NAME; default: DATABASE_URL, which no list of processes shows'),
    },
    example: '--from data/cloud/relay.db --to postgres://ticketrail@db.example:5432/ticketrail',
    run: async (context, { from, to }) => {
      const url = to ?? context.url
      if (url === null) throw new LineError('Say --to postgres://..., or set DATABASE_URL.')
      const file = from === undefined ? context.database : context.pathOf(from)
      const { clock, tell } = context
      const moved = await told(moveDatabase({ from: file, to: url, clock, tell }))
      const place = placeOf(url)
      if (moved.doneEarlierAtMs !== null) {
        const words = `${place} has everything since ${toIso(moved.doneEarlierAtMs)}: that move was done, and its answer was lost. Start the relay with DATABASE_URL; no relay starts on ${moved.from} any more.`
        return { data: { ...moved, to: place }, text: words }
      }
      const shown = moved.tables.map(({ sum, ...row }) => ({ ...row, sum: sum.slice(0, 16) }))
      const perSecond = Math.round(moved.rows / Math.max(moved.seconds, 0.001))
      const lines = [
        table(shown, ''),
        `${moved.rows} rows in ${moved.seconds.toFixed(1)} s (${perSecond} a second), read back and equal.`,
        `${place} has everything now: start the relay with DATABASE_URL. ${moved.from} is as it was; no relay starts on it any more.`,
      ]
      return { data: { ...moved, to: place }, text: lines.join('\n') }
    },
  }),
]
