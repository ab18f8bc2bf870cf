// What callers say in an order whatever the menu is: numbers, yes and no, and the words at which a person must take over. English and Spanish.

import type { SpokenLanguage } from './profile.ts'
import { wordsOf } from './voice-menu.ts'

const list = (words: string): ReadonlySet<string> => new Set(words.split(' '))

/** Words without a meaning of their own here. */
export const FILLERS: Readonly<Record<SpokenLanguage, ReadonlySet<string>>> = {
  en: list(
    'a an the of some please i we you me us it s would d ll like want wanna need can could get have may let take order give gimme do put in for to my our so uh um er well okay ok hi hello thanks thank just also then too there is be will that this those these them one ones orders piece pieces portion portions and with on as at from her him his she he they if got gonna im id ill lets hey yeah yes sure go ahead first second',
  ),
  es: list(
    'un una unos unas el la los las lo de del por favor quiero queria quisiera queremos me nos da dame deme denos ponme pongame pon ponga para pedir pido pedido algo hola buenas buenos dias tardes noches gracias tambien luego mi mis si que se es eso esa ese y e con en a al te le les va vale bueno pues voy ordenar gustaria solo orden porcion porciones racion raciones',
  ),
}

const UNITS: Readonly<Record<SpokenLanguage, Readonly<Record<string, number>>>> = {
  en: numbered(
    'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen',
  ),
  es: {
    ...numbered(
      'uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve veinte veintiuno veintidos veintitres veinticuatro veinticinco veintiseis veintisiete veintiocho veintinueve',
    ),
    ...{ un: 1, una: 1 },
  },
}
const TENS: Readonly<Record<SpokenLanguage, Readonly<Record<string, number>>>> = {
  en: { twenty: 20, thirty: 30, forty: 40, fifty: 50, sixty: 60, seventy: 70, eighty: 80, ninety: 90 },
  es: { treinta: 30, cuarenta: 40, cincuenta: 50, sesenta: 60, setenta: 70, ochenta: 80, noventa: 90 },
}
/** Of several words, or of such that mean a number only with what follows. */
const PHRASES: Readonly<Record<SpokenLanguage, readonly (readonly [string, number])[]>> = {
  en: [
    ['half a dozen', 6],
    ['a dozen', 12],
    ['dozen', 12],
    ['a couple of', 2],
    ['a couple', 2],
    ['couple of', 2],
    ['a hundred', 100],
    ['one hundred', 100],
    ['hundred', 100],
    ['a thousand', 999],
    ['thousand', 999],
  ],
  es: [
    ['media docena de', 6],
    ['media docena', 6],
    ['una docena de', 12],
    ['una docena', 12],
    ['docena', 12],
    ['un par de', 2],
    ['par de', 2],
    ['cien', 100],
    ['ciento', 100],
    ['mil', 999],
  ],
}

function numbered(words: string): Record<string, number> {
  return Object.fromEntries(words.split(' ').map((word, index) => [word, index + 1]))
}

/**
 * The words with numbers as digits: `twenty two burgers` is `22 burgers`. A number that is a part of a name stays behind its name.
 * @param words as `wordsOf` makes them
 */
export function withNumbers(words: readonly string[], language: SpokenLanguage): string[] {
  const out: string[] = []
  for (let at = 0; at < words.length; ) {
    const phrase = PHRASES[language].find(([text]) => words.slice(at, at + text.split(' ').length).join(' ') === text)
    if (phrase) {
      out.push(String(phrase[1]))
      at += phrase[0].split(' ').length
      continue
    }
    const word = words[at] ?? ''
    const ten = TENS[language][word]
    const next = words[at + 1] ?? ''
    const unitAt = language === 'es' && next === 'y' ? at + 2 : at + 1
    const unit = ten === undefined ? undefined : UNITS[language][words[unitAt] ?? '']
    if (ten !== undefined && unit !== undefined && unit < 10) {
      out.push(String(ten + unit))
      at = unitAt + 1
    } else {
      out.push(digitsOf(word, language))
      at++
    }
  }
  return out
}

function digitsOf(word: string, language: SpokenLanguage): string {
  const number = TENS[language][word] ?? UNITS[language][word]
  // `2x` and `x2`.
  return number === undefined ? word.replace(/^x?(\d{1,4})x?$/, '$1') : String(number)
}

/** How a telephone recognition writes `two burgers` and `four burgers` down: only before the name of an item. */
export const MISHEARD_NUMBERS: Readonly<Record<string, number>> = {
  to: 2,
  too: 2,
  tu: 2,
  for: 4,
  fore: 4,
  won: 1,
  ate: 8,
  tree: 3,
}

