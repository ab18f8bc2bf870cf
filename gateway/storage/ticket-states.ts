// The states of a ticket and the only moves between them; TicketDoor is the one door through which they go.
//
// | state     | means                                             | may become                                               |
// |-----------|---------------------------------------------------|----------------------------------------------------------|
// | held      | waits for its fire time                           | queued (due, at the end of the queue), cancelled         |
// | queued    | waits for its printer                             | sending (claim), parked (too old after an outage),       |
// |           |                                                   | cancelled, uncertain (cancelled or expired when an       |
// |           |                                                   | earlier attempt may stand on paper)                      |
// | sending   | intent committed: bytes may be on their way       | printed, failed, uncertain, parked (in doubt, and the    |
// |           |                                                   | printer's policy is hold), cancelled (cancelled during   |
// |           |                                                   | an attempt of which no byte went out), queued (not sent; |
// |           |                                                   | or sent without proof, then marked; or found so at start)|
// | parked    | waits for a person (reason: doubt or stale)       | queued (print it), printed (seen on paper), cancelled,   |
// |           |                                                   | uncertain (given up when it may stand on paper)          |
// | printed   | the printer confirmed it, or took it unverifiably,| -                                                        |
// |           | or a person saw it                                |                                                          |
// | failed    | cannot be printed: its bytes could not be made    | -                                                        |
// | uncertain | may be on paper; a person must look               | -                                                        |
// | cancelled | will not print, and nothing of it is on paper     | -                                                        |

export type TicketState = 'held' | 'queued' | 'sending' | 'parked' | 'printed' | 'failed' | 'uncertain' | 'cancelled'
/**
 * `order`: what the job is made of, whatever its kind; these alone decide its result. `void`: the slip that says that it was taken back.
 * `extra`: receipt or label of an order. `reprint`: asked for at the gateway. `local`: the gateway's own document.
 */
export type TicketKind = 'order' | 'void' | 'extra' | 'reprint' | 'local'

const MOVES: Readonly<Record<TicketState, readonly TicketState[]>> = {
  held: ['queued', 'cancelled'],
  queued: ['sending', 'parked', 'cancelled', 'uncertain'],
  sending: ['printed', 'failed', 'uncertain', 'cancelled', 'queued', 'parked'],
  parked: ['queued', 'printed', 'cancelled', 'uncertain'],
  printed: [],
  failed: [],
  uncertain: [],
  cancelled: [],
}

/** Throws when the table has no such move: that is a bug, and the program must not go on with it. */
export function assertMove(from: TicketState, to: TicketState): void {
  if (!MOVES[from].includes(to)) throw new Error(`a ticket cannot go from ${from} to ${to}`)
}

/** True while the ticket may still print. */
export function isOpen(state: TicketState): boolean {
  return MOVES[state].length > 0
}
