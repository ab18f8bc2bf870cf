// Questions of callers about the menu: what something costs, whether there is any, what there is. English and Spanish. Pure: a question never changes an order.
import { orderTexts, spokenAmount } from './order-replies.ts'
import type { OrderDraft } from './order-taker.ts'
import { FILLERS, isYes, withNumbers } from './order-words.ts'
import type { SpokenLanguage } from './profile.ts'
import { type MenuEntry, stem, type VoiceMenu, wordsOf } from './voice-menu.ts'

/** More names cannot be kept in mind. */
const MOST_NAMES = 5
/** Items that one question is answered with their prices. */
const MOST_PRICES = 3
/** Questions of one turn, and words of one that may name an item: the rest is talk. */
const MOST_QUESTIONS = 3
const MOST_WORDS = 6

type Ask = 'price' | 'has' | 'list'

/** `kind`: what is between "which" and "do you have". */
const ASKS: Readonly<Record<SpokenLanguage, Readonly<Record<Ask | 'kind', RegExp>>>> = {
  en: {
    price:
      /\b(?:how (?:much|expensive) (?:is|are|for|does|do|would|will|s)|what (?:does|do|would|will)(?= .*\bcosts?\b)|what(?: s| is| are) the (?:price|cost)s?(?: of| for)?|(?:price|cost)s? (?:of|for))\b/,
    kind: /\b(?:what|which)(?: (?:kind|type|sort|flavou?r)s?(?: of)?)? (.+?) (?:(?:do|have) you|(?:is|are) there|can i (?:get|have|order))\b(?: guys)?(?: (?:have|got|sell|serve|offer))?/,
    list: /\bwhat (?:else )?(?:(?:do|can|could|would) (?:you(?: guys)? (?:have|sell|serve|offer|recommend)|(?:i|we) (?:get|order|eat|drink))|(?:have )?you got)\b|\bwhat(?: s| is| are)? (?:there|available|(?:on |in )?(?:the|your) menu)\b|\b(?:tell|read) me (?:the|your) menu\b|\bwhat are (?:the|my|your) (?:options|choices)\b/,
    has: /\b(?:do|does) (?:you|they)(?: guys| also| still)? (?:have|sell|serve|offer|carry|got)\b|\bhave you got\b|\b(?:is|are) there (?:any|an?|some)\b/,
  },
  es: {
    price:
      /\b(?:cuanto (?:cuestan?|valen?|es|son|salen?|seria)|que (?:precio|costo) tienen?|precios? del?|a cuanto (?:esta|estan|tienen?|salen?))\b/,
    kind: /\bque (?:(?:tipos?|clases?) de )?(.+?) (?:tienen?|hay|venden?|sirven)\b/,
    list: /\bque (?:mas )?(?:tienen?|hay|venden?|sirven|ofrecen|me recomiendan?)\b|\bcual es el menu\b|\b(?:digame|dime|leame) el menu\b/,
    has: /^(?:(?:hola|y|oiga|disculpe|perdon|buenas|tambien) )*(?:tienen?|tienes|venden?|sirven|hay)\b/,
  },
}
/** After a question the caller goes on to order. */
const GOES_ON: Readonly<Record<SpokenLanguage, RegExp>> = {
  en: /\b(?:i ll|i will|i d like|i would like|i want|give me|let me|can i|could i)\b/,
  es: /\b(?:quiero|quisiera|deme|dame|ponme|pongame|me da)\b/,
}
/** Beside what a question is about. */
const BESIDE = new Set(
  'any some each still today tonight left anymore available now cost costs price prices algun alguna algo cada ahora hoy disponible'.split(
    ' ',
  ),
)
/** In an answer to "Shall I add it?" that says neither yes nor no. */
const TAKES = new Set(
  'take have want like get yes yeah sure ok okay quiero si claro vale dame deme ponme pongame'.split(' '),
)

interface Asked {
  ask: Ask
  /** What it is about, in words without fillers. */
  about: string[]
  /** What was said before and after it. */
  rest: string
}

interface Questioned {
  words: string
  menu: VoiceMenu
  draft: OrderDraft
  language: SpokenLanguage
  currency: string
}

export interface MenuAnswer {
  say: string
  /** `umsId` of the one item that it was about, which can be sold; null: none, or several. */
  offered: string | null
  /** What else was said; empty: nothing. */
  rest: string
}

/** @returns null: nothing of it is a question about the menu */
export function answerMenu({ words, menu, draft, language, currency }: Questioned): MenuAnswer | null {
  const answers: Omit<MenuAnswer, 'rest'>[] = []
  const rest: string[] = []
  for (const part of partsOf(words)) {
    const asked = answers.length < MOST_QUESTIONS ? askedIn(part, language) : null
    const answer = asked && answerTo(asked, menu, { draft, language, currency })
    if (answer) answers.push(answer)
    rest.push(answer && asked ? asked.rest : part)
  }
  if (answers.length === 0) return null
  const own = rest.filter((part) => contentOf(part, language).length > 0)
  const [only, ...others] = answers
  return {
    say: answers.map(({ say }) => say).join(' '),
    offered: others.length === 0 && own.length === 0 ? (only?.offered ?? null) : null,
    rest: own.join(', '),
  }
}

/**
 * Whether a caller who has not begun an order asks about the menu.
 * @param items names of what is sold
 * @returns `item`: all that it is about are words of such names; `list`: about the menu as a whole
 */
export function asksMenu(words: string, items: readonly string[], language: SpokenLanguage): 'item' | 'list' | null {
  for (const part of partsOf(words)) {
    const asked = askedIn(part, language)
    if (asked === null) continue
    if (asked.ask === 'list') return 'list'
    const names = new Set(items.flatMap(wordsOf).map(stem))
    if (asked.about.length > 0 && asked.about.every((word) => names.has(stem(word)))) return 'item'
  }
  return null
}

