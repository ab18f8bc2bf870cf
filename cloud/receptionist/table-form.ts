// The request for a table: name, number of people, day and time, telephone number, each asked for until it is known.
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import type { CallFacts, CallPlace, CallState, Move } from './call-state.ts'
import { handOver, hear } from './moves.ts'
import { isYes } from './order-words.ts'
import { numberIn, plain, type SpokenWords, spokenNumber } from './words/spoken-words.ts'
import { wordsIn } from './words/words-in.ts'

type Table = NonNullable<CallState['table']>

const EMPTY: Table = { name: null, party: null, wanted: null }
const MOST_PEOPLE = 99
const MOST_CHARACTERS = 120

/** What was said already counts: "a table for four at seven". */
export function startTable(state: CallState, said: string, facts: CallFacts): Move {
  const words = wordsIn(facts.language)
  const text = plain(said)
  const table = { ...EMPTY, party: partyOf(words, text), wanted: whenOf(words, text) }
  return ask({ ...state, table }, facts, [])
}

/** Asks for the first thing that is missing. */
export function ask(state: CallState, facts: CallFacts, before: readonly string[]): Move {
  const words = wordsIn(facts.language)
  const { name, party, wanted } = state.table ?? EMPTY
  const at = (place: CallPlace, question: string): Move => hear({ ...state, place }, facts, [...before, question])
  if (name === null) return at('table-name', words.tableName)
  if (party === null) return at('table-party', words.tableParty)
  if (wanted === null) return at('table-time', words.tableTime)
  return at('table-number', words.tableNumber(facts.from !== null))
}

/** @param said words, or digits that were pressed */
export function continueTable(state: CallState, said: string, facts: CallFacts): Move {
  const words = wordsIn(facts.language)
  const table = state.table ?? EMPTY
  const known = state.place === 'table-number' ? null : filled(state.place, { table, said, words })
  if (known !== null) return ask({ ...state, table: known, silences: 0, misunderstood: 0 }, facts, [])
  const { name, party, wanted } = table
  if (state.place === 'table-number' && name !== null && party !== null && wanted !== null) {
    const phone = phoneOf(said, facts, words)
    if (phone !== null) return done(state, { name, party, wanted, phone }, facts)
  }
  const counted = { ...state, misunderstood: state.misunderstood + 1, silences: 0 }
  if (counted.misunderstood >= 2) return handOver(counted, facts, [words.notUnderstood])
  return ask(counted, facts, [words.notUnderstood])
}

function done(
  state: CallState,
  table: { name: string; party: number; wanted: string; phone: string },
  facts: CallFacts,
): Move {
  const { tableDone, anythingElse } = wordsIn(facts.language)
  const after: CallState = { ...state, place: 'menu', table: null, isTableAsked: true, silences: 0, misunderstood: 0 }
  return { ...hear(after, facts, [tableDone(table), anythingElse]), effects: [{ do: 'table', ...table }] }
}

/** The form with what was said in this place; null: it was not understood. */
function filled(
  place: CallPlace,
  { table, said, words }: { table: Table; said: string; words: SpokenWords },
): Table | null {
  const text = plain(said)
  if (place === 'table-name') {
    const name = nameOf(said, words)
    return name === null ? null : { ...table, name }
  }
  if (place === 'table-party') {
    const number = partyOf(words, text) ?? numberIn(words, text)
    return number === null || number < 1 || number > MOST_PEOPLE
      ? null
      : { ...table, party: number, wanted: table.wanted ?? whenOf(words, text) }
  }
  // In the caller's words: a person reads them. One digit of the keypad says nothing.
  return text.length < 2 ? null : { ...table, wanted: said.trim().slice(0, MOST_CHARACTERS) }
}

function nameOf(said: string, { means }: SpokenWords): string | null {
  const text = plain(said)
  const bare = text.replace(means.beforeName, '')
  const count = bare.split(' ').length
  // As it was said, with its accents: the last words of the sentence.
  const name = said
    .trim()
    .replaceAll(/[.,!?¡¿]+/g, '')
    .split(/\s+/)
    .slice(-count)
    .join(' ')
  return /\p{L}{2}/u.test(bare) ? name.slice(0, MOST_CHARACTERS) : null
}

function partyOf(words: SpokenWords, text: string): number | null {
  if (words.means.onlyMe.test(text)) return 1
  const match = words.means.party.exec(text)
  const number = match === null ? null : numberIn(words, match[1] ?? match[2] ?? '')
  return number !== null && number >= 1 && number <= MOST_PEOPLE ? number : null
}

function whenOf({ means }: SpokenWords, text: string): string | null {
  return means.when.exec(text)?.[0].slice(0, MOST_CHARACTERS) ?? null
}

/** In E.164. A plain yes, or "this number", is the number that the call comes from. */
function phoneOf(said: string, { from, to, language }: CallFacts, words: SpokenWords): string | null {
  const text = plain(said)
  const spoken = digitsIn(text, words)
  if (spoken.length >= 7) {
    const country = parsePhoneNumberFromString(to)?.country
    const number = parsePhoneNumberFromString(spoken, country === undefined ? {} : { defaultCountry: country })
    return number?.isPossible() === true ? number.number : null
  }
  if (from === null || /[?¿]/.test(said)) return null
  const { thisNumber } = words.means
  const rest = text.replace(thisNumber, ' ').trim()
  return isYes(rest, language) || (rest === '' && thisNumber.test(text)) ? from : null
}

/** `two one two`, `oh one`, `seventy seven`: as a telephone number is said. */
function digitsIn(text: string, { numbers }: SpokenWords): string {
  const parts = text.split(' ')
  let digits = ''
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] ?? ''
    const said = spokenNumber(numbers, [part, parts[at + 1] ?? ''])
    if (said !== null) {
      digits += said.value
      at += said.words - 1
    }
    // Before the first digit it is a cry.
    else if (digits !== '' && (part === 'oh' || part === 'o')) digits += '0'
    else digits += part.replaceAll(/\D/g, '')
  }
  return digits
}
