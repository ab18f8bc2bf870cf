// The effect of a printer's outage on its tickets, each step in one commit: they go to its backup, return, or are parked behind one slip.
import type { EpochMs } from '#shared/clock.ts'
import type { PaperType } from '#shared/printer-settings.ts'
import type { LocalDoc } from '#shared/tickets/local-doc.ts'
import { orderNumber } from '#shared/tickets/order-number.ts'
import type { TicketActs } from './ticket-acts.ts'
import type { TicketDoor } from './ticket-door.ts'
import { docOf, type ListedRow } from './ticket-rows.ts'
import { RELEASED, STALE, type TicketKind, type TicketState, unchanged } from './ticket-states.ts'

/** A ticket as a slip lists it. */
export interface ListedTicket {
  ticketId: string
  position: number
  kind: TicketKind
  state: TicketState
  paper: PaperType
  /** The number of its order: `#41`; for a job that is not an order its kind. */
  called: string
  printerName: string
  possibleDuplicate: boolean
  /** A person requested it, so it is never too old. */
  isWanted: boolean
  /** Since when it could have been printed, in relay time. */
  dueAtMs: EpochMs
}

export class OutageStore {
  readonly #door: TicketDoor
  readonly #acts: TicketActs

  constructor(door: TicketDoor, acts: TicketActs) {
    this.#door = door
    this.#acts = acts
  }

  /** Whether the printer's tickets go to its backup. */
  isAbsent(printerId: string): boolean {
    return this.#door.absences.sinceMs(printerId) !== null
  }

  /** Since when the printer has left everything in doubt, in relay time; null: it printed the last one, or was never tried. */
  doubtSinceMs(printerId: string): EpochMs | null {
    return this.#door.attempts.doubtSince.get({ printerId })?.since ?? null
  }

  /** The printer that has this one's tickets now: itself, or the backup while it is absent. */
  printerFor(printerId: string): string {
    return this.#door.absences.printerFor(printerId)
  }

  /** Whether a ticket of this absent printer waits at one that cannot print either. */
  isAnyStranded(printerId: string, isUsable: (printerId: string) => boolean): boolean {
    const { absences, tickets } = this.#door
    const holders = tickets.holders.all({ printerId, sinceMs: absences.sinceMs(printerId) ?? 0 })
    return holders.some(({ printer_id }) => !isUsable(printer_id))
  }

  /** The intended printers of the tickets at this one, its own included. */
  meantFor(printerId: string): string[] {
    return this.#door.tickets.meantFor.all({ printerId }).map(({ printer_id }) => printer_id)
  }

  /**
   * The printer cannot print: each ticket that waits there goes to the printer that `takeOver` returns, in order, and so do the next tickets of this
   * printer and of absent ones whose tickets were sent here. One without a replacement stays.
   * @param takeOver by the intended printer of a ticket: the printer that gets it from now on; null: none can
   * @returns by printer how many it got; null when nothing is changed
   */
  handOver(printerId: string, takeOver: (meantFor: string) => string | null): Record<string, number> | null {
    const { absences, tickets, db, time } = this.#door
    return db.transaction(() => {
      const nowMs = time.now()
      const got: Record<string, number> = {}
      // Later ones were added at the printer with the paper that they call off.
      const withVoids = absences.sinceMs(printerId) === null
      const own = takeOver(printerId)
      if (own !== null) {
        got[own] = 0
        absences.begin(printerId, own, nowMs)
      }
      for (const absent of absences.sentTo(printerId)) {
        const to = takeOver(absent)
        if (to !== null) absences.sendTo(absent, to)
      }
      for (const { position, state, kind, moved_from } of tickets.openAt.all(printerId)) {
        if (state !== 'queued' || kind === 'local' || (kind === 'void' && !withVoids)) continue
        const to = takeOver(moved_from ?? printerId)
        if (to === null) continue
        tickets.moveTo.run({ position, to, nowMs })
        got[to] = (got[to] ?? 0) + 1
      }
      for (const to of Object.keys(got)) this.#door.giveNext(to)
      return Object.keys(got).length === 0 ? null : got
    })
  }

  /**
   * The printer prints again: new tickets are its own, and a slip there lists what went elsewhere. What waits at a printer that cannot
   * print (`isUsable` is false) is returned first. Without effect when it was not absent.
   * @param slip null: none needed
   */
  end(
    printerId: string,
    isUsable: (printerId: string) => boolean,
    slip: (moved: readonly ListedTicket[]) => LocalDoc | null,
  ): void {
    const { absences, tickets, db, time } = this.#door
    const sinceMs = absences.sinceMs(printerId)
    if (sinceMs === null) return
    db.transaction(() => {
      absences.end(printerId)
      const away = tickets.movedFrom.all(printerId, sinceMs)
      for (const row of away)
        if (row.state === 'queued' && !isUsable(row.printer_id))
          tickets.moveTo.run({ position: row.position, to: printerId, nowMs: time.now() })
      const moved = tickets.movedFrom.all(printerId, sinceMs).map(listed)
      const doc = moved.length === 0 ? null : slip(moved)
      if (doc) this.#acts.printLocal(printerId, doc, time.now())
      this.#door.giveNext(printerId)
    })
  }

  /** Tickets that wait at the printer and may be parked, oldest first. VOID slips are not included, because they show what not to make. */
  waiting(printerId: string): ListedTicket[] {
    return this.#door.tickets.waitingAt.all(printerId).map(listed)
  }

  /** Parks these tickets, behind one slip. */
  park(printerId: string, tickets: readonly ListedTicket[], slip: LocalDoc): void {
    const { tickets: rows, db, time } = this.#door
    db.transaction(() => {
      for (const { position } of tickets) {
        const row = rows.at.get(position)
        if (row) this.#door.move({ ...unchanged(row), state: 'parked', reason: STALE })
      }
      this.#acts.printLocal(printerId, slip, time.now())
    })
  }
}

function listed(row: ListedRow): ListedTicket {
  const doc = docOf(row.doc, row.doc_digest)
  return {
    ticketId: row.ticket_id,
    position: row.position,
    kind: row.kind,
    state: row.state,
    paper: row.paper,
    called: doc && 'order' in doc ? `#${orderNumber(doc.order)}` : (doc?.kind ?? 'damaged'),
    printerName: row.printer_name ?? row.printer_id,
    possibleDuplicate: row.possible_duplicate === 1,
    isWanted: row.kind === 'reprint' || row.reason === RELEASED,
    dueAtMs: Math.max(row.received_at_ms, row.not_before_ms ?? 0),
  }
}
