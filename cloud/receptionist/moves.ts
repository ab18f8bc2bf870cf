// The moves that every part of a conversation ends with: listening, a person, the voicemail, the end.
import type { CallStep } from '#cloud/telephony/telephony.ts'
import { transferNumber } from './allowed-numbers.ts'
import type { CallFacts, CallOutcome, CallState, CallStatus, Move } from './call-state.ts'
import type { SpokenLanguage } from './profile.ts'
import { wordsIn } from './words/words-in.ts'

/** How long a person's telephone rings. */
export const DIAL_SECONDS = 20
/** The longest message. */
const RECORD_SECONDS = 120

export function say(...texts: readonly string[]): CallStep[] {
  return texts.filter((text) => text !== '').map((text) => ({ do: 'say', text }))
}

/** Says this and listens. */
export function hear(state: CallState, { hints }: CallFacts, texts: readonly string[]): Move {
  const status: CallStatus = 'in_progress'
  // A party may be of twelve, and a telephone number has more.
  const digits = state.place === 'table-party' || state.place === 'table-number' ? 'several' : true
  return {
    state: { ...state, status, turn: state.turn + 1 },
    steps: [{ do: 'gather', say: texts.filter((text) => text !== ''), hints, digits }],
    effects: [],
  }
}

/** To a person where one may be called now, else to the voicemail. */
export function handOver(state: CallState, facts: CallFacts, before: readonly string[]): Move {
  const words = wordsIn(facts.language)
  const { profile, isOpen, to } = facts
  const number = profile.transfer?.onlyInHours && !isOpen ? null : transferNumber(profile, to)
  if (number === null) return toVoicemail(state, facts, [...before, words.nobodyNow])
  return {
    state: {
      ...state,
      status: 'transferring',
      place: 'transfer',
      thinking: null,
      transferredTo: number,
      turn: state.turn + 1,
    },
    steps: [
      ...say(...before, words.transferring),
      { do: 'dial', to: number, seconds: DIAL_SECONDS, whisper: words.whisper },
    ],
    effects: [],
  }
}

/**
 * What follows the recording is run when nothing was said. Where nothing is recorded the caller hears that nobody can take a message, and
 * the call ends.
 */
export function toVoicemail(state: CallState, { language, profile }: CallFacts, before: readonly string[]): Move {
  const words = wordsIn(language)
  if (profile.recording.mode === 'off') {
    const over = end({ ...state, transferredTo: null }, { status: 'completed', outcome: unansweredOf(state) })
    return { ...over, steps: [...say(...before, words.noMessages, words.goodbye), ...over.steps] }
  }
  return {
    state: { ...state, status: 'voicemail', place: 'voicemail', thinking: null, turn: state.turn + 1 },
    steps: [...say(...before, words.leaveMessage), { do: 'record', seconds: RECORD_SECONDS }, { do: 'hangup' }],
    effects: [],
  }
}

/** Of a call that wanted a person at its end: what was done before counts. */
function unansweredOf({ orderId, isTableAsked }: CallState): CallOutcome {
  if (orderId !== null) return 'ordered'
  return isTableAsked ? 'table' : 'not-answered'
}

export function end(state: CallState, { status, outcome }: { status: CallStatus; outcome: CallOutcome }): Move {
  return {
    state: { ...state, status, place: 'over', outcome, thinking: null, turn: state.turn + 1 },
    steps: [{ do: 'hangup' }],
    effects: [],
  }
}

/** When a call cannot go on: to a person where there is a number, and nothing more is asked of us. */
export function sorry(language: SpokenLanguage, to: string | null): CallStep[] {
  const { fault, faultTransfer } = wordsIn(language)
  if (to === null) return [...say(fault), { do: 'hangup' }]
  return [...say(faultTransfer), { do: 'dial', to, seconds: DIAL_SECONDS, whisper: null, isUntold: true }]
}

/** The digits, and that one may speak. */
export function menuOf({ profile, language }: CallFacts): string[] {
  const { menu, askFreely, howCanIHelp } = wordsIn(language)
  return profile.menu.length === 0 ? [howCanIHelp] : [menu(profile.menu), askFreely]
}
