// accounts storage: how much each account stores.
import { inThread } from '#cloud/backup/in-thread.ts'
import { storedOnServer } from '#cloud/backup/stored-on-server.ts'
import { onServer } from '#cloud/storage/postgres/server-session.ts'
import { type Command, defineFileCommand } from './command.ts'
import { told } from './file-refusal.ts'
import { megabytes, table } from './print.ts'

export const storageCommands: readonly Command[] = [
  defineFileCommand({
    name: 'accounts storage',
    summary:
      'What each account stores, most first; reads every row in pieces, which takes a minute for millions of orders',
    options: {},
    example: '',
    run: async ({ database: file, url, clock }) => {
      const nowMs = clock.now()
      const rows =
        url === null
          ? await told(inThread({ do: 'stored-by-account', file, nowMs }))
          : await onServer(url, 'reads', (session) => storedOnServer(session, nowMs))
      const shown = rows.map(({ bytes, bytesOfDay, ordersOfDay, ...row }) => ({
        ...row,
        stored: megabytes(bytes),
        ordersOfLastDay: ordersOfDay,
        storedOnLastDay: megabytes(bytesOfDay),
      }))
      return { data: rows, text: table(shown, 'Nothing is stored yet.') }
    },
  }),
]
