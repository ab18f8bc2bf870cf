// The call machine: what a call becomes by an event, what the caller hears, and what is done. Pure: it knows no telephone company, no clock and no database.
import type { CallStep } from '#cloud/telephony/telephony.ts'
import { transferNumber } from './allowed-numbers.ts'
import {
  type CallFacts,
  type CallOutcome,
  type CallState,
  isFinal,
  type MachineEvent,
  type Move,
} from './call-state.ts'
import { converse, misunderstood, unheard } from './conversation.ts'
import { DIAL_SECONDS, end, handOver, hear, menuOf, say, toVoicemail } from './moves.ts'
import { isAgreedBy } from './order-draft.ts'
import { isYes } from './order-words.ts'
import { ask } from './table-form.ts'
import { wordsIn } from './words/words-in.ts'

/** A conversation that is still going on after so many answers comes to a person: no caller goes round in circles. */
const MOST_TURNS = 150
/** How long what a caller ordered is thought about before the plain flow goes on. */
export const THINKING_MS = 3_000

/** @returns the same state when the call is over: nothing changes it */
export function nextMove(state: CallState, event: MachineEvent, facts: CallFacts): Move {
  if (isFinal(state.status)) return { state, steps: event.kind === 'status' ? [] : [{ do: 'hangup' }], effects: [] }
  const told = rememberWords(state, event)
  switch (event.kind) {
    case 'status':
      return byStatus(told, event.status)
    case 'incoming':
      return told.place === 'new' ? incoming({ ...told, callerName: event.callerName }, facts) : again(told, facts)
    case 'dial':
      return byDial(told, event.outcome, facts)
    case 'recorded':
      return recorded(told, event.seconds, facts)
    case 'order-reply':
      return byReply(told, event.reply, facts)
    default:
      return inConversation(told, event, facts)
  }
}

/** Of a call whose end was not heard. @param known what the telephone company says; null: nothing */
export function endedState(state: CallState, known: string | null): CallState {
  const status = known === 'completed' || known === 'missed' ? known : 'failed'
  return isFinal(state.status) ? state : byStatus(state, status).state
}

function rememberWords(state: CallState, event: MachineEvent): CallState {
  if (event.kind === 'speech') return { ...state, lastWords: event.text }
  return event.kind === 'digits' ? { ...state, lastWords: event.digits } : state
}

function incoming(state: CallState, facts: CallFacts): Move {
  const { profile, isOpen, from, to } = facts
  const words = wordsIn(facts.language)
  if (from !== null && profile.blocked.includes(from)) return reject(state, { outcome: 'blocked', reason: 'rejected' })
  // Before anything is said, recorded or dialled: each of these costs.
  if (facts.isFull) return reject(state, { outcome: 'refused', reason: 'busy' })
  const isForPeople = profile.mode === 'off' || (profile.mode === 'after-hours' && isOpen)
  const person = transferNumber(profile, to)
  if (isForPeople && person !== null) return forward(state, person)
  // Where there is no number, only a receptionist that is off says nothing.
  if (profile.mode === 'off') return reject(state, { outcome: 'not-answered', reason: 'rejected' })
  const isClosed = !isOpen && profile.afterHours === 'voicemail'
  const move =
    isForPeople || isClosed
      ? toVoicemail(state, facts, [profile.greeting, isForPeople || facts.hours === '' ? words.nobodyNow : facts.hours])
      : hear({ ...state, place: 'menu' }, facts, [profile.greeting, ...menuOf(facts)])
  // Nothing of the caller is recorded before they have heard it.
  if (profile.recording.mode !== 'whole-call') return move
  return { ...move, steps: [...say(profile.recording.consent), { do: 'record-call' }, ...move.steps] }
}

function reject(
  state: CallState,
  { outcome, reason }: { outcome: CallOutcome; reason: Extract<CallStep, { do: 'reject' }>['reason'] },
): Move {
  return { ...end(state, { status: 'missed', outcome }), steps: [{ do: 'reject', reason }] }
}

/** To the restaurant's own telephone, as if there were no receptionist. */
function forward(state: CallState, number: string): Move {
  return {
    state: { ...state, status: 'transferring', place: 'forward', transferredTo: number, turn: state.turn + 1 },
    steps: [{ do: 'dial', to: number, seconds: DIAL_SECONDS, whisper: null }],
    effects: [],
  }
}

function byStatus(state: CallState, status: Extract<MachineEvent, { kind: 'status' }>['status']): Move {
  if (status === 'ringing' || status === 'in_progress') return { state, steps: [], effects: [] }
  if (status === 'completed') return { ...end(state, { status, outcome: outcomeOf(state) }), steps: [] }
  return { ...end(state, { status, outcome: state.orderId === null ? status : 'ordered' }), steps: [] }
}

