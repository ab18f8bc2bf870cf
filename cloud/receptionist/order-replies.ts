// What the receptionist says while it takes an order, in the languages that it speaks. Amounts and names come from the menu, never from a caller or a model.
import { decimalsOf } from '#shared/currency.ts'
import { type DraftFact, totalCents } from './order-draft.ts'
import type { DraftLine, DraftQuestion, OrderDraft } from './order-taker.ts'
import type { SpokenLanguage } from './profile.ts'

/** Up to here everything is read back after each change; a longer order is read back when it is complete. */
const SHORT_ORDER = 4
/** Of words that are repeated to the caller. */
const MOST_REPEATED = 40

const TEXTS = {
  en: {
    and: 'and',
    with: 'with',
    total: (amount: string) => `That is ${amount} in all.`,
    sayYes: 'Say yes to order it, or tell me what to change.',
    confirm: 'Shall I order it? Please say yes or no.',
    anythingElse: 'Anything else?',
    whatElse: 'What would you like?',
    whatToChange: 'What would you like to change?',
    empty: 'There is nothing in your order yet. What would you like?',
    added: (names: string) => `I added ${names}.`,
    changed: (names: string) => `I changed ${names}.`,
    removed: (names: string) => `I removed ${names}.`,
    cleared: 'I removed everything.',
    named: (name: string) => `Thank you, ${name}.`,
    soldOut: (names: string) => `I am sorry, ${names} is sold out.`,
    noPrice: (names: string) => `I am sorry, I cannot sell ${names} by telephone.`,
    tooFew: (name: string, left: number) => `I am sorry, there ${left === 1 ? 'is' : 'are'} only ${left} ${name} left.`,
    unknown: (words: string) => `I did not find ${words} on the menu.`,
    notUnderstood: 'I did not understand that.',
    costs: (name: string, amount: string) => `${name} is ${amount}.`,
    weHave: (names: string) => `We have ${names}.`,
    amongOthers: (names: string) => `Among other things we have ${names}.`,
    nothingSold: 'I am sorry, I cannot sell anything by telephone right now.',
    offer: 'Shall I add it?',
    which: (names: string, wishes: string) => `Which one${wishes}: ${names}?`,
    or: 'or',
    another: 'another one',
    declined: 'I left that out.',
    changedSince: 'Something has changed since I read your order.',
    askName: 'What name is the order for?',
    placed: (minutes: number) =>
      `Thank you, your order is placed. It will be ready in about ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
    placedLater: 'Thank you, your order is placed. The kitchen will confirm the time.',
    transfer: 'One moment, I’ll connect you with the restaurant.',
    allergy: 'Because of the allergy I’d rather connect you with a person. One moment.',
    tooMuch: 'This is a large order. One moment, I’ll connect you with the restaurant.',
    delivery: 'I can only take orders that are picked up. One moment, I’ll connect you with the restaurant.',
    later: 'I can only take orders to be made right away. One moment, I’ll connect you with the restaurant.',
    cancelPlaced: 'Only the restaurant can cancel an order that is placed. One moment, I’ll connect you.',
    left: 'All right, I have not ordered anything.',
    leftRest: 'All right. I have ordered nothing more, and the order that is placed stays.',
    pickUp: (digits: string) => `When you pick it up, please give the last four digits of your number: ${digits}.`,
  },
  es: {
    and: 'y',
    with: 'con',
    total: (amount: string) => `Son ${amount} en total.`,
    sayYes: 'Diga sí para pedirlo, o dígame qué cambiar.',
    confirm: '¿Lo pido? Diga sí o no, por favor.',
    anythingElse: '¿Algo más?',
    whatElse: '¿Qué desea?',
    whatToChange: '¿Qué desea cambiar?',
    empty: 'Todavía no hay nada en su pedido. ¿Qué desea?',
    added: (names: string) => `He añadido ${names}.`,
    changed: (names: string) => `He cambiado ${names}.`,
    removed: (names: string) => `He quitado ${names}.`,
    cleared: 'Lo he quitado todo.',
    named: (name: string) => `Gracias, ${name}.`,
    soldOut: (names: string) => `Lo siento, ${names} está agotado.`,
    noPrice: (names: string) => `Lo siento, no puedo vender ${names} por teléfono.`,
    tooFew: (name: string, left: number) => `Lo siento, solo quedan ${left} de ${name}.`,
    unknown: (words: string) => `No he encontrado ${words} en el menú.`,
    notUnderstood: 'No le he entendido.',
    costs: (name: string, amount: string) => `${name} cuesta ${amount}.`,
    weHave: (names: string) => `Tenemos ${names}.`,
    amongOthers: (names: string) => `Entre otras cosas tenemos ${names}.`,
    nothingSold: 'Lo siento, ahora no puedo vender nada por teléfono.',
    offer: '¿Lo añado?',
    which: (names: string, wishes: string) => `¿Cuál de ellos${wishes}: ${names}?`,
    or: 'o',
    another: 'otro',
    declined: 'Eso lo he dejado.',
    changedSince: 'Algo ha cambiado desde que le leí el pedido.',
    askName: '¿A nombre de quién es el pedido?',
    placed: (minutes: number) => `Gracias, su pedido está hecho. Estará listo en unos ${minutes} minutos.`,
    placedLater: 'Gracias, su pedido está hecho. La cocina confirmará la hora.',
    transfer: 'Un momento, le comunico con el restaurante.',
    allergy: 'Por la alergia prefiero comunicarle con una persona. Un momento.',
    tooMuch: 'Es un pedido grande. Un momento, le comunico con el restaurante.',
    delivery: 'Solo puedo tomar pedidos para recoger. Un momento, le comunico con el restaurante.',
    later: 'Solo puedo tomar pedidos para ahora mismo. Un momento, le comunico con el restaurante.',
    cancelPlaced: 'Un pedido que ya está hecho solo lo puede cancelar el restaurante. Un momento, le comunico.',
    left: 'De acuerdo, no he pedido nada.',
    leftRest: 'De acuerdo. No he pedido nada más, y el pedido que ya está hecho sigue en pie.',
    pickUp: (digits: string) => `Al recogerlo, diga las últimas cuatro cifras de su número: ${digits}.`,
  },
} as const

export type OrderTexts = (typeof TEXTS)[SpokenLanguage]

export const orderTexts = (language: SpokenLanguage): OrderTexts => TEXTS[language]

/** To make one costs as much as the rest of an answer. There are as many as currencies. */
const amounts = new Map<string, Intl.NumberFormat>()

/** `29.50 US dollars`. */
export function spokenAmount(cents: number, currency: string, language: SpokenLanguage): string {
  const name = `${language} ${currency}`
  const format = amounts.get(name) ?? amountFormat(currency, language)
  amounts.set(name, format)
  return format.format(cents / 100)
}

function amountFormat(currency: string, language: SpokenLanguage): Intl.NumberFormat {
  const digits = decimalsOf(currency)
  return new Intl.NumberFormat(language, {
    ...{ style: 'currency', currency, currencyDisplay: 'name' },
    ...{ minimumFractionDigits: digits, maximumFractionDigits: digits },
  })
}

function spokenLine({ qty, name, modifiers, note }: DraftLine, language: SpokenLanguage): string {
  return `${qty} ${name}${spokenWishes({ names: modifiers.map((one) => one.name), note }, language)}`
}

/** ` with Extra Cheese, no onions`: what is left out stands by itself. */
function spokenWishes({ names, note }: { names: string[]; note: string | null }, language: SpokenLanguage): string {
  const isWithout = (name: string) => /^(?:no|sin|without)\b/i.test(name)
  const added = names.filter((name) => !isWithout(name)).join(', ')
  const others = [...names.filter(isWithout), ...(note === null ? [] : [note])]
  return [added === '' ? '' : ` ${TEXTS[language].with} ${added}`, ...others.map((one) => `, ${one}`)].join('')
}

/** All lines and the total. */
export function readBackOf({ lines, name }: OrderDraft, currency: string, language: SpokenLanguage): string {
  const all = lines.map((line) => spokenLine(line, language)).join('; ')
  const total = TEXTS[language].total(spokenAmount(totalCents(lines), currency, language))
  return `${all}.${name === null ? '' : ` ${name}.`} ${total}`
}

/** For people: what a caller had wanted when a person took over. One line each. */
export function draftSummary({ lines, questions, name }: OrderDraft, currency: string): string {
  if (lines.length === 0 && questions.length === 0) return ''
  const who = name === null ? [] : [name]
  const open = questions.map(({ qty, candidates }) => `${qty} of: ${candidates.map((one) => one.name).join(' / ')}`)
  const total = spokenAmount(totalCents(lines), currency, 'en')
  return [...who, ...lines.map((line) => spokenLine(line, 'en')), ...open, total].join('\n')
}

/** What became of the caller's words, in sentences. */
export function spokenFacts(facts: readonly DraftFact[], draft: OrderDraft, language: SpokenLanguage): string {
  const texts = TEXTS[language]
  const names = (is: DraftFact['is']) =>
    [...new Set(facts.flatMap((fact) => (fact.is === is && 'name' in fact ? [fact.name] : [])))].join(` ${texts.and} `)
  const said = (is: DraftFact['is'], say: (names: string) => string) => (names(is) === '' ? [] : [say(names(is))])
  const isShort = draft.lines.length <= SHORT_ORDER
  return [
    // A short order is read back anyway, so its changes need no words of their own.
    ...(isShort ? [] : [...said('added', texts.added), ...said('changed', texts.changed)]),
    ...said('removed', texts.removed),
    ...facts.flatMap((fact) => factText(fact, draft, texts)),
    ...said('sold-out', texts.soldOut),
    ...said('no-price', texts.noPrice),
  ].join(' ')
}

function factText(fact: DraftFact, { name }: OrderDraft, texts: OrderTexts): string[] {
  switch (fact.is) {
    case 'declined':
      return [texts.declined]
    case 'cleared':
      return [texts.cleared]
    case 'named':
      return name === null ? [] : [texts.named(name)]
    case 'too-few':
      return [texts.tooFew(fact.name, fact.left)]
    case 'unknown':
      return [fact.words === '' ? texts.notUnderstood : texts.unknown(fact.words.slice(0, MOST_REPEATED))]
    default:
      return []
  }
}

/** What is asked next. @returns whether the whole draft was read in it */
export function nextQuestion(
  draft: OrderDraft,
  currency: string,
  { language, isComplete }: { language: SpokenLanguage; isComplete: boolean },
): { say: string; isReadBack: boolean } {
  const texts = TEXTS[language]
  const [question] = draft.questions
  if (question !== undefined) return { say: whichOf(question, language), isReadBack: false }
  if (draft.lines.length === 0) return { say: texts.empty, isReadBack: false }
  if (!isComplete && draft.lines.length > SHORT_ORDER) return { say: texts.anythingElse, isReadBack: false }
  return { say: `${readBackOf(draft, currency, language)} ${texts.sayYes}`, isReadBack: true }
}

/** More names cannot be kept in mind. */
const MOST_NAMES = 4

function whichOf({ candidates, modifiers, note }: DraftQuestion, language: SpokenLanguage): string {
  const texts = TEXTS[language]
  const names = candidates.map(({ name }) => name)
  const last = names.length > MOST_NAMES ? texts.another : (names.at(-1) ?? '')
  const others = names.slice(0, names.length > MOST_NAMES ? MOST_NAMES : -1)
  const wishes = spokenWishes({ names: modifiers.map((one) => one.name), note }, language)
  return texts.which(`${others.join(', ')} ${texts.or} ${last}`, wishes)
}
