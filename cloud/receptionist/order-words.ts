// What callers say in an order whatever the menu is: numbers, yes and no, and the words at which a person must take over. English and Spanish.

import type { SpokenLanguage } from './profile.ts'
import { wordsOf } from './voice-menu.ts'

const list = (words: string): ReadonlySet<string> => new Set(words.split(' '))

/** Words without a meaning of their own here. */
export const FILLERS: Readonly<Record<SpokenLanguage, ReadonlySet<string>>> = {
  en: list(
    'a an the of some please i we you me us it s would d ll like want wanna need can could get have may let take order give gimme do put in for to my our so uh um er okay ok hi hello thanks thank just also then too there is be will that this those these them one ones orders piece pieces portion portions and with on as at from her him his she he they if got gonna im id ill lets hey yeah yes sure go ahead first second think guess maybe possible instead more another only what which how does comes come much cost costs menu',
  ),
  es: list(
    'un una unos unas el la los las lo de del por favor quiero queria quisiera queremos me nos da dame deme denos ponme pongame pon ponga para pedir pido pedido algo hola buenas buenos dias tardes noches gracias tambien luego mi mis si que se es eso esa ese y e con en a al te le les va vale bueno pues voy ordenar gustaria solo orden porcion porciones racion raciones creo posible pone traiga traigame trae ahi mas cual cuanto cuesta viene tienen tiene hay como menu dije solamente',
  ),
}

/** Words that name nothing where nothing else is said. */
export const CHATTER: ReadonlySet<string> = list(
  'changed mind well rest plain other others normal regular just both wait no sorry right fine great cool question resto otro otra otros demas igual sencillo sencilla perdon espera bien',
)

const PREPARATIONS = list(
  'well done medium rare raw spicy mild crispy crunchy toasted hot warm cold cut half light sliced plain salted poco muy bien hecho hecha cocido cocida termino medio tres cuartos picante crujiente tostado tostada frio fria caliente aparte',
)

