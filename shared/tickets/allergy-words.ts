// Words by which a guest's note or a modifier speaks of an allergy. A short honest list: it raises attention, it does not replace reading the note.

// Word stems without accents, in lower case: English, Spanish, Portuguese, French, Italian, German, Dutch, Scandinavian, Turkish, Polish; Greek and Cyrillic.
const STEMS =
  /allerg|alerg|alerji|anaphyla|anafila|epipen|c(e|oe|œ)liac|c(oe|œ)liaque|zoliakie|intoleran|αλλεργ|аллерг|алерг/
// What is left out because somebody must not eat it.
const FREE = /\b(nuts?|peanuts?|gluten|dairy|lactose|milk|eggs?|soya?|shellfish|seafood|fish|sesame|wheat)[ -]?free\b/
const WITHOUT =
  /\b(sin|sem|sans|senza)\s+(gluten|glutine|lactosa|lactose|lattosio|frutos secos|nueces|cacahuetes?|mani)\b/

// Scripts in which a mark is part of the word: compared as they are written. Chinese, Japanese, Korean, Arabic, Persian, Hebrew, Thai, Hindi.
const AS_WRITTEN = /过敏|過敏|アレルギ|알레르기|알러지|حساسي|حساسیت|אלרגי|แพ้|एलर्जी/
const VIETNAMESE = /\bdi ung\b/

/**
 * True when the text names an allergy or an intolerance. Give it the text as it came, not what a printer without these letters makes of it.
 */
export function namesAllergy(text: string): boolean {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  if (STEMS.test(plain) || FREE.test(plain) || WITHOUT.test(plain) || VIETNAMESE.test(plain)) return true
  return AS_WRITTEN.test(text.normalize('NFKC'))
}
