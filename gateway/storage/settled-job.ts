// Removes the waiting tickets of a job that has ended elsewhere: the relay had its result from a newer disk than this one.
import { SETTLED_BEFORE } from '#shared/settled-before.ts'
import type { TicketDoor } from './ticket-door.ts'
import { type TicketState, unchanged } from './ticket-states.ts'

const WAITING: readonly TicketState[] = ['held', 'queued', 'parked']

/**
 * Only the tickets that decide the job's result, because the relay has only these; slips, receipts and reprints of it stay. Nothing is
 * reported. What is on paper ends as `uncertain`, so that a later cancel of the order still gets its VOID slip. Commits.
 * @returns how many tickets
 */
export function withdrawSettled(door: TicketDoor, jobId: string, isOnPaper: boolean): number {
  const { db, jobs, tickets, time } = door
  return db.transaction(() => {
    const waiting = tickets.ofJob.all(jobId).filter(({ kind, state }) => kind === 'order' && WAITING.includes(state))
    const end = { settledAtMs: time.now(), reason: SETTLED_BEFORE }
    for (const row of waiting) door.move({ ...unchanged(row), ...end, state: isOnPaper ? 'uncertain' : 'cancelled' })
    if (waiting.length > 0 && (tickets.openOfJob.get(jobId)?.n ?? 0) === 0) jobs.settle.run(end.settledAtMs, jobId)
    return waiting.length
  })
}
