// What happened to one ticket, as a timeline: received, accepted, connected, first byte, last byte, confirmed, and by what. Pure.
import type { EpochMs } from '#shared/clock.ts'
import type { ConfirmMethod } from '#shared/print-job.ts'
import type { RouteStep } from '#shared/tickets/routing-rules.ts'
import { parseOrNull } from './ticket-rows.ts'
import type { AttemptRow, TicketRow } from './ticket-states.ts'

/** One attempt to print a ticket. Times are relay time; null = not known. */
export interface AttemptRecord {
  attempt: number
  printerId: string
  printerName: string
  startedAtMs: EpochMs | null
  /** Earlier than the start when the connection was kept open. */
  connectedAtMs: EpochMs | null
  firstByteAtMs: EpochMs | null
  lastByteAtMs: EpochMs | null
  endedAtMs: EpochMs
  /** `retry`: in doubt, printed again with the mark. `parked`: in doubt, waits for a person. */
  outcome: AttemptRow['outcome']
  method: ConfirmMethod | null
  reason: string | null
  /** The transport's own words. */
  detail: string | null
}

export interface TimelineStep {
  step:
    | 'received'
    | 'accepted'
    | 'moved'
    | 'started'
    | 'connected'
    | 'first-byte'
    | 'last-byte'
    | 'confirmed'
    | 'assumed'
    | 'doubt'
    | 'failed'
    | 'settled'
  atMs: EpochMs
  /** Milliseconds since the step `received`. */
  sinceMs: number
  /** Null: of no attempt. */
  attempt: number | null
  /** How it was confirmed, or why not. */
  by: string | null
}

/** Steps in the order in which they happened. */
export function timelineOf(
  row: TicketRow & { received_at_ms: number; accepted_at_ms: number | null },
  attempts: readonly AttemptRow[],
): TimelineStep[] {
  const steps: TimelineStep[] = []
  const add = (
    step: TimelineStep['step'],
    atMs: number | null,
    { attempt = null, by = null }: { attempt?: number | null; by?: string | null } = {},
  ) => {
    if (atMs !== null) steps.push({ step, atMs, sinceMs: atMs - row.received_at_ms, attempt, by })
  }
  add('received', row.received_at_ms)
  add('accepted', row.accepted_at_ms)
  add('moved', row.moved_at_ms, { by: row.moved_from })
  for (const { attempt, ...at } of attempts) {
    add('started', at.started_at_ms, { attempt })
    add('connected', at.connected_at_ms, { attempt })
    add('first-byte', at.first_byte_at_ms, { attempt })
    add('last-byte', at.last_byte_at_ms, { attempt })
    if (at.outcome === 'printed') add(row.confirmation ?? 'assumed', at.ended_at_ms, { attempt, by: at.method })
    else add(at.outcome === 'failed' ? 'failed' : 'doubt', at.ended_at_ms, { attempt, by: at.reason })
  }
  // A person decided, or it was cancelled, after or without an attempt.
  const last = attempts.at(-1)?.ended_at_ms
  if (row.settled_at_ms !== null && row.settled_at_ms !== last)
    add('settled', row.settled_at_ms, { by: row.method ?? row.reason })
  return steps.sort((a, b) => a.atMs - b.atMs)
}

/** The trace that routing left in the ticket's content. */
export function traceOf(content: string): RouteStep[] {
  const stored = parseOrNull(content) as { trace?: RouteStep[] } | null
  return stored?.trace ?? []
}
