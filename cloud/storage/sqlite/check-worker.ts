// A thread that checks the relay's database for damage and reports it. It has the lowest priority, and a connection of its own.
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'
import { type Depth, findDamage } from './find-damage.ts'

/** Of this thread alone: Linux counts threads like processes. */
const LOWEST_PRIORITY = 19

const { file, depth } = workerData as { file: string; depth: Depth }
setPriority(LOWEST_PRIORITY)
const db = new Database(file, { readonly: true, timeout: 0 })
// Read once, so it is not worth the memory.
db.pragma('cache_size = -2048')
db.pragma('cell_size_check = ON')
db.pragma('trusted_schema = OFF')
try {
  parentPort?.postMessage(findDamage(db, depth))
} finally {
  db.close()
}
