// Actions of people on tickets at the gateway: cancel, reprint, decide about parked ones, move; and the gateway's own documents.
import type { EpochMs } from '#shared/clock.ts'
import { newId } from '#shared/ids.ts'
import type { LocalDoc } from '#shared/tickets/local-doc.ts'
import type { JobStore } from './job-store.ts'
import type { TicketDoor } from './ticket-door.ts'
import { LOCAL_STREAM, parseOrNull, type TicketContent } from './ticket-rows.ts'
import { isOpen, RELEASED, type TicketRow, unchanged } from './ticket-states.ts'

export type TicketRefusal =
  | 'unknown-ticket'
  | 'unknown-printer'
  /** It is on its way to the printer. */
  | 'printing'
  /** It has ended. */
  | 'settled'
  | 'not-parked'
  /** The printer's own: a test, a slip, the drawer. */
  | 'own-document'
  /** Its order was cancelled. */
  | 'cancelled'
  /** Its content was deleted with the customer's data, or its row is damaged. */
  | 'document-gone'
export type TicketAct = { ok: true; ticketId: string } | { ok: false; reason: TicketRefusal }

/** `print`: queued again. `on-paper`: somebody saw it. `dismiss`: it will not print. */
export type Resolution = 'print' | 'on-paper' | 'dismiss'

/** Why a ticket ended here. */
const CANCELLED_HERE = 'cancelled-here'
const DISMISSED = 'dismissed'

/** How long the gateway's own documents wait for their printer: a drawer must not open when the person has left. */
const KEPT_MS: Readonly<Record<LocalDoc['kind'], number | null>> = {
  slip: null,
  test: 300_000,
  'code-pages': 300_000,
  drawer: 15_000,
}

export class TicketActs {
  readonly #jobs: JobStore
  readonly #door: TicketDoor

  constructor(jobs: JobStore) {
    this.#jobs = jobs
    this.#door = jobs.door
  }