/** To "Shall I add it?". @returns how many; null: that was no yes */
export function takenOf(words: string, language: SpokenLanguage): number | null {
  if (isYes(words, language)) return 1
  const said = wordsOf(words)
  const numbered = withNumbers(said, language).filter((word) => !FILLERS[language].has(word))
  if (numbered.length === 1 && /^\d{1,3}$/.test(numbered[0] ?? '')) return Number(numbered[0])
  return numbered.length === 0 && said.some((word) => TAKES.has(word)) ? 1 : null
}

/** Sentences, as plain words. */
function partsOf(words: string): string[] {
  return words
    .split(/[.?!;¿¡,](?!\d)/)
    .map((part) => wordsOf(part).join(' '))
    .filter((part) => part !== '')
}

function contentOf(text: string, language: SpokenLanguage): string[] {
  return wordsOf(text).filter((word) => !FILLERS[language].has(word) && !BESIDE.has(word))
}

function askedIn(part: string, language: SpokenLanguage): Asked | null {
  for (const name of ['price', 'kind', 'list', 'has'] as const) {
    const found = ASKS[language][name].exec(part)
    if (found === null) continue
    const after = part.slice(found.index + found[0].length)
    const goesOn = GOES_ON[language].exec(after)
    const behind = goesOn === null ? '' : after.slice(goesOn.index)
    const about = `${found[1] ?? ''} ${goesOn === null ? after : after.slice(0, goesOn.index)}`
    return {
      ask: name === 'kind' ? 'list' : name,
      about: contentOf(about, language)
        .filter((word) => !/^\d+$/.test(word))
        .slice(0, MOST_WORDS),
      rest: `${part.slice(0, found.index)} ${behind}`.trim(),
    }
  }
  return null
}

type Said = Pick<Questioned, 'draft' | 'language' | 'currency'>

/** Null: it asks for nothing of the menu, as "how much is it" does. */
function answerTo({ ask, about }: Asked, menu: VoiceMenu, said: Said): Omit<MenuAnswer, 'rest'> | null {
  if (ask === 'list') return { say: listOf(about, menu, said), offered: null }
  const entries = about.length === 0 ? [] : entriesOf(about, menu, said)
  if (entries.length > 0) return pricesOf(entries, said)
  if (ask === 'price' || about.length === 0) return null
  const near = sold(menu).filter(({ name }) =>
    wordsOf(name)
      .map(stem)
      .some((word) => about.map(stem).includes(word)),
  )
  const texts = orderTexts(said.language)
  const others =
    near.length === 0
      ? []
      : [
          namesOf(
            near.map(({ name }) => name),
            said,
          ),
        ]
  return { say: [texts.unknown(about.join(' ').slice(0, 40)), ...others].join(' '), offered: null }
}

/** What all of these words name: of an open question first. */
function entriesOf(about: readonly string[], menu: VoiceMenu, { draft }: Said): readonly MenuEntry[] {
  const asked = new Set(draft.questions.flatMap(({ candidates }) => candidates.map(({ umsId }) => umsId)))
  const among = asked.size === 0 ? null : menu.find(about, 'item', asked)
  const found = [among, menu.find(about, 'item'), menu.find(about, 'modifier')]
  return found.find((heard) => heard?.covered === 1)?.candidates ?? []
}

function pricesOf(all: readonly MenuEntry[], { draft, language, currency }: Said): Omit<MenuAnswer, 'rest'> {
  const texts = orderTexts(language)
  const entries = all.slice(0, MOST_PRICES)
  const say = entries.map(({ name, kind, isSilenced, priceCents }) => {
    if (isSilenced) return texts.soldOut(name)
    if (priceCents === null && kind === 'item') return texts.noPrice(name)
    return texts.costs(name, spokenAmount(priceCents ?? 0, currency, language))
  })
  const [only] = all
  const isOffered = all.length === 1 && only?.kind === 'item' && isSold(only) && draft.questions.length === 0
  return { say: say.join(' '), offered: isOffered ? only.umsId : null }
}

const isSold = ({ isSilenced, priceCents }: MenuEntry): boolean => !isSilenced && priceCents !== null

const sold = (menu: VoiceMenu): MenuEntry[] =>
  [...menu.entries].filter((entry) => entry.kind === 'item' && isSold(entry))

/** Of the kind that was asked about, by its category or where names say it; else the categories, or all where there are none. */
function listOf(about: readonly string[], menu: VoiceMenu, said: Said): string {
  const all = sold(menu)
  if (all.length === 0) return orderTexts(said.language).nothingSold
  const kind = about.map(stem)
  const has = (text: string | null): boolean => {
    const stems = new Set(wordsOf(text ?? '').map(stem))
    return kind.every((word) => stems.has(word))
  }
  const ofKind = kind.length === 0 ? [] : all.filter(({ name, category }) => has(category) || has(name))
  if (ofKind.length > 0)
    return namesOf(
      ofKind.map(({ name }) => name),
      said,
    )
  const categories = [...new Set(all.flatMap(({ category }) => category ?? []))]
  return namesOf(categories.length > 1 ? categories : all.map(({ name }) => name), said)
}

function namesOf(all: readonly string[], { language }: Said): string {
  const texts = orderTexts(language)
  const names = [...new Set(all)]
  const shown = names.slice(0, MOST_NAMES)
  const last = shown.pop() ?? ''
  const list = shown.length === 0 ? last : `${shown.join(', ')} ${texts.and} ${last}`
  return names.length > MOST_NAMES ? texts.amongOthers(list) : texts.weHave(list)
}
