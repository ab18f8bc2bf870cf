// Understands orders by the names of the menu, without a model: numbers, items, "no onions", "make that three", "remove the fries". Pure.
import type { OrderCommand } from './order-draft.ts'
import type { OrderDraft } from './order-taker.ts'
import { FILLERS, MISHEARD_NUMBERS, withNumbers } from './order-words.ts'
import type { SpokenLanguage } from './profile.ts'
import { type MenuEntry, stem, type VoiceMenu, wordsOf } from './voice-menu.ts'

/** What was said of one utterance is not longer. */
const MOST_WORDS = 120

export interface Understanding {
  draft: OrderDraft
  menu: VoiceMenu
  language: SpokenLanguage
  words: string
}

/** A word, or the whole name of an entry of the menu that was said as it stands. */
type Token = string | MenuEntry

type Lead = 'add' | 'remove' | 'set' | 'without' | 'with'

interface Clause {
  lead: Lead
  qty: number | null
  tokens: Token[]
}

const LEADS: Readonly<Record<SpokenLanguage, Readonly<Record<string, Lead>>>> = {
  en: {
    ...{ remove: 'remove', delete: 'remove', drop: 'remove', cancel: 'remove', scratch: 'remove', minus: 'remove' },
    ...{ make: 'set', change: 'set', actually: 'set', switch: 'set' },
    ...{ no: 'without', without: 'without', hold: 'without', not: 'without' },
    ...{ with: 'with', extra: 'with', add: 'add' },
  },
  es: {
    ...{ quita: 'remove', quite: 'remove', quitar: 'remove', quitame: 'remove', quiteme: 'remove', saca: 'remove' },
    ...{ elimina: 'remove', elimine: 'remove', borra: 'remove', borre: 'remove', cancela: 'remove', cancele: 'remove' },
    ...{ cambia: 'set', cambie: 'set', sean: 'set', mejor: 'set', haz: 'set' },
    ...{ sin: 'without', no: 'without', con: 'with', extra: 'with', agrega: 'add', anade: 'add', agregue: 'add' },
  },
}
/** In two words: `take off the fries`, `leave out the onions`. */
const TWO_WORDS: Readonly<Record<string, Lead>> = {
  'take off': 'remove',
  'take out': 'remove',
  'take away': 'remove',
  'leave off': 'without',
  'leave out': 'without',
  'no quiero': 'remove',
  'no more': 'remove',
}
const SEPARATORS: Readonly<Record<SpokenLanguage, ReadonlySet<string>>> = {
  en: new Set(['and', 'plus', 'also', 'then', 'but']),
  es: new Set(['y', 'e', 'mas', 'tambien', 'ademas', 'pero']),
}
/** Between what is changed and what it becomes: `change the fries to a salad`. */
const INTO: Readonly<Record<SpokenLanguage, ReadonlySet<string>>> = {
  en: new Set(['to', 'into', 'for', 'with']),
  es: new Set(['por', 'a', 'en']),
}
const EVERYTHING: Readonly<Record<SpokenLanguage, ReadonlySet<string>>> = {
  en: new Set(['everything', 'all']),
  es: new Set(['todo', 'todos', 'todas']),
}
/** Words that make a sentence of "no": `no I want three` takes nothing away. */
const STARTS_SENTENCE = new Set('i we you it that this quiero yo me es'.split(' '))
const ORDINALS: Readonly<Record<string, number>> = {
  first: 0,
  second: 1,
  third: 2,
  fourth: 3,
  last: -1,
  primero: 0,
  primera: 0,
  segundo: 1,
  segunda: 1,
  tercero: 2,
  tercera: 2,
  cuarto: 3,
  ultimo: -1,
  ultima: -1,
}
const NAME =
  /\b(?:my name is|the name is|name is|under the name(?: of)?|me llamo|mi nombre es|a nombre de)\s+([\p{L}\p{M}'’. -]{1,60})/iu

/** @returns what the words mean for the draft; empty: nothing was understood */
export function understand({ draft, menu, language, words }: Understanding): OrderCommand[] {
  const name = NAME.exec(words)
  const rest = name === null ? words : words.replace(name[0], ' ')
  const tokens = tokensOf(rest, menu, language)
  const reading = new Reading(draft, menu, language)
  const answer = reading.answerOf(tokens)
  if (answer !== null) return answer
  for (const clause of clausesOf(tokens, language)) reading.read(clause)
  const named: OrderCommand[] =
    name?.[1] === undefined ? [] : [{ do: 'name', name: name[1].split(/ (?:and|y) /)[0] ?? '' }]
  return [...named, ...reading.commands]
}

/** Whole names first, so that their "and" and their numbers separate nothing. */
function tokensOf(text: string, menu: VoiceMenu, language: SpokenLanguage): Token[] {
  // A pause is heard as a comma; the decimal point of a price is none.
  const parts = text.split(/[,;.!?](?!\d)/).map((part) => verbsTogether(wordsOf(part)))
  return parts.flatMap((words, index): Token[] => {
    const named = withNames(words.slice(0, MOST_WORDS), menu)
    const separator = index === 0 ? [] : [SEPARATOR]
    return [...separator, ...numbersIn(named, language)]
  })
}

const SEPARATOR = ','

/** `take the fries off` is `take off the fries`. */
function verbsTogether(words: readonly string[]): string[] {
  const text = words.join(' ').replace(/\b(take|leave) (.+?) (off|out|away)\b/, '$1 $3 $2')
  return text === '' ? [] : text.split(' ')
}

function withNames(words: readonly string[], menu: VoiceMenu): Token[] {
  const stems = words.map(stem)
  const out: Token[] = []
  for (let at = 0; at < words.length; ) {
    const name = menu.names.find((one) => one.stems.every((part, i) => stems[at + i] === part))
    out.push(name?.entry ?? words[at] ?? '')
    at += name?.stems.length ?? 1
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

function clausesOf(tokens: readonly Token[], language: SpokenLanguage): Clause[] {
  const clauses: Clause[] = []
  let clause: Clause = { lead: 'add', qty: null, tokens: [] }
  const begin = (lead: Lead, qty: number | null = null) => {
    if (clause.tokens.length > 0 || clause.qty !== null || clause.lead === 'set') clauses.push(clause)
    clause = { lead, qty, tokens: [] }
  }
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] ?? ''
    const next = tokens[at + 1]
    if (typeof token !== 'string') clause.tokens.push(token)
    else if (typeof next === 'string' && TWO_WORDS[`${token} ${next}`] !== undefined) {
      begin(TWO_WORDS[`${token} ${next}`] ?? 'add')
      at++
    } else if (token === SEPARATOR || SEPARATORS[language].has(token)) begin('add')
    else if (LEADS[language][token] !== undefined && !startsSentence(token, next)) {
      // `one with cheese`: the number counts the pieces that have it.
      const pieces = clause.lead === 'add' && isBeginning(clause, language) ? clause.qty : null
      if (pieces !== null) clause = { lead: 'add', qty: null, tokens: [] }
      begin(leadOf(token, language), pieces)
    } else if (isNumber(token)) {
      // `make that three`: the number belongs to the verb; `burger, two cokes`: it begins the next item.
      const isOfVerb = (clause.lead === 'set' || clause.lead === 'remove') && clause.qty === null
      if (isOfVerb) clause.qty = Number(token)
      else begin('add', Number(token))
    } else if (token in MISHEARD_NUMBERS && isBeginning(clause, language) && namesItem(next)) {
      if (clause.qty === null) clause.qty = MISHEARD_NUMBERS[token] ?? 1
    } else clause.tokens.push(token)
  }
  begin('add')
  return clauses
}

const isNumber = (token: string): boolean => /^\d{1,4}$/.test(token)
const namesItem = (token: Token | undefined): boolean => typeof token === 'object' && token.kind === 'item'
const leadOf = (token: string, language: SpokenLanguage): Lead => LEADS[language][token] ?? 'add'
const startsSentence = (token: string, next: Token | undefined): boolean =>
  (token === 'no' || token === 'not') && (next === undefined || (typeof next === 'string' && STARTS_SENTENCE.has(next)))

/** Only fillers so far. */
function isBeginning({ tokens }: Clause, language: SpokenLanguage): boolean {
  return tokens.every((token) => typeof token === 'string' && FILLERS[language].has(token))
}

/** One utterance: what was said so far of it decides what "no onions" belongs to. */
class Reading {
  readonly commands: OrderCommand[] = []
  readonly #draft: OrderDraft
  readonly #menu: VoiceMenu
  readonly #language: SpokenLanguage

  constructor(draft: OrderDraft, menu: VoiceMenu, language: SpokenLanguage) {
    this.#draft = draft
    this.#menu = menu
    this.#language = language
  }

  /** To "which one?". Null: it is no answer. */
  answerOf(tokens: readonly Token[]): OrderCommand[] | null {
    const { question } = this.#draft
    if (question === null) return null
    const { candidates, qty, modifiers, note } = question
    const add = (umsId: string): OrderCommand[] => [{ do: 'add', umsId, qty, modifiers, note }]
    const ids = new Set(candidates.map(({ umsId }) => umsId))
    const said = tokens.find((token) => typeof token === 'object' && ids.has(token.umsId)) as MenuEntry | undefined
    if (said !== undefined) return add(said.umsId)
    const words = tokens.filter((token) => typeof token === 'string')
    const ordinal = words.map((word) => ORDINALS[word]).find((index) => index !== undefined)
    const byOrdinal = ordinal === undefined ? undefined : candidates.at(ordinal)
    const heard = this.#menu.find(this.#meaning(words), 'item', ids)
    if (heard?.candidates.length === 1) return add(heard.entry.umsId)
    return byOrdinal === undefined ? null : add(byOrdinal.umsId)
  }

  read(clause: Clause): void {
    switch (clause.lead) {
      case 'remove':
        return void this.#remove(clause)
      case 'set':
        return void this.#set(clause)
      case 'without':
        return void this.#without(clause)
      case 'with':
        return void this.#with(clause)
      case 'add':
        return void this.#add(clause)
    }
  }

  #add({ qty, tokens }: Clause): void {
    const words = this.#meaning(tokens)
    const ofMenu = tokens.filter((token) => typeof token === 'object')
    for (const [index, entry] of ofMenu.entries()) {
      if (entry.kind === 'item') this.#push({ do: 'add', umsId: entry.umsId, ...plain(index === 0 ? qty : null) })
      else this.#modify({ modifiers: [entry.umsId], note: null }, qty)
    }
    if (ofMenu.length > 0 || words.length === 0) return
    const heard = this.#menu.find(words, 'item')
    const last = this.commands.at(-1)
    if (heard === null) return void this.#modifierOr(words, qty)
    const umsIds = heard.candidates.map(({ umsId }) => umsId)
    // `mac and cheese`, heard as two: both halves name one item.
    if (qty === null && last?.do === 'add' && umsIds.includes(last.umsId)) return
    if (umsIds.length === 1) this.#push({ do: 'add', umsId: heard.entry.umsId, ...plain(qty) })
    else this.#push({ do: 'which', umsIds, ...plain(qty) })
  }

  #modifierOr(words: string[], qty: number | null): void {
    const heard = this.#menu.find(words, 'modifier')
    if (heard !== null && this.#hasTarget()) this.#modify({ modifiers: [heard.entry.umsId], note: null }, qty)
    else this.#push({ do: 'unknown', words: words.join(' ') })
  }

  #with({ qty, tokens }: Clause): void {
    const modifiers = tokens.filter((token) => typeof token === 'object' && token.kind === 'modifier') as MenuEntry[]
    if (modifiers.length > 0)
      return void this.#modify({ modifiers: modifiers.map(({ umsId }) => umsId), note: null }, qty)
    if (tokens.some((token) => typeof token === 'object')) return void this.#add({ lead: 'add', qty, tokens })
    const words = this.#meaning(tokens)
    if (words.length === 0) return
    const heard = this.#menu.find(words, 'modifier')
    if (heard !== null && this.#hasTarget()) this.#modify({ modifiers: [heard.entry.umsId], note: null }, qty)
    else this.#add({ lead: 'add', qty, tokens })
  }

  #without({ qty, tokens }: Clause): void {
    const words = this.#meaning(tokens)
    const isFirst = this.commands.length === 0
    const line = isFirst ? this.#lineOf(tokens) : null
    if (line !== null) return void this.#push({ do: 'remove', line, qty: null })
    if (words.length === 0 || !this.#hasTarget()) return
    const said = tokens.filter((token) => typeof token === 'string').join(' ')
    const heard = this.#menu.find(words, 'modifier')
    const isNamed = heard?.candidates.length === 1 && /^(no|sin|without)\b/i.test(heard.entry.name)
    if (isNamed) return void this.#modify({ modifiers: [heard.entry.umsId], note: null }, qty)
    this.#modify({ modifiers: [], note: `${this.#language === 'es' ? 'sin' : 'no'} ${withoutArticle(said)}` }, qty)
  }

  #remove({ qty, tokens }: Clause): void {
    if (tokens.some((token) => typeof token === 'string' && EVERYTHING[this.#language].has(token)))
      return void this.#push({ do: 'clear' })
    const line = this.#lineOf(tokens)
    if (line !== null) return void this.#push({ do: 'remove', line, qty })
    const words = this.#meaning(tokens)
    if (words.length === 0 && this.#draft.lines.length > 0) return void this.#push({ do: 'remove', line: -1, qty })
    // `remove the onions`: it is no line, so it is about the last one.
    if (words.length > 0 && this.#menu.find(words, 'item') === null)
      return void this.#without({ lead: 'without', qty: null, tokens })
    this.#push({ do: 'unknown', words: words.join(' ') })
  }

  #set({ qty, tokens }: Clause): void {
    const into = tokens.findIndex((token) => typeof token === 'string' && INTO[this.#language].has(token))
    const right = into < 0 ? [] : tokens.slice(into + 1)
    const left = into < 0 ? tokens : tokens.slice(0, into)
    const line = this.#lineOf(left)
    const becomes = this.#itemOf(right)
    if (line !== null && becomes !== null) {
      const old = this.#draft.lines.at(line)
      this.#push({ do: 'remove', line, qty: null })
      return void this.#push({ do: 'add', umsId: becomes.umsId, ...plain(qty ?? old?.qty ?? 1) })
    }
    if (qty !== null && line !== null) return void this.#push({ do: 'quantity', line, qty })
    if (qty !== null && this.#meaning(tokens).length === 0 && !tokens.some((token) => typeof token === 'object')) {
      const last = this.commands.at(-1)
      if (last?.do === 'add' || last?.do === 'which') this.commands[this.commands.length - 1] = { ...last, qty }
      else if (this.#draft.lines.length > 0) this.#push({ do: 'quantity', line: -1, qty })
      return
    }
    if (tokens.length > 0) this.#add({ lead: 'add', qty, tokens })
  }

  /** To the item that was just said, or to the last line. */
  #modify(change: { modifiers: string[]; note: string | null }, pieces: number | null): void {
    const last = this.commands.at(-1)
    if ((last?.do === 'add' || last?.do === 'which') && pieces === null) {
      const note = [last.note, change.note].filter((part) => part !== null).join(', ')
      const modifiers = [...last.modifiers, ...change.modifiers]
      this.commands[this.commands.length - 1] = { ...last, modifiers, note: note === '' ? null : note }
    } else this.#push({ do: 'modify', line: -1, pieces, ...change })
  }

  #hasTarget(): boolean {
    return (
      this.#draft.lines.length > 0 || this.commands.some((command) => command.do === 'add' || command.do === 'which')
    )
  }

  /** The line that these words name. Null: none, or several. */
  #lineOf(tokens: readonly Token[]): number | null {
    const ids = new Set(this.#draft.lines.map(({ umsId }) => umsId))
    const item = this.#itemOf(tokens, ids)
    const line = this.#draft.lines.findLastIndex(({ umsId }) => umsId === item?.umsId)
    return line < 0 ? null : line
  }

  #itemOf(tokens: readonly Token[], among?: ReadonlySet<string>): MenuEntry | null {
    const said = tokens.find((token) => typeof token === 'object' && token.kind === 'item') as MenuEntry | undefined
    if (said !== undefined) return among === undefined || among.has(said.umsId) ? said : null
    const heard = this.#menu.find(this.#meaning(tokens), 'item', among)
    return heard?.candidates.length === 1 ? heard.entry : null
  }

  #meaning(tokens: readonly Token[]): string[] {
    return tokens.filter((token) => typeof token === 'string' && !FILLERS[this.#language].has(token)) as string[]
  }

  #push(command: OrderCommand): void {
    this.commands.push(command)
  }
}

const plain = (qty: number | null) => ({ qty: qty ?? 1, modifiers: [], note: null })

function withoutArticle(words: string): string {
  return words.replace(/^(the|any|el|la|los|las) /, '')
}
