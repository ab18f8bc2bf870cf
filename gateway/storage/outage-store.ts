// What a printer's outage does to its tickets, each in one commit: they go to its backup, come home, or are parked behind one slip.
import type { EpochMs } from '#shared/clock.ts'
import type { PaperType } from '#shared/printer-settings.ts'
import type { LocalDoc } from '#shared/tickets/local-doc.ts'
import { orderNumber } from '#shared/tickets/order-number.ts'
import { STALE } from './attempt-end.ts'
import { docOf } from './claimed-ticket.ts'
import type { ListedRow } from './move-rows.ts'
import type { TicketActs } from './ticket-acts.ts'
import type { TicketDoor } from './ticket-door.ts'
import { unchanged } from './ticket-rows.ts'
import type { TicketKind, TicketState } from './ticket-states.ts'

/** A ticket as a slip lists it. */
export interface ListedTicket {
  ticketId: string
  position: number
  kind: TicketKind
  state: TicketState
  paper: PaperType
  /** What people call its order: `#41`; of a job that is no order its kind. */
  called: string
  printerName: string
  possibleDuplicate: boolean
  /** Since when it could have been printed, relay time. */
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

  /**
   * From now on the printer's tickets go to its backup, those that wait at once and in their order. Returns how many moved; null, and
   * nothing is changed, when nobody can take over.
   */
  begin(printerId: string): { backupId: string; tickets: number } | null {
    const { absences, moves, db, time } = this.#door
    return db.transaction(() => {
      const nowMs = time.now()
      absences.begin(printerId, nowMs)
      const backupId = absences.printerFor(printerId)
      if (backupId === printerId) {
        absences.end(printerId)
        return null
      }
      const waiting = moves.openAt.all(printerId).filter(({ state, kind }) => state === 'queued' && kind !== 'local')
      for (const { position } of waiting) moves.moveTo.run({ position, to: backupId, nowMs })
      this.#door.giveNext(backupId)
      return { backupId, tickets: waiting.length }
    })
  }

  /**
   * The printer prints again: new tickets are its own, and a slip there lists what went elsewhere. What waits at a printer that cannot
   * print (`isUsable` is false) comes home first. Without effect when it was not absent.
   * @param slip null: nothing to say
   */
  end(
    printerId: string,
    isUsable: (printerId: string) => boolean,
    slip: (moved: readonly ListedTicket[]) => LocalDoc | null,
  ): void {
    const { absences, moves, db, time } = this.#door
    const sinceMs = absences.sinceMs(printerId)
    if (sinceMs === null) return
    db.transaction(() => {
      absences.end(printerId)
      const away = moves.movedFrom.all(printerId, sinceMs)
      for (const row of away)
        if (row.state === 'queued' && !isUsable(row.printer_id))
          moves.moveTo.run({ position: row.position, to: printerId, nowMs: time.now() })
      const moved = moves.movedFrom.all(printerId, sinceMs).map(listed)
      const doc = moved.length === 0 ? null : slip(moved)
      if (doc) this.#acts.printLocal(printerId, doc, time.now())
      this.#door.giveNext(printerId)
    })
  }

  /** What waits at the printer and may be parked, oldest first. VOID slips are not among them: they say what not to make. */
  waiting(printerId: string): ListedTicket[] {
    return this.#door.moves.waitingAt.all(printerId).map(listed)
  }

  /** Lets these tickets wait for a person, behind one slip. */
  park(printerId: string, tickets: readonly ListedTicket[], slip: LocalDoc): void {
    const { rows, db, time } = this.#door
    db.transaction(() => {
      for (const { position } of tickets) {
        const row = rows.ticket.get(position)
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
    dueAtMs: Math.max(row.received_at_ms, row.not_before_ms ?? 0),
  }
}
