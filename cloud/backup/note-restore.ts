// Records in the stopped relay's database that it is an earlier state: after a rollback of the machine nothing else shows that.
import Database from 'better-sqlite3'
import { factsOf, hasMarks, lastSeenAt, markAsCopy } from './file-facts.ts'
import { FileRefusal } from './file-refusal.ts'
import { holdForRestore } from './restore-file.ts'

/**
 * From its next start on the relay continues as from a copy.
 * @param ofMs the time of that state; absent: the newest time in it
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
