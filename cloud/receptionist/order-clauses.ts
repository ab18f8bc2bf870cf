// Cuts what a caller said into clauses: what is added, taken off, changed, or wished for with an item. English and Spanish. Pure.
import { FILLERS, MISHEARD_NUMBERS, withNumbers } from './order-words.ts'
import type { SpokenLanguage } from './profile.ts'
import { type MenuEntry, stem, type VoiceMenu, wordsOf } from './voice-menu.ts'

/** What was said of one utterance is not longer. */
const MOST_WORDS = 120

/** A word, or the whole name of an entry of the menu that was said as it stands. */
export type Token = string | MenuEntry

/** `remove-too`: behind an `and` after what is removed. `put`: said with a verb, such as "add", so that it may be about an item of the order. */
type Lead = 'add' | 'put' | 'remove' | 'remove-too' | 'set' | 'without' | 'with'

export interface Clause {
  lead: Lead
  /** Of `with` and `without`: how many pieces have it. */
  qty: number | null
  tokens: Token[]
}

const LEADS: Readonly<Record<SpokenLanguage, Readonly<Record<string, Lead>>>> = {
  en: {
    ...{
      remove: 'remove',
      delete: 'remove',
      drop: 'remove',
      cancel: 'remove',
      scratch: 'remove',
      minus: 'remove',
      skip: 'remove',
    },
    ...{ make: 'set', change: 'set', actually: 'set', switch: 'set', wait: 'set' },
    ...{ swap: 'set', replace: 'set', exchange: 'set', only: 'set', just: 'set' },
    ...{ no: 'without', without: 'without', hold: 'without', not: 'without' },
    ...{ with: 'with', extra: 'with', add: 'put' },
  },
  es: {
    ...{ quita: 'remove', quite: 'remove', quitar: 'remove', quitame: 'remove', quiteme: 'remove', saca: 'remove' },
    ...{ elimina: 'remove', elimine: 'remove', borra: 'remove', borre: 'remove', cancela: 'remove', cancele: 'remove' },
    ...{ cambia: 'set', cambie: 'set', sean: 'set', mejor: 'set', haz: 'set', perdon: 'set', espera: 'set' },
    ...{ solo: 'set', solamente: 'set', dije: 'set' },
    ...{ sin: 'without', no: 'without', con: 'with', extra: 'with', agrega: 'put', anade: 'put', agregue: 'put' },
    ...{ anada: 'put', agregame: 'put', agregale: 'put', anadele: 'put', pongale: 'put', ponle: 'put' },
  },
}
/** Of several words: `take off the fries`, `leave out the onions`. */
const PHRASES: readonly (readonly [words: string, lead: Lead])[] = [
  ['don t cancel', 'put'],
  ['do not cancel', 'put'],
  ['no cancele', 'put'],
  ['no lo cancele', 'put'],
  ['i don t want', 'remove'],
  ['don t want', 'remove'],
  ['do not want', 'remove'],
  ['don t add', 'remove'],
  ['don t put', 'remove'],
  ['don t give me', 'remove'],
  ['do not add', 'remove'],
  ['no me ponga', 'remove'],
  ['no me pongas', 'remove'],
  ['no ponga', 'remove'],
  ['no pongas', 'remove'],
  ['i said', 'set'],
  ['take off', 'remove'],
  ['take out', 'remove'],
  ['take away', 'remove'],
  ['never mind', 'remove'],
  ['nevermind', 'remove'],
  ['forget about', 'remove'],
  ['forget', 'remove'],
  ['instead of', 'remove'],
  ['rather than', 'remove'],
  ['no quiero', 'remove'],
  ['olvida', 'remove'],
  ['olvide', 'remove'],
  ['en vez de', 'remove'],
  ['en lugar de', 'remove'],
  ['no more', 'remove'],
  ['leave off', 'without'],
  ['leave out', 'without'],
  ['i mean', 'set'],
  ['i meant', 'set'],
  ['no wait', 'set'],
  ['no sorry', 'set'],
  ['no perdon', 'set'],
  ['no espera', 'set'],
  ['quiero decir', 'set'],
]
const SEPARATORS: Readonly<Record<SpokenLanguage, ReadonlySet<string>>> = {
  en: new Set(['and', 'plus', 'also', 'then', 'but']),
  es: new Set(['y', 'e', 'mas', 'tambien', 'ademas', 'pero']),
}
/** Before the item that a wish is for: `no onions on the burger`. */
export const AIMS: Readonly<Record<SpokenLanguage, ReadonlySet<string>>> = {
  en: new Set(['on', 'to', 'in', 'for', 'from']),
  es: new Set(['en', 'a', 'al', 'para', 'de', 'del']),
}
/** Between what is changed and what it becomes: `change the fries to a salad`. */
export const INTO: Readonly<Record<SpokenLanguage, ReadonlySet<string>>> = {
  en: new Set(['to', 'into', 'for', 'with']),
  es: new Set(['por', 'a', 'en']),
}
export const EVERYTHING: Readonly<Record<SpokenLanguage, ReadonlySet<string>>> = {
  en: new Set(['everything', 'all']),
  es: new Set(['todo', 'todos', 'todas']),
}
/** Before an item that is in the order already: `the burger without onions`. */
export const DEFINITE: Readonly<Record<SpokenLanguage, ReadonlySet<string>>> = {
  en: new Set(['the', 'my', 'that', 'on', 'for']),
  es: new Set(['el', 'la', 'los', 'las', 'mi', 'en']),
}
/** `I want fries` and `one more burger` add, whatever was said before. */
export const WANTS: ReadonlySet<string> = new Set(
  'want like get have give need quiero quisiera dame deme ponme pongame'.split(' '),
)
export const MORE: ReadonlySet<string> = new Set(['more', 'another', 'mas', 'otro', 'otra'])

