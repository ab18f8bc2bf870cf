// The states of a job of the gateway link, and the only moves there are:
//   queued    -> sent                 claimed for a gateway's stream: it has a sequence number now
//   sent      -> accepted             the gateway has it on its disk
//   sent, accepted -> queued          the gateway lost its disk (new stream): printed again under POSSIBLE DUPLICATE
//   accepted  -> queued               this database was restored and has forgotten the outcome: asked for again, in the same way
//   accepted  -> sent                 the gateway's disk went back in time: handed out again, marked as well
//   queued, sent, accepted -> printed | failed | uncertain | cancelled | expired      final; final states absorb

import type { DispatchesTable } from './schema.ts'

export type DispatchState = DispatchesTable['state']
export type FinalState = Exclude<DispatchState, 'queued' | 'sent' | 'accepted'>

const MOVES: Record<DispatchState, readonly DispatchState[]> = {
  queued: ['sent', 'printed', 'failed', 'uncertain', 'cancelled', 'expired'],
  sent: ['accepted', 'queued', 'printed', 'failed', 'uncertain', 'cancelled', 'expired'],
  accepted: ['queued', 'sent', 'printed', 'failed', 'uncertain', 'cancelled', 'expired'],
  printed: [],
  failed: [],
  uncertain: [],
  cancelled: [],
  expired: [],
}

/** The states from which a job may move to `to`. Every update of `state` has this in its where clause. */
export function statesBefore(to: DispatchState): DispatchState[] {
  return (Object.keys(MOVES) as DispatchState[]).filter((from) => MOVES[from].includes(to))
}

export function isFinal(state: DispatchState): state is FinalState {
  return MOVES[state].length === 0
}
