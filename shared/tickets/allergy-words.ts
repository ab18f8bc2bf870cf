// Words by which a guest's note or a modifier speaks of an allergy. A short honest list: it raises attention, it does not replace reading the note.

// Word stems without accents, in lower case: English, Spanish, Portuguese, French, Italian, German, Dutch, Scandinavian, Turkish, Polish; Greek and Cyrillic.
const STEMS =
  /allerg|alerg|alerji|anaphyla|anafila|epipen|c(e|oe|œ)liac|c(oe|œ)liaque|zoliakie|intoleran|αλλεργ|аллерг|алерг/
// What is left out because somebody must not eat it.
const FREE = /\b(nuts?|peanuts?|gluten|dairy|lactose|milk|eggs?|soya?|shellfish|seafood|fish|sesame|wheat)[ -]?free\b/
const WITHOUT =
  /\b(sin|sem|sans|senza)\s+(gluten|glutine|lactosa|lactose|lattosio|frutos secos|nueces|cacahuetes?|mani)\b/

/** True when the text names an allergy or an intolerance. */
export function namesAllergy(text: string): boolean {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return STEMS.test(plain) || FREE.test(plain) || WITHOUT.test(plain)
}