export const hasWord = (tokens: readonly Token[], words: ReadonlySet<string>): boolean =>
  tokens.some((token) => typeof token === 'string' && words.has(token))

/** Words that make a sentence of "no": `no I want three` takes nothing away. */
const STARTS_SENTENCE = new Set('i we you it that this quiero yo me es problem problema rush'.split(' '))

/** Whole names first, so that their "and" and their numbers separate nothing. */
export function tokensOf(text: string, menu: VoiceMenu, language: SpokenLanguage): Token[] {
  // A pause is heard as a comma; the decimal point of a price is none.
  const parts = text.split(/[,;.!?](?!\d)/).map((part) => verbsTogether(wordsOf(part)))
  return parts.flatMap((words, index): Token[] => {
    const named = withNames(words.slice(0, MOST_WORDS), menu)
    const separator = index === 0 ? [] : [SEPARATOR]
    return [...separator, ...numbersIn(named, language)]
  })
}

const SEPARATOR = ','

/** `take the fries off` is `take off the fries`, `take the onions off the burger` is `without the onions on the burger`. */
function verbsTogether(words: readonly string[]): string[] {
  const text = words
    .join(' ')
    .replace(/\b(?:take|leave) (.+?) (?:off|out|from)(?: of)? (?=(?:the|my|that|one|both|it)\b)/, 'without $1 on ')
    .replace(/\b(take|leave) (.+?) (off|out|away)\b/, '$1 $3 $2')
  return text === '' ? [] : text.split(' ')
}

function withNames(words: readonly string[], menu: VoiceMenu): Token[] {
  const stems = words.map(stem)
  const out: Token[] = []
  for (let at = 0; at < words.length; ) {
    const name = menu.names.find((one) => one.stems.every((part, i) => stems[at + i] === part))
    // `medium rare` is not `rare`.
    const isOther = name?.entry.kind === 'modifier' && words[at - 1] === 'medium'
    out.push((isOther ? undefined : name?.entry) ?? words[at] ?? '')
    at += isOther ? 1 : (name?.stems.length ?? 1)
  }
  return out
}

/** Numbers of the words between names. */
function numbersIn(tokens: readonly Token[], language: SpokenLanguage): Token[] {
  const out: Token[] = []
  let words: string[] = []
  const flush = () => {
    out.push(...withNumbers(words, language))
    words = []
  }
  for (const token of tokens) {
    if (typeof token === 'string') words.push(token)
    else {
      flush()
      out.push(token)
    }
  }
  flush()
  return out
}