  /** Cancels a waiting ticket. The order's other tickets stay. */
  cancel(ticketId: string): TicketAct {
    const row = this.#door.tickets.find.get(ticketId)
    if (!row) return { ok: false, reason: 'unknown-ticket' }
    if (!isOpen(row.state)) return { ok: false, reason: 'settled' }
    if (row.state === 'sending') return { ok: false, reason: 'printing' }
    this.#door.db.transaction(() => {
      this.#door.withdraw(row, CANCELLED_HERE)
      this.#door.reportIfDone(row.job_id)
    })
    return { ok: true, ticketId }
  }

  /** Prints a ticket once more, marked REPRINT, also one that has long ended. The order's result does not change. */
  reprint(ticketId: string, printerId: string | undefined): TicketAct {
    const { jobs, tickets, db } = this.#door
    const row = tickets.find.get(ticketId)
    const job = row && jobs.find.get(row.job_id)
    if (!row || !job) return { ok: false, reason: 'unknown-ticket' }
    if (job.cancelled_at_ms !== null && row.kind !== 'void') return { ok: false, reason: 'cancelled' }
    const content = parseOrNull(row.content) as TicketContent | null
    const isGone = job.kind === 'invalid' || (job.scrubbed_at_ms !== null && job.service_order_id === null)
    if (!content || isGone || job.kind === 'drawer') return { ok: false, reason: 'document-gone' }
    const part = { ...content, printerId: printerId ?? row.printer_id }
    if (tickets.thereOrDefault.get(part.printerId)?.printer_id !== part.printerId)
      return { ok: false, reason: 'unknown-printer' }
    const kind = row.kind === 'void' || row.kind === 'local' ? row.kind : 'reprint'
    return db.transaction(() => {
      const first = ticketId.replace(/-r\d+$/, '')
      const n = (tickets.reprints.get({ jobId: row.job_id, prefix: `${first}-r` })?.n ?? 0) + 1
      const facts = { state: 'queued', notBeforeMs: null, possibleDuplicate: 0 } as const
      this.#door.insertTicket({ ticketId: `${first}-r${n}`, jobId: row.job_id, kind, part, ...facts })
      return { ok: true, ticketId: `${first}-r${n}` }
    })
  }

  /** A person has decided about a parked ticket. */
  resolve(ticketId: string, how: Resolution): TicketAct {
    const row = this.#door.tickets.find.get(ticketId)
    if (!row) return { ok: false, reason: 'unknown-ticket' }
    if (row.state !== 'parked') return { ok: false, reason: 'not-parked' }
    this.#door.db.transaction(() => {
      if (how === 'print') this.#release(row)
      else if (how === 'on-paper') this.#seen(row)
      else this.#door.withdraw(row, DISMISSED)
      this.#door.reportIfDone(row.job_id)
    })
    return { ok: true, ticketId }
  }

  /** Prints everything that is parked at a printer, oldest first. Returns how many. */
  releaseAll(printerId: string): number {
    const { tickets, db } = this.#door
    return db.transaction(() => {
      const parked = tickets.openAt.all(printerId).filter(({ state }) => state === 'parked')
      for (const row of parked) this.#release(row)
      return parked.length
    })
  }

  /**
   * Moves everything that waits at a printer to another one, in order; what may be on paper is marked already. The gateway's own
   * documents for the old one are dropped. Returns how many moved.
   */
  moveAll(from: string, to: string): number {
    const { tickets, db, time } = this.#door
    return db.transaction(() => {
      const open = tickets.openAt.all(from).filter(({ state }) => state !== 'sending')
      const own = open.filter(({ kind }) => kind === 'local')
      for (const row of own) {
        this.#door.withdraw(row, CANCELLED_HERE)
        this.#door.reportIfDone(row.job_id)
      }
      const moved = open.filter(({ kind }) => kind !== 'local')
      for (const row of moved) tickets.moveTo.run({ position: row.position, to, nowMs: time.now() })
      this.#door.giveNext(to)
      return moved.length
    })
  }

  /** Moves one waiting ticket to another printer, keeping its position. The gateway's own documents belong to their printer. */
  move(ticketId: string, to: string): TicketAct {
    const { tickets, db, time } = this.#door
    const row = tickets.find.get(ticketId)
    if (!row) return { ok: false, reason: 'unknown-ticket' }
    if (!isOpen(row.state)) return { ok: false, reason: 'settled' }
    if (row.kind === 'local') return { ok: false, reason: 'own-document' }
    if (tickets.thereOrDefault.get(to)?.printer_id !== to) return { ok: false, reason: 'unknown-printer' }
    // Last: this reason is temporary, all others would refuse it anyway.
    if (row.state === 'sending') return { ok: false, reason: 'printing' }
    db.transaction(() => {
      tickets.moveTo.run({ position: row.position, to, nowMs: time.now() })
      this.#door.giveNext(to)
    })
    return { ok: true, ticketId }
  }

  /** The printer at which a ticket is now; empty: nowhere. */
  printerOf(ticketId: string): string {
    return this.#door.tickets.find.get(ticketId)?.printer_id ?? ''
  }

  /** Queues one of the gateway's own documents before everything that waits. Returns its ticket's id. */
  printLocal(printerId: string, doc: LocalDoc, nowMs: EpochMs): string {
    const jobId = newId('pj', nowMs)
    const tickets = [{ printerId, station: null, items: [], alsoAt: [] }]
    const keptMs = KEPT_MS[doc.kind]
    const expiresAtMs = keptMs === null ? null : nowMs + keptMs
    const facts = { stream: LOCAL_STREAM, seq: 0, possibleDuplicate: false, notBeforeMs: null, expiresAtMs }
    this.#jobs.insert({ jobId, ...facts, what: { doc, tickets } })
    return `${jobId}-1`
  }

  #release(row: TicketRow): void {
    this.#door.move({ ...unchanged(row), state: 'queued', reason: RELEASED })
    this.#door.giveNext(this.#door.sendOn(row))
  }

  #seen(row: TicketRow): void {
    const facts = { confirmation: 'assumed', method: 'person', reason: null } as const
    this.#door.move({ ...unchanged(row), ...facts, state: 'printed', settledAtMs: this.#door.time.now() })
  }
}
