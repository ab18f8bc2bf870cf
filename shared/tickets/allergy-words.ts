// Detects words about allergies in notes and modifiers. The mark draws attention; it does not replace reading the note.
import { FREE_OF, SPACED_ALLERGENS, WRITTEN_EVERYDAY, WRITTEN_GRAVE, WRITTEN_NOUNS } from './allergen-nouns.ts'
import { foldedText } from './folded-text.ts'
import { leftOut } from './modifier-reading.ts'

// Word stems, spelled as `foldedText` returns them: English, Spanish, Portuguese, French, Italian, German, Dutch, Scandinavian, Turkish,
// Polish; Greek and Cyrillic.
const STEMS =
  /allerg|allegr(?:y|ic|ies)\b|alerg|alerji|anaphyla|anafila|анафила|αναφυλα|epi-? ?pen\b|adrenalin|c(e|oe)liac|c(oe)liaque|zoliakie|intoleran|uczulen|αλλεργ|аллерг|алерг|непереносим|непереноси/
// Words that are used only for allergies and intolerances. "Glutinous rice" is not one of them.
const NEVER_WANTED = /\bgf\b|gluten|glutine\b|gluteeni|bezlepk|lactos|lattos|laktos|γλουτεν|глютен|лактоз/
// Foods that are left out because of an allergy.
const FREE =
  /\b(nuts?|peanuts?|dairy|milk|eggs?|soya?|shellfish|seafood|fish|sesame|wheat|mustard|celery|lupine?|sul(ph|f)ites?|crustaceans?|mollus[ck]s?)[ -]?free\b/
// Phrases meaning that a food would kill or hurt. "Deadly hot" is a sauce.
const DEADLY =
  /\bdeath?ly (ill|sick|serious|reaction)\b|\bdeadly\b(?! (hot|spicy|good|delicious|sin))|\b(could|can|will|would|may|might) (die|kill)\b(?! for\b)|\bkills? (me|him|her|us|them)\b|\bthroat (closes|swells|swelling)|\bhospital|\bmakes? (me|him|her|us|them) (very |really |so )?(sick|ill)\b|\bcross[- ]?contaminat|\bfatal\b|life[- ]threatening|\b(severe|bad|violent) reactions?\b|\breacts? (badly|severely) to\b|\bsensitiv(e|ity) to\b|\banaphy|\bmortal\b(?! [kc]ombat)|\bmortel(le)?\b|\bmortale\b|lebensgefahr|lebensbedroh|\btodlich|\bdodelijk|\bdodlig|livsfarlig|\bsmiertel|smrteln|smrtonosn|смертельн|θανατηφορ|\bolumcul|halalos|hengenvaarall/
// Phrases meaning that somebody must not, or cannot, eat a food.
const MUST_NOT_EAT =
  /\b(can'?t|cannot|can not|could ?n.?t|must ?n.?t|must not|may not|should not|shouldn'?t|not allowed to|unable to|never) (eat|have|tolerate|touch|consume|be near|take any|get any|contain)\b(?! (too|enough)\b)|\bmust not contain\b|\bno (puede|puedo|pueden|podemos) (comer|tomar|tener|probar|ingerir)|\bn(ao|unca) (pode|posso|podem) (comer|ter|consumir|ingerir)|\bne (peut|peux|peuvent|doit|dois|doivent) pas (en )?(manger|avoir|consommer|prendre)|\b(darf|durfen|kann|konnen) (\S+ ){0,4}?(nicht|keine?n?) (\S+ ){0,3}?(essen|haben|enthalten|vertragen|zu sich nehmen)\b|\b(vertragt|vertrage|vertragen) (\S+ ){0,2}?(nicht|keine?n?)|\bnon (puo|posso|possono|deve) (mangiare|avere|assumere)|\b(mag|kan|mogen) (\S+ ){0,3}?(geen|niet) (\S+ ){0,3}?(eten|hebben|bevatten|verdragen)\b|\btal (inte|ej)\b|\btaler ikke\b|\b(far|kan) (inte|ikke|ej) (ata|spise)\b|\bnie (moze|moge|moga|wolno) (\S+ )?(jesc|miec)|\b(nesmi|nemuze|nemozu|ne smije|ne moze|ne sme) (\S+ )?(jist|mit|jest|jesti)|нельзя|не может есть|не могу есть|не можна|не може істи|не може да яде|δεν (μπορει|μπορω) να φα|δεν τρωει|\byiyem(ez|iyor|em)|\bnem (ehet|ehetek|eheti)|ei (saa|voi) syoda|\bnu (poate|pot|are voie) (sa )?manan|\btidak (boleh|bisa) makan|\bkhong (an duoc|duoc an|the an)/
const VIETNAMESE = /\bdi ung\b/

// Scripts whose marks are part of the word, so they are not folded: Chinese, Japanese, Korean, Arabic, Persian, Hebrew, Thai, Hindi.
const AS_WRITTEN =
  /过敏|過敏|敏感|অ্যালার্জি|এলার্জি|অ্যালারজি|ஒவ்வாமை|அலர்ஜி|అలెర్జీ|ఎలర్జీ|ಅಲರ್ಜಿ|അലർജി|ਐਲਰਜੀ|એલર્જી|ଆଲର୍ଜି|ალერგი|ալերգի|អាឡែស៊ី|អាឡែហ្ស៊ី|ແພ້|အလာဂျီ|ဓာတ်မတည့်|አለርጂ|アレルギ|알레르기|알러지|حساسي|حساسیت|אלרגי|แพ้|एलर्जी|麸质|麩質|グルテン|글루텐|غلوتين|جلوتين|גלוטן|לקטוז|กลูเตน|不能吃|不可吃|不可以吃|不能食|唔食得|吃不了|不能碰|不能有|忌口|会死|會死|致命|食べられ(?:ない|ません)|食べれ(?:ない|ません)|命に関わ|못 ?먹|먹으면 안|먹을 수 없|(?:لا (?:يستطيع|أستطيع|يمكن(?:ه|ني)?)|ممنوع) ?(?:أكل|اكل|تناول)|אסור ל(?:אכול|ו|ה|י)|לא (?:יכול(?:ה|ים)?|אוכל(?:ת)?) ?(?:לאכול)|กินไม่ได้|ทานไม่ได้|नहीं खा सक/

