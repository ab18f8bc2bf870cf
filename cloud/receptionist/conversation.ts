// What a caller's words or digits lead to: a person first, whatever else is going on; then what they are asked for, what they want, what is known.
import type { CallEvent } from '#cloud/telephony/telephony.ts'
import type { CallFacts, CallState, Move } from './call-state.ts'
import { asksMenu } from './menu-questions.ts'
import { end, handOver, hear, menuOf, say, toVoicemail } from './moves.ts'
import { EMPTY_DRAFT } from './order-taker.ts'
import { continueTable, startTable } from './table-form.ts'
import { stem, wordsOf } from './voice-menu.ts'
import { numberIn, plain, type SpokenWords } from './words/spoken-words.ts'
import { wordsIn } from './words/words-in.ts'

type Input = Extract<CallEvent, { kind: 'speech' | 'digits' }>

/** A digit that leads to a person where the menu says nothing else of it. */
const PERSON_DIGIT = '0'
/** Nobody is kept from a person, nor asked for a card, because the line speaks another language. */
const ANY: readonly SpokenWords[] = [wordsIn('en'), wordsIn('es')]

export function converse(state: CallState, event: Input, facts: CallFacts): Move {
  if (event.kind === 'digits') return byDigits(state, event.digits, facts)
  const words = wordsIn(facts.language)
  const text = plain(event.text)
  if (facts.hasCard || ANY.some(({ means }) => means.payment.test(text))) return refusePayment(state, facts)
  if (wantsPerson(state, text, words)) return handOver(state, facts, [])
  if (words.means.message.test(text)) return leaveMessage(state, facts)
  if (state.place.startsWith('table-')) return continueTable(state, event.text, facts)
  if (state.place === 'order') return askOrder(state, event.text, facts)
  return inMenu(state, event.text, facts)
}

/** Twice one after another: a person. */
export function misunderstood(state: CallState, facts: CallFacts): Move {
  const { notUnderstood, howCanIHelp } = wordsIn(facts.language)
  const counted = { ...state, misunderstood: state.misunderstood + 1, silences: 0 }
  if (counted.misunderstood >= 2) return handOver(counted, facts, [notUnderstood])
  return hear(counted, facts, [notUnderstood, state.place === 'menu' ? howCanIHelp : ''])
}

/** Twice one after another: the voicemail. */
export function unheard(state: CallState, facts: CallFacts): Move {
  const { notHeard, howCanIHelp } = wordsIn(facts.language)
  const counted = { ...state, silences: state.silences + 1 }
  if (counted.silences >= 2) return toVoicemail(counted, facts, [notHeard])
  return hear(counted, facts, [notHeard, state.place === 'menu' ? howCanIHelp : ''])
}

/** "One person" is no wish for one where the size of a party is asked for. */
function wantsPerson({ place }: CallState, text: string, words: SpokenWords): boolean {
  const means = (what: 'person' | 'putThrough' | 'allergy' | 'complaint') =>
    ANY.some((one) => one.means[what].test(text))
  if (means('allergy') || means('complaint')) return true
  if (!means('person')) return false
  const isParty = place === 'table-party' || words.means.table.test(text)
  return !isParty || means('putThrough') || numberIn(words, text) === null
}

/** Whoever wishes to leave a message where none is taken may still be helped otherwise. */
function leaveMessage(state: CallState, facts: CallFacts): Move {
  if (facts.profile.recording.mode !== 'off') return toVoicemail(state, facts, [])
  const { noMessages, anythingElse } = wordsIn(facts.language)
  return hear({ ...understood(state), place: 'menu' }, facts, [noMessages, anythingElse])
}

function refusePayment(state: CallState, facts: CallFacts): Move {
  return hear(understood(state), facts, [wordsIn(facts.language).noPayment])
}

function understood(state: CallState): CallState {
  return { ...state, silences: 0, misunderstood: 0 }
}

