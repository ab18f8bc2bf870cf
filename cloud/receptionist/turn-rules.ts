// What of a hook counts in a turn: whether it is late, what of its words may be kept, what the part that takes orders is asked, and where the call goes by it. Pure.
import type { HookCall } from '#cloud/telephony/telephony.ts'
import { nextMove } from './call-machine.ts'
import type { CallFacts, CallState, MachineEvent, Move } from './call-state.ts'
import { CUT_CARD, cutCards } from './cut-cards.ts'
import { EMPTY_DRAFT, type OrderReply } from './order-taker.ts'

/** The machine, and once more with the reply of the part that takes orders where it was asked. */
export function moved(
  state: CallState,
  { event, facts, reply }: { event: MachineEvent; facts: CallFacts; reply: OrderReply | null | undefined },
): Move {
  const isWaiting = event.kind === 'silence' && state.thinking !== null
  if (isWaiting && reply !== undefined) return nextMove(state, { kind: 'order-reply', reply }, facts)
  const move = nextMove(state, event, facts)
  const asks = move.effects.some((effect) => effect.do === 'ask-order')
  return asks && reply !== undefined ? nextMove(move.state, { kind: 'order-reply', reply }, facts) : move
}

/** What the part that takes orders is asked by this event; null: nothing. */
export function askedOf(state: CallState, event: MachineEvent, facts: CallFacts) {
  if (event.kind === 'silence' && state.thinking !== null)
    return { words: state.thinking.words, draft: state.draft ?? EMPTY_DRAFT }
  const { effects, state: after } = nextMove(state, event, facts)
  const asked = effects.find((effect) => effect.do === 'ask-order')
  return asked === undefined ? null : { words: asked.words, draft: after.draft ?? EMPTY_DRAFT }
}

/**
 * It answers an earlier turn than the one that the caller has heard last: it came late, or out of order. It gets an answer and changes
 * nothing, so that what the caller does now still counts.
 */
export function isStale({ sequence, event }: HookCall, { turn }: CallState): boolean {
  if (event.kind === 'incoming' || event.kind === 'status') return false
  const said = /^\d+/.exec(sequence)?.[0]
  return said !== undefined && Number(said) !== turn
}

export function withoutCards(event: HookCall['event']): { event: HookCall['event']; hasCard: boolean } {
  if (event.kind === 'speech') {
    const text = cutCards(event.text)
    return { event: { ...event, text }, hasCard: text.includes(CUT_CARD) }
  }
  if (event.kind !== 'digits') return { event, hasCard: false }
  const digits = cutCards(event.digits)
  return { event: { ...event, digits }, hasCard: digits.includes(CUT_CARD) }
}