/** Words that may be between "no" and the food. */
const FILLERS = "(?:(?:any|the|raw|of|de|del|de la|d'|da|do|di|le|la|les|los|las|der|die|das|den|no)[ '])?"
/** Folded like the texts: `мидий` becomes `мидии`. */
const alternatives = (list: string) =>
  list
    .split('|')
    .map((word) => foldedText(word.trim()))
    // No letters may follow the shortest stems: `ohne Ei` matches, `ohne Eis` does not.
    .map((word) => (word.length <= 2 ? `${word}(?!\\p{L})` : word))
    .join('|')
const withoutAny = (nouns: (words: (typeof SPACED_ALLERGENS)[number]) => string) =>
  SPACED_ALLERGENS.map(
    (words) =>
      new RegExp(
        `(?<![\\p{L}\\p{N}])(?:${alternatives(words.without)})[ '-]?(?<=[ '-])${FILLERS}(?:${alternatives(nouns(words))})\\p{L}{0,2}(?!\\p{L})`,
        'u',
      ),
  )
const WITHOUT_GRAVE = withoutAny(({ grave }) => grave)
const WITHOUT_EVERYDAY = withoutAny(({ everyday }) => everyday)

// When modifier-reading.ts has found the removal, the noun may be anywhere in it. Shorter stems than these are the beginning of too many
// other words.
const SHORT_NOUNS: ReadonlySet<string> = new Set(['nut', 'rye', 'soy', 'egg'])
const anyOf = (nouns: (words: (typeof SPACED_ALLERGENS)[number]) => string) => {
  const stems = SPACED_ALLERGENS.flatMap((words) => nouns(words).split('|')).filter(
    (stem) => stem.length > 3 || SHORT_NOUNS.has(stem),
  )
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives(stems.join('|'))})\\p{L}{0,2}(?!\\p{L})`, 'u')
}
const GRAVE = anyOf(({ grave }) => grave)
const EVERYDAY = anyOf(({ everyday }) => everyday)
const SENTENCE_END = /[\n.;!?]+\s*/u
/** A longer text is not a removal. */
const LONGEST_REMOVAL = 100

/**
 * Returns whether a note mentions an allergy or an intolerance, or leaves out one of the fourteen allergens of EU law.
 * @param text as the client sent it, before characters are replaced for the printer
 */
export function namesAllergy(text: string): boolean {
  return remembered(NOTES, text, true)
}

/**
 * The same for a modifier. Menus offer "no egg" and "no mustard" to everyone, so leaving out milk, egg, fish or mustard is not a warning
 * there. Leaving out nuts, shellfish, gluten and the like is.
 */
export function modifierNamesAllergy(text: string): boolean {
  return remembered(MODIFIERS, text, false)
}

// Caches. Every station's ticket checks all lines of its order, and the same notes recur all day.
const NOTES = new Map<string, boolean>()
const MODIFIERS = new Map<string, boolean>()
const MAX_REMEMBERED = 2_000
const LONGEST_REMEMBERED = 500

function remembered(answers: Map<string, boolean>, text: string, isNote: boolean): boolean {
  const known = answers.get(text)
  if (known !== undefined) return known
  const found = isWarning(text, isNote)
  if (answers.size >= MAX_REMEMBERED) answers.clear()
  if (text.length <= LONGEST_REMEMBERED) answers.set(text, found)
  return found
}

function isWarning(text: string, isNote: boolean): boolean {
  if (text === '') return false
  const plain = foldedText(text).replace(/[\s\u00a0]+/gu, ' ')
  if ([STEMS, NEVER_WANTED, FREE, VIETNAMESE, DEADLY, MUST_NOT_EAT, FREE_OF].some((words) => words.test(plain)))
    return true
  if (WITHOUT_GRAVE.some((words) => words.test(plain))) return true
  if (isNote && WITHOUT_EVERYDAY.some((words) => words.test(plain))) return true
  if (leavesOutAllergen(text, isNote)) return true
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is all of ASCII
  if (/^[\x00-\x7f]*$/.test(text)) return false
  const written = text.normalize('NFKC')
  return AS_WRITTEN.test(written) || WRITTEN_GRAVE.test(written) || (isNote && WRITTEN_EVERYDAY.test(written))
}

/** In a note a leading dash is usually a list, so only clear removals count. */
function leavesOutAllergen(text: string, isNote: boolean): boolean {
  const parts = isNote ? text.split(SENTENCE_END) : [text]
  return parts.some((part) => {
    if (part === '' || part.length > LONGEST_REMOVAL) return false
    const about = leftOut(part, { orUnclear: !isNote })
    if (about === null) return false
    const words = foldedText(about).replace(/[^\p{L}\p{N}]+/gu, ' ')
    return GRAVE.test(words) || (isNote && EVERYDAY.test(words)) || WRITTEN_NOUNS.test(about.normalize('NFKC'))
  })
}
