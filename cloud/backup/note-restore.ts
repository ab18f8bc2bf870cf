// Says in the stopped relay's database that it is an earlier state: of a machine that was rolled back nothing else says so.
import Database from 'better-sqlite3'
import { factsOf, hasMarks, lastSeenAt, markAsCopy } from './file-facts.ts'
import { FileRefusal } from './file-refusal.ts'
import { holdForRestore } from './restore-file.ts'

/**
 * From its next start on the relay goes on as from a copy.
 * @param ofMs when that state was there; absent: the newest time that it knows
 * @returns that time
 * @throws FileRefusal
 */
export async function noteRestore(database: string, ofMs?: number): Promise<number> {
  const letGo = await holdForRestore(database)
  try {
    return mark(database, ofMs)
  } finally {
    letGo()
  }
}

function mark(database: string, ofMs: number | undefined): number {
  let db: Database.Database | null = null
  try {
    db = new Database(database, { fileMustExist: true })
    if (!hasMarks(db)) throw new FileRefusal(`${database} is no database of the relay, or of an older release.`)
    const { newestOrder, newestEvent } = factsOf(db)
    const newestMs = Math.max(newestOrder?.atMs ?? 0, newestEvent?.atMs ?? 0, lastSeenAt(db))
    markAsCopy(db, Math.min(newestMs, ofMs ?? newestMs))
    return Math.min(newestMs, ofMs ?? newestMs)
  } catch (error) {
    if (error instanceof FileRefusal) throw error
    throw new FileRefusal(`${database} cannot be written: ${error instanceof Error ? error.message : 'unknown'}.`)
  } finally {
    db?.close()
  }
}
