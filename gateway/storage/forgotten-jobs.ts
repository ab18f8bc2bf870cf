// The newest jobs of a stream, for a relay that was restored from an older backup and lost them. Reads backwards from the newest, without an index, so that the commit that prints writes no additional page.
import type { Statement } from 'better-sqlite3'
import { HAND_BACK_JOBS, type HandBack, type HandedBackJob, type Recall } from '#shared/wire/hand-back.ts'
import type { GatewayDatabase } from './database.ts'
import type { TicketDoor } from './ticket-door.ts'
import { docOf } from './ticket-rows.ts'

interface Place {
  rowid: number
  stream: string
  seq: number
}

interface Row extends Place {
  job_id: string
  doc: string
  digest: string
  not_before_ms: number | null
  expires_at_ms: number | null
}

/** Size of one piece: a message of the link has 128 kB. A larger job is sent alone. */
const PIECE_BYTES = 96_000

export class ForgottenJobs {
  readonly #db: GatewayDatabase
  readonly #door: Pick<TicketDoor, 'reportAgain'>
  /** All columns before the document, so that no document is read on the way. */
  readonly #backwards: Statement<[], Place>
  readonly #from: Statement<[number], Row>
  readonly #orderOf: Statement<[string], { service_order_id: string | null }>
  readonly #tellAgain: Statement<[string]>[]
  /** Jobs of the last piece, up to this number: their outcomes follow when the relay has stored it. */
  #handed: { upTo: number; jobIds: readonly string[] } | null = null

  constructor(db: GatewayDatabase, door: Pick<TicketDoor, 'reportAgain'>) {
    this.#db = db
    this.#door = door
    const sql = db.sqlite
    this.#backwards = sql.prepare('select rowid, stream, seq from jobs order by rowid desc')
    this.#from = sql.prepare(
      'select rowid, stream, seq, job_id, doc, digest, not_before_ms, expires_at_ms from jobs where rowid >= ? order by rowid',
    )
    this.#orderOf = sql.prepare('select service_order_id from jobs where job_id = ?')
    this.#tellAgain = [
      sql.prepare('update kitchen_facts set acked_at_ms = null where order_id = ?'),
      sql.prepare('update kitchen_courses set acked_at_ms = null where order_id = ?'),
    ]
  }

  /** The requested jobs, as many as one message holds; null when everything was handed back. */
  piece({ stream, locationId, after, upTo }: Recall): HandBack | null {
    if (after >= upTo) return null
    const jobs: HandedBackJob[] = []
    let bytes = 0
    let reached = after
    const first = this.#firstAfter(stream, after)
    for (const row of first === null ? [] : this.#from.iterate(first)) {
      if (row.stream !== stream || row.seq <= after) continue
      if (row.seq > upTo) break
      const job = handedBack(row, locationId)
      bytes += job === null ? 0 : Buffer.byteLength(row.doc)
      if (jobs.length > 0 && (bytes > PIECE_BYTES || jobs.length === HAND_BACK_JOBS)) {
        return this.#handing({ stream, after, upTo: reached, jobs })
      }
      if (job !== null) jobs.push(job)
      reached = row.seq
    }
    return this.#handing({ stream, after, upTo, jobs })
  }

  /**
   * The relay has everything up to this number on its disk. If that includes the last piece, the results of its jobs are reported again, as for
   * new jobs of the relay. A relay that repeats its request has not stored the piece.
   */
  stored(upTo: number): void {
    const handed = this.#handed
    if (handed === null || upTo < handed.upTo) return
    this.#handed = null
    this.#db.transaction(() => {
      for (const jobId of handed.jobIds) {
        this.#door.reportAgain(jobId)
        const orderId = this.#orderOf.get(jobId)?.service_order_id ?? null
        if (orderId !== null) for (const statement of this.#tellAgain) statement.run(orderId)
      }
    })
  }

  #handing(piece: HandBack): HandBack {
    this.#handed = { upTo: piece.upTo, jobIds: piece.jobs.map(({ jobId }) => jobId) }
    return piece
  }

  /** The first number of the stream above `after`; null: there is none. */
  #firstAfter(stream: string, after: number): number | null {
    let first: number | null = null
    for (const row of this.#backwards.iterate()) {
      if (row.stream !== stream) continue
      if (row.seq <= after) break
      first = row.rowid
    }
    return first
  }
}

/**
 * Only an order of this kitchen: a box that was elsewhere before hands back nothing of that. Null for anything else, and for damaged rows.
 */
function handedBack(row: Row, locationId: string): HandedBackJob | null {
  const doc = row.doc === '' ? null : docOf(row.doc, row.digest)
  if ((doc?.kind !== 'order' && doc?.kind !== 'board') || doc.order.locationId !== locationId) return null
  if (doc.origin === undefined) return null
  return { jobId: row.job_id, seq: row.seq, doc, notBefore: row.not_before_ms, expiresAt: row.expires_at_ms }
}