function byDigits(state: CallState, digits: string, facts: CallFacts): Move {
  if (state.place.startsWith('table-') && digits !== PERSON_DIGIT) return continueTable(state, digits, facts)
  const entry = facts.profile.menu.find(({ digit }) => digit === digits)
  const words = wordsIn(facts.language)
  if (entry === undefined) return digits === PERSON_DIGIT ? handOver(state, facts, []) : misunderstood(state, facts)
  switch (entry.does) {
    case 'say':
      return hear({ ...understood(state), place: 'menu' }, facts, [entry.say, words.anythingElse])
    case 'transfer':
      return handOver(understood(state), facts, [])
    case 'voicemail':
      return leaveMessage(understood(state), facts)
    case 'table':
      return startTable(understood(state), '', facts)
    default:
      return startOrder(understood(state), '', facts)
  }
}

function inMenu(state: CallState, said: string, facts: CallFacts): Move {
  const { means, anythingElse, goodbye } = wordsIn(facts.language)
  const text = plain(said)
  if (means.goodbye.test(text)) {
    const over = end(state, { status: 'completed', outcome: doneOf(state) })
    return { ...over, steps: [...say(goodbye), ...over.steps] }
  }
  const { answer } = facts
  const isQuestion = means.question.test(text)
  const wanted = (): Move | null => {
    if (means.bookedTable.test(text)) return handOver(understood(state), facts, [])
    if (facts.profile.tables && means.table.test(text)) return startTable(understood(state), said, facts)
    return means.order.test(text) ? startOrder(understood(state), said, facts) : null
  }
  const answered = (): Move | null =>
    answer && {
      ...hear(understood(state), facts, [answer.say, anythingElse]),
      effects: answer.id === null ? [] : [{ do: 'hit', id: answer.id }],
    }
  // Prices and what there is are known where orders are taken.
  const about = facts.takesOrders && facts.isOpen ? asksMenu(said, facts.items, facts.language) : null
  if (about === 'item' && !means.table.test(text)) return startOrder(understood(state), said, facts)
  const move = isQuestion ? (answered() ?? wanted()) : (wanted() ?? answered())
  if (move !== null) return move
  // "Two burgers, please" says no more of an order than what is in it; a question that has one word of an item does not begin one.
  if (about === 'list' || (!isQuestion && namesItem(text, facts))) return startOrder(understood(state), said, facts)
  if (!means.repeat.test(text)) return misunderstood(state, facts)
  return hear(understood(state), facts, menuOf(facts))
}

/** Whether a word of it is one of a name on the menu. */
function namesItem(text: string, { items, language }: CallFacts): boolean {
  const { stopWords } = wordsIn(language)
  const stems = (words: string) =>
    wordsOf(words)
      .filter((word) => word.length > 3 && !stopWords.has(word))
      .map(stem)
  const names = new Set(items.flatMap(stems))
  return stems(text).some((word) => names.has(word))
}

const doneOf = ({ orderId, isTableAsked }: CallState) =>
  orderId !== null ? 'ordered' : isTableAsked ? 'table' : 'answered'

function startOrder(state: CallState, said: string, facts: CallFacts): Move {
  const words = wordsIn(facts.language)
  if (!facts.takesOrders) return handOver(state, facts, [])
  if (!facts.isOpen)
    return hear({ ...state, place: 'menu' }, facts, [words.noOrdersNow, facts.hours, words.anythingElse])
  const begun: CallState = { ...state, place: 'order', draft: state.draft ?? EMPTY_DRAFT }
  const rest = plain(said).replaceAll(words.means.aroundOrder, '').trim()
  return rest === '' ? hear(begun, facts, [words.orderStart]) : askOrder(begun, said, facts)
}

/** The answer holds until the order's part has replied: when that takes too long, the caller hears it. */
function askOrder(state: CallState, said: string, facts: CallFacts): Move {
  return {
    state: { ...state, status: 'in_progress', thinking: { words: said, sinceMs: facts.nowMs }, turn: state.turn + 1 },
    steps: [...say(wordsIn(facts.language).oneMoment), { do: 'redirect' }],
    effects: [{ do: 'ask-order', words: said }],
  }
}