export function clausesOf(tokens: readonly Token[], language: SpokenLanguage): Clause[] {
  const clauses: Clause[] = []
  let clause: Clause = { lead: 'add', qty: null, tokens: [] }
  const begin = (lead: Lead, qty: number | null = null) => {
    if (clause.tokens.length > 0 || clause.qty !== null) clauses.push(clause)
    clause = { lead, qty, tokens: [] }
  }
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] ?? ''
    const next = tokens[at + 1]
    const phrase = phraseAt(tokens, at)
    // `no wait, one burger`: the pause ends nothing.
    const isOpen = clause.lead === 'set' && clause.tokens.length === 0 && clause.qty === null
    if (typeof token !== 'string') clause.tokens.push(token)
    else if (phrase !== null) {
      begin(phrase.lead)
      at += phrase.length - 1
    } else if (token === SEPARATOR || SEPARATORS[language].has(token)) {
      if (!isOpen)
        begin(token !== SEPARATOR && clause.lead === 'remove' && clause.tokens.length > 0 ? 'remove-too' : 'add')
    } else if (token === 'not' && isNumber(next) && clause.lead === 'add' && clause.qty !== null) {
      // `one burger, not two` corrects.
      clause.lead = 'set'
      at++
    } else if (isLead(token, next, language)) {
      // `one with cheese`: the number counts the pieces that have it.
      const pieces = clause.lead === 'add' && isBeginning(clause, language) ? clause.qty : null
      if (pieces !== null) clause = { lead: 'add', qty: null, tokens: [] }
      begin(LEADS[language][token] ?? 'add', pieces)
    } else if (isNumber(token)) {
      // `make that three`: the number belongs to the verb; `burger, two cokes`: it begins the next item.
      const isOfVerb = (clause.lead === 'set' || clause.lead === 'remove') && clause.qty === null
      if (isOfVerb || isAimed(clause, language)) clause.qty = Number(token)
      else begin('add', Number(token))
    } else if (LESS.has(token) && clause.lead === 'add' && clause.qty !== null) {
      // `one less burger`, `una hamburguesa menos`
      clause.lead = 'remove'
    } else if (isNo(token)) {
      // `no, one burger` corrects.
      if (next === SEPARATOR) begin('set')
    } else if (token in MISHEARD_NUMBERS && isBeginning(clause, language) && namesItem(next)) {
      if (clause.qty === null) clause.qty = MISHEARD_NUMBERS[token] ?? 1
    } else clause.tokens.push(token)
  }
  begin('add')
  return clauses
}

function phraseAt(tokens: readonly Token[], at: number): { lead: Lead; length: number } | null {
  for (const [text, lead] of PHRASES) {
    const words = text.split(' ')
    if (words.every((word, index) => tokens[at + index] === word)) return { lead, length: words.length }
  }
  return null
}

function isLead(token: string, next: Token | undefined, language: SpokenLanguage): boolean {
  if (LEADS[language][token] === undefined) return false
  return (
    !isNo(token) ||
    (next !== undefined && next !== SEPARATOR && !(typeof next === 'string' && STARTS_SENTENCE.has(next)))
  )
}

/** `no onions on one of them`: the number counts the pieces that it is for. */
function isAimed({ lead, qty, tokens }: Clause, language: SpokenLanguage): boolean {
  const last = tokens.at(-1)
  const hasModifier = tokens.some((one) => typeof one === 'object' && one.kind === 'modifier')
  const isWish = lead === 'with' || lead === 'without' || lead === 'put' || hasModifier
  return isWish && qty === null && tokens.length > 1 && typeof last === 'string' && AIMS[language].has(last)
}

const LESS = new Set(['less', 'fewer', 'menos'])
const isNo = (token: string): boolean => token === 'no' || token === 'not'
const isNumber = (token: Token | undefined): boolean => typeof token === 'string' && /^\d{1,4}$/.test(token)
const namesItem = (token: Token | undefined): boolean => typeof token === 'object' && token.kind === 'item'

/** Only fillers so far. */
function isBeginning({ tokens }: Clause, language: SpokenLanguage): boolean {
  return tokens.every((token) => typeof token === 'string' && FILLERS[language].has(token))
}

/** `on one of them`, `on it`, `en una`. */
export function isOfThem(tokens: readonly Token[]): boolean {
  return tokens.every((token) => typeof token === 'string' && THEM.has(token))
}
const THEM = new Set([
  'it',
  'that',
  'them',
  'those',
  'of',
  'the',
  'both',
  'all',
  'one',
  '1',
  'ese',
  'esa',
  'ellas',
  'ellos',
])