const YES: Readonly<Record<SpokenLanguage, ReadonlySet<string>>> = {
  en: list(
    'yes yeah yep yup sure correct right ok okay perfect exactly absolutely definitely confirm confirmed affirmative',
  ),
  es: list('si claro correcto exacto perfecto vale bien ok okay dale confirmo confirmado afirmativo adelante'),
}
/** Beside a yes they change nothing. */
const YES_FILLERS: Readonly<Record<SpokenLanguage, ReadonlySet<string>>> = {
  en: list(
    'that s is thats it please thank thanks you sounds good great fine all looks order go ahead place send do i am',
  ),
  es: list('por favor gracias esta es asi eso todo muy lo de acuerdo pida pidalo mande mandelo que'),
}

/** A plain yes and nothing else: `yes and a coffee` is none. */
export function isYes(words: string, language: SpokenLanguage): boolean {
  const said = wordsOf(words)
  const isPlain = said.every((word) => YES[language].has(word) || YES_FILLERS[language].has(word))
  const text = said.join(' ')
  const asPhrase =
    language === 'en'
      ? /^(go ahead|sounds good|place (it|the order)|do it|that s (right|fine|good))( please)?$/
      : /^(de acuerdo|esta bien|asi es|eso es)$/
  return isPlain && (said.some((word) => YES[language].has(word)) || asPhrase.test(text))
}

const PATTERNS = {
  en: {
    no: /^(no|nope|nah|not yet|wrong|(no )?that (s|is) (wrong|not right|not correct)|incorrect|no thank you|no thanks)$/,
    done: /\b(that( i)?s (all|it|everything)|that (s|will be|ll be|would be) (all|it|everything)|nothing else|no more|i m done|we re done|i m good|all done|no thanks?( you)?$|nope$|^no$)/,
    cancel:
      /\b(cancel ((the|my|this|that) )?(whole |entire )?order|cancel (it|everything|that)( please)?$|cancel$|never ?mind|forget (it|the order|about it)|i changed my mind)\b/,
    repeat:
      /\b(repeat|say (that|it) again|read (it|that|the order|my order)?( ?back)|what (do i have|have i (ordered|got)|did i order|is my order|s my order|is in my order)|how much (is|does|will|would))\b/,
    person:
      /\b((talk|speak) (to|with) (a|an|the|some|somebody|someone|your)|(a |real |actual )?(person|human|human being)\b|operator|agent|representative|manager|somebody real|customer service|staff member)/,
    allergy: /\b(allerg\w*|intoleran\w*|anaphyla\w*|coeliac|celiac|epi ?pen)\b/,
    complaint:
      /\b(complain\w*|refund|wrong order|my order (was|is (wrong|late|cold|missing|not)|never|has not|hasn)|cold food|food poisoning|made (me|us) sick|terrible|disgusting|unacceptable|awful|lawyer|money back)\b/,
  },
  es: {
    no: /^(no|nop|todavia no|incorrecto|no esta bien|no es correcto|no gracias|mal)$/,
    done: /\b(eso es todo|es todo|nada mas|ya esta|seria todo|eso seria|seria eso|solo eso|con eso|no gracias$|^no$|ya es todo|listo$)/,
    cancel:
      /\b(cancel(a|e|ar)( todo)?( (el|mi|la|todo el|toda la) (pedido|orden))?$|cancel(alo|elo)|olvidalo|olvidelo|dejalo|dejelo|ya no quiero (nada|pedir))/,
    repeat:
      /\b(repi(te|ta|telo|tame)|otra vez|que (tengo|llevo|he pedido|pedi)|lee(me|lo)?|cuanto (es|cuesta|sale|seria))\b/,
    person:
      /\b((hablar|comunic\w*|paseme|pasame) (con|a) (una?|el|la|alguien|persona)|persona|humano|operador\w*|agente|representante|encargad\w|gerente|alguien real)\b/,
    allergy: /\b(alergi\w*|intoleran\w*|celiac\w*|anafila\w*)\b/,
    complaint:
      /\b(queja\w*|quejar\w*|reclam\w*|reembolso|devoluci\w*|pedido equivocado|mi pedido (no|estaba|esta|nunca|llego)|intoxica\w*|asco\w*|horrible|inaceptable|abogad\w)\b/,
  },
} as const satisfies Record<SpokenLanguage, Record<string, RegExp>>

export type SpokenIntent = keyof (typeof PATTERNS)['en']

/** Of a whole utterance. Words at which a person takes over count in both languages: nobody is held back by the language of the line. */
export function intends(intent: SpokenIntent, words: string, language: SpokenLanguage): boolean {
  const text = wordsOf(words).join(' ')
  const isForPerson = intent === 'person' || intent === 'allergy' || intent === 'complaint'
  const languages: readonly SpokenLanguage[] = isForPerson ? ['en', 'es'] : [language]
  return languages.some((one) => PATTERNS[one][intent].test(text))
}

/** The words before and after what says that the order is complete. */
export function withoutDone(words: string, language: SpokenLanguage): string {
  return wordsOf(words).join(' ').replace(PATTERNS[language].done, ' ').trim()
}