/** Of a call that the caller ended. */
function outcomeOf({ place, orderId, isTableAsked, isPickedUp }: CallState): CallOutcome {
  if (place === 'new') return 'missed'
  if (orderId !== null) return 'ordered'
  if (isTableAsked) return 'table'
  if (place === 'transfer' || place === 'forward') return isPickedUp ? 'transferred' : 'not-answered'
  // A message that was left is told of by itself.
  return place === 'voicemail' ? 'no-message' : 'answered'
}

function byDial(state: CallState, outcome: Extract<MachineEvent, { kind: 'dial' }>['outcome'], facts: CallFacts): Move {
  const isForwarded = state.place === 'forward'
  if (state.place !== 'transfer' && !isForwarded) return again(state, facts)
  const words = wordsIn(facts.language)
  if (outcome === 'answered')
    return { state: { ...state, isPickedUp: true }, steps: isForwarded ? [] : say(words.whisper), effects: [] }
  if (outcome === 'ended')
    return end(
      { ...state, isPickedUp: true },
      { status: 'completed', outcome: isForwarded ? 'forwarded' : 'transferred' },
    )
  if (isForwarded && facts.profile.mode === 'off') {
    const over = end(state, { status: 'missed', outcome: 'not-answered' })
    return { ...over, steps: [...say(words.nobodyNow), ...over.steps] }
  }
  return toVoicemail({ ...state, transferredTo: null }, facts, [words.nobodyNow])
}

function recorded(state: CallState, seconds: number, facts: CallFacts): Move {
  if (state.place !== 'voicemail') return again(state, facts)
  const words = wordsIn(facts.language)
  const outcome = seconds > 0 ? 'voicemail' : 'no-message'
  const over = end(state, { status: 'completed', outcome })
  return { ...over, steps: [...say(seconds > 0 ? words.thanksForMessage : words.goodbye), ...over.steps] }
}

function byReply(
  state: CallState,
  reply: Extract<MachineEvent, { kind: 'order-reply' }>['reply'],
  facts: CallFacts,
): Move {
  // The caller went elsewhere meanwhile.
  if (state.place !== 'order' || state.thinking === null) return again(state, facts)
  const rested = { ...state, thinking: null }
  if (reply === null) return misunderstood(rested, facts)
  const words = wordsIn(facts.language)
  const understood = { ...rested, draft: reply.draft, silences: 0, misunderstood: 0 }
  switch (reply.kind) {
    case 'asks':
      return hear(understood, facts, [reply.say])
    case 'placed':
      return hear({ ...understood, place: 'menu', orderId: reply.orderId }, facts, [reply.say, words.anythingElse])
    case 'transfer':
      return handOver(understood, facts, [reply.say])
    default:
      return hear({ ...understood, place: 'menu' }, facts, [reply.say, words.anythingElse])
  }
}

function inConversation(
  state: CallState,
  event: Extract<MachineEvent, { kind: 'speech' | 'digits' | 'silence' }>,
  facts: CallFacts,
): Move {
  if (state.place === 'new') return incoming(state, facts)
  // Words while a person's telephone rings, or a message is recorded: the caller is not left without an answer.
  if (state.place === 'transfer' || state.place === 'forward' || state.place === 'voicemail') return again(state, facts)
  if (state.turn >= MOST_TURNS) return handOver(state, facts, [])
  const isPlacing = isPlacingOrder(state, facts)
  if (event.kind !== 'silence' && !isPlacing) return converse({ ...state, thinking: null }, event, facts)
  if (state.thinking === null) return unheard(state, facts)
  // The caller is back from hearing that it takes a moment.
  const { words: thinkingOf, sinceMs } = state.thinking
  if (!isPlacing && facts.nowMs - sinceMs >= THINKING_MS) return misunderstood({ ...state, thinking: null }, facts)
  return {
    state: { ...state, turn: state.turn + 1 },
    steps: [...say(wordsIn(facts.language).stillThinking), { do: 'redirect' }],
    effects: [{ do: 'ask-order', words: thinkingOf }],
  }
}

/** A yes to what was read back is waited for, however long it takes: nothing else may be said or heard while the order may be on disk. */
function isPlacingOrder({ place, draft, thinking }: CallState, { language }: CallFacts): boolean {
  if (place !== 'order' || draft === null || thinking === null) return false
  return isAgreedBy(draft, isYes(thinking.words, language))
}

/** Says once more what the caller is asked for now: after news that do not fit, such as late ones. */
function again(state: CallState, facts: CallFacts): Move {
  const { place } = state
  if (place === 'new') return incoming(state, facts)
  if (place === 'transfer' || place === 'forward' || place === 'voicemail') return toVoicemail(state, facts, [])
  if (place.startsWith('table-')) return ask(state, facts, [])
  return hear(state, facts, [wordsIn(facts.language).anythingElse])
}