/** `medium rare`, `extra crispy`, `bien hecha`: the kitchen reads it as it was said. */
export function isPreparation(words: readonly string[]): boolean {
  return words.length > 0 && words.length <= 4 && words.every((word) => PREPARATIONS.has(word))
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

/** A yes, whole. Nothing here may be a question, so that "is that right" and "que claro" are none; `esta bien` alone may be one. */
const YES: Readonly<Record<SpokenLanguage, readonly string[]>> = {
  en: phrases(
    'yes|yes sir|yes ma am|yeah|yep|yup|sure|sure thing|ok|okay|correct|exactly|absolutely|definitely|perfect|of course|confirm|confirmed|i confirm|affirmative|that s right|that s correct|that is right|that is correct|thats right|thats correct|it s correct|it is correct|sounds good|sounds great|that sounds good|that sounds great|looks good|that looks good|that s fine|that s good|that s perfect|go ahead|place it|place the order|order it|send it|do it',
  ),
  es: phrases(
    'si|claro|claro que si|correcto|exacto|perfecto|vale|ok|okay|dale|confirmo|lo confirmo|confirmado|afirmativo|adelante|de acuerdo|por supuesto|pidalo|pidelo|mandelo|mandalo|hagalo',
  ),
}
/** Around a yes they change nothing. */
const COURTESIES: Readonly<Record<SpokenLanguage, readonly string[]>> = {
  en: phrases('please|thank you|thanks|um|uh|er|well'),
  es: phrases('por favor|gracias|muchas gracias|eh|pues|bueno'),
}
/** After a yes they only say it again. */
const AGREEMENTS: Readonly<Record<SpokenLanguage, readonly string[]>> = {
  en: phrases(
    'right|great|good|fine|very much|please do|it is|that is|i do|i am|i would|that s it|that is it|thats it|that s all|that is all|thats all|that s everything|all correct|all good|everything is right|everything is correct',
  ),
  es: phrases(
    'senor|senora|senorita|bien|muy bien|esta bien|esta correcto|es correcto|asi es|eso es|eso|eso es todo|es todo|nada mas',
  ),
}

/** Sorted, so that the longest is tried first. */
function phrases(text: string): readonly string[] {
  return text.split('|').sort((one, other) => other.length - one.length)
}

/**
 * A plain yes and nothing else: `yes and a coffee` is none, and neither is what may be a question. Who is heard wrong is only asked
 * once more.
 */
export function isYes(words: string, language: SpokenLanguage): boolean {
  if (/[?¿]/.test(words)) return false
  const courtesy = COURTESIES[language]
  let rest = ` ${wordsOf(words).join(' ')} `
  let isSaid = false
  while (rest.trim() !== '') {
    const yes = YES[language].find((phrase) => rest.startsWith(` ${phrase} `))
    const more: readonly string[] = isSaid ? [...courtesy, ...AGREEMENTS[language]] : courtesy
    const found: string | undefined = [yes, more.find((phrase) => rest.startsWith(` ${phrase} `))]
      .filter((phrase) => phrase !== undefined)
      .sort((one, other) => other.length - one.length)[0]
    if (found === undefined) return false
    isSaid ||= found === yes
    rest = rest.slice(found.length + 1)
  }
  return isSaid
}

const IT = '(?:that|it|this|the order|thats|its)'
/** A plain no, and that what was said is not so: it is no wish for an order without something. */
const NOT_SO: Readonly<Record<SpokenLanguage, RegExp>> = {
  en: whole('(?:no|nope|nah|sorry|well)', [
    'no|nope|nah|not yet|no thank you|no thanks|(?:all )?wrong|incorrect|not (?:quite )?(?:right|correct)',
    `${IT}(?: s| is| was)? (?:all )?(?:wrong|incorrect)`,
    `${IT}(?: s| is| was| does| do)? (?:not|isn t|isnt|wasn t|doesn t)(?: look| sound)? (?:all |quite )?(?:right|correct|okay|ok|good|fine|it|what i (?:said|ordered|wanted|want|asked for))`,
  ]),
  es: whole('(?:no|nop|perdon)', [
    'no|nop|todavia no|no gracias|incorrecto|(?:(?:eso )?esta )?mal',
    '(?:eso|asi|esto) no(?: es| esta)?',
    '(?:(?:eso|asi|esto|el pedido) )?no (?:es |esta |era )?(?:todo )?(?:bien|correcto|asi|eso|lo que (?:dije|pedi|quiero|queria))',
  ]),
}

/** @param before any number of times */
function whole(before: string, ways: readonly string[]): RegExp {
  return new RegExp(`^(?:${before} )*(?:${ways.join('|')})$`)
}

const CLOCK_HOURS = '\\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve'

const PATTERNS = {
  en: {
    no: NOT_SO.en,
    done: /\b(that( i)?s (all|it|everything)|that (s|will be|ll be|would be) (all|it|everything)|nothing else|no more|i m done|we re done|i m good|all done|no thanks?( you)?$|nope$|^no$)/,
    cancel:
      /\b(?<!\b(?:don t|do not|not|never)(?: want)?(?: to)? )(cancel ((the|my|this|that) )?(whole |entire )?order|cancel (it|everything|that)( please)?$|cancel$|never ?mind$|never ?mind (it|the order|my order)$|forget (it|the order|about it)$|i changed my mind$)/,
    repeat:
      /^(?:and |so |ok |okay |yes )*(?:is (?:that|this|it|everything) (?:all )?(?:right|correct|ok|okay|fine|good)|am i right|(?:right|correct|okay|ok))$|\b(repeat|say (that|it) again|read (it|that|the order|my order)?( ?back)|what (do i have|have i (ordered|got)|did i order|is my order|s my order|is in my order)|how much (is|does|will|would))\b/,
    person:
      /\b((talk|speak) (to|with) (a|an|the|some|somebody|someone|your)|(a |real |actual )?(person|human|human being)\b|operator|agent|representative|manager|somebody real|customer service|staff member)/,
    delivery:
      /(?<!\b(?:no|not for) )\b(deliver(?:y|ed|ing|ies)?|door ?dash|uber ?eats|grub ?hub)\b|\b(bring|send) (it|them|that|the food) (to|over)\b|\bto my (house|home|place|address|office|apartment|hotel|room)\b/,
    later: new RegExp(
      `\\b(?:tomorrow|later (?:today|on|tonight)|(?:on|this|next) (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)|(?:at|around|by|after) (?:noon|midnight|half past|quarter (?:past|to)|(?:${CLOCK_HOURS}) (?:thirty|fifteen|forty five|o ?clock|[ap] ?m|\\d{2}))|at (?:${CLOCK_HOURS})$|for (?:${CLOCK_HOURS})(?: thirty| \\d{2})? (?:o ?clock|[ap] ?m)|\\d{1,2} ?[ap] ?m|in (?:an|one|two|three|four|half an|\\d) hours?)\\b`,
    ),
    allergy: /\b(allerg\w*|intoleran\w*|anaphyla\w*|coeliac|celiac|epi ?pen)\b/,
    complaint:
      /\b(complain\w*|refund|wrong order|my order (was|is (wrong|late|cold|missing|not)|never|has not|hasn)|cold food|food poisoning|made (me|us) sick|terrible|disgusting|unacceptable|awful|lawyer|money back)\b/,
  },
  es: {
    no: NOT_SO.es,
    done: /\b(eso es todo|es todo|nada mas|ya esta|seria todo|eso seria|seria eso|solo eso|con eso|no gracias$|^no$|ya es todo|listo$)/,
    cancel:
      /\b(?<!\bno (?:lo |la |me |se )?)(cancel(a|e|ar)( todo)?( (el|mi|la|todo el|toda la) (pedido|orden))?$|cancel(a|e|ar) (el|mi|la) (pedido|orden)\b|cancel(alo|elo)|olvidalo$|olvidelo$|dejalo$|dejelo$|ya no quiero (nada|pedir))/,
    repeat:
      /^(?:y |que )?(?:(?:todo )?esta (?:todo )?(?:bien|correcto)|es correcto|asi es|eso es)$|\b(repi(te|ta|telo|tame)|otra vez|que (tengo|llevo|he pedido|pedi)|lee(me|lo)?|cuanto (es|cuesta|sale|seria))\b/,
    person:
      /\b((hablar|comunic\w*|paseme|pasame) (con|a) (una?|el|la|alguien|persona)|persona|humano|operador\w*|agente|representante|encargad\w|gerente|alguien real)\b/,
    delivery:
      /\b((a )?domicilio|envi(o|ar\w*|en\w*|eme)|entrega(r\w*)?|a mi (casa|direccion|oficina|hotel|departamento|apartamento))\b/,
    later:
      /\b(mas tarde|pasado manana|(el|este|proximo) (lunes|martes|miercoles|jueves|viernes|sabado|domingo)|(a|para) las? (\d{1,2}|una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce)|en (una|dos|tres|media) horas?)\b|(?<!\b(?:esta) )\bmanana\b/,
    allergy: /\b(alergi\w*|intoleran\w*|celiac\w*|anafila\w*)\b/,
    complaint:
      /\b(queja\w*|quejar\w*|reclam\w*|reembolso|devoluci\w*|pedido equivocado|mi pedido (no|estaba|esta|nunca|llego)|intoxica\w*|asco\w*|horrible|inaceptable|abogad\w)\b/,
  },
} as const satisfies Record<SpokenLanguage, Record<string, RegExp>>

export type SpokenIntent = keyof (typeof PATTERNS)['en']

const FOR_PERSONS: ReadonlySet<SpokenIntent> = new Set(['person', 'allergy', 'complaint', 'delivery', 'later'])

/** Of a whole utterance. Words at which a person takes over count in both languages: nobody is held back by the language of the line. */
export function intends(intent: SpokenIntent, words: string, language: SpokenLanguage): boolean {
  const text = wordsOf(words).join(' ')
  const languages: readonly SpokenLanguage[] = FOR_PERSONS.has(intent) ? ['en', 'es'] : [language]
  return languages.some((one) => PATTERNS[one][intent].test(text))
}

/** The words before and after what says that the order is complete. */
export function withoutDone(words: string, language: SpokenLanguage): string {
  return wordsOf(words).join(' ').replace(PATTERNS[language].done, ' ').trim()
}
