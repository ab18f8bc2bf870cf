// Fills a relay's database with a past: copies of one real, printed order with their kitchen jobs and events, over the last year. Straight into SQLite.
import Database from 'better-sqlite3'
import { newId } from '#shared/ids.ts'

const YEAR_MS = 365 * 86_400_000
const EVENTS_KEPT_MS = 30 * 86_400_000
const PIECE = 10_000

type Row = Record<string, unknown>

/** How orders of a year stand: of a hundred. The youngest are accepted or printed. */
function statusOf(n: number): string {
  const part = n % 100
  if (part < 88) return 'completed'
  if (part < 92) return 'refunded'
  if (part < 95) return 'voided'
  return part < 98 ? 'printed' : 'accepted'
}

/**
 * Adds `count` orders with ids and times that rise over the last year, each with its dispatch, and the events of the last 30 days.
 * @param file a database of the relay that nobody has open, holding at least one printed order of M-TEST-001
 */
export function generateOrders(file: string, count: number, nowMs: number): void {
  const db = new Database(file)
  // Filling need not survive a power cut.
  db.pragma('synchronous = OFF')
  const order = db.prepare("select * from orders where print_state = 'printed' limit 1").get() as Row
  const dispatch = db.prepare('select * from dispatches where order_id = ?').get(order['id']) as Row
  const events = db.prepare('select * from events where subject_id = ? order by sequence').all(order['id']) as Row[]
  // `source` is made by SQLite from the body, `ordinal` and `position` by counting.
  const insertOrder = inserter(db, 'orders', without(order, 'source'))
  const insertDispatch = inserter(db, 'dispatches', without(dispatch, 'ordinal'))
  const insertEvent = inserter(db, 'events', without(events[0] ?? {}, 'position'))
  const step = YEAR_MS / count
  for (let from = 0; from < count; from += PIECE) {
    db.transaction(() => {
      for (let n = from; n < Math.min(count, from + PIECE); n++) {
        const at = Math.round(nowMs - YEAR_MS + n * step)
        const id = newId('ord', at)
        const printJobId = newId('pj', at)
        const renamed = (text: unknown) =>
          String(text).replaceAll(String(order['id']), id).replaceAll(String(order['print_job_id']), printJobId)
        insertOrder({
          ...without(order, 'source'),
          id,
          print_job_id: printJobId,
          client_order_id: pastOrderId(n),
          body: String(order['body']).replace(/"source":"[^"]*"/, `"source":"kiosk-${n % 8}"`),
          result: renamed(order['result']),
          status: statusOf(n),
          queued_at: at,
          estimated_ready_at: at + 720_000,
          fired_at: at,
          printed_at: at + 300,
        })
        insertDispatch({
          ...without(dispatch, 'ordinal'),
          id: printJobId,
          order_id: id,
          doc: renamed(dispatch['doc']),
          // (gateway, stream, seq) is unique; a settled job's number is of no use.
          seq: null,
          available_at: at,
          created_at: at,
          settled_at: at + 300,
        })
        if (at < nowMs - EVENTS_KEPT_MS) continue
        for (const event of events) {
          insertEvent({
            ...without(event, 'position'),
            id: newId('evt', at),
            subject_id: id,
            payload: renamed(event['payload']),
            created_at: at,
          })
        }
      }
    })()
  }
  db.close()
  intoOneFile(file)
}

/** The client's id of the n-th of them: scattered, as clients' ids are, so that neighbours in time are none in the index. */
export function pastOrderId(n: number): string {
  return `${(Math.imul(n + 1, 2_654_435_761) >>> 0).toString(36)}-${n}`
}

/** Brings what stands in the write-ahead log into the database, so that the one file is all of it. */
export function intoOneFile(file: string): void {
  const db = new Database(file)
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
}

function without(row: Row, name: string): Row {
  const { [name]: _gone, ...rest } = row
  return rest
}

function inserter(db: Database.Database, table: string, sample: Row): (row: Row) => void {
  const columns = Object.keys(sample)
  const statement = db.prepare(
    `insert into ${table} (${columns.join()}) values (${columns.map((name) => `@${name}`).join()})`,
  )
  return (row) => void statement.run(row)
}
