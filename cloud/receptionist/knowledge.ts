// Finds the answer to a caller's question among those that the restaurant has written. Rather none than a wrong one: a caller cannot see that it is wrong.
import MiniSearch from 'minisearch'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import type { KnowledgeEntriesTable } from '#cloud/storage/schema-receptionist.ts'
import type { KnowledgeId, MerchantKey } from '#shared/ids.ts'
import { KeptValues } from './kept-values.ts'
import { hoursAnswer } from './opening-hours.ts'
import type { ReceptionistProfile, SpokenLanguage } from './profile.ts'
import { plain, type SpokenWords } from './words/spoken-words.ts'
import { wordsIn } from './words/words-in.ts'

export type KnownAnswer = Pick<KnowledgeEntriesTable, 'id' | 'question' | 'answer' | 'tags' | 'enabled' | 'updated_at'>

/** Which part of a question's words must be words of the entry's own question or tags. */
const ENOUGH_OF_QUESTION = 0.5
/** Which part of the entry's words the caller must have said, or said other words for. */
const ENOUGH_OF_ENTRY = 0.3
/** Restaurants whose indexes are kept. */
const MOST_KEPT = 500

type Find = (question: string) => KnownAnswer | null

export class Knowledge {
  readonly #kept = new KeptValues<Find>(MOST_KEPT)

  /** What a caller hears who asks this: of the entries, else of the opening hours, whose id is null. Null: it is not known. */
  answer(
    question: string,
    of: {
      merchant: Pick<MerchantRecord, 'key' | 'timeZone'>
      profile: ReceptionistProfile
      entries: readonly KnownAnswer[]
      nowMs: number
    },
  ): { id: KnowledgeId | null; say: string } | null {
    const { merchant, profile, entries, nowMs } = of
    const { language } = profile
    // What the restaurant wrote itself is more exact than the hours: "until when is the kitchen open?"
    const known = this.find(question, { merchantKey: merchant.key, language, entries })
    if (known !== null) return known
    const say = hoursAnswer(question, { profile, timeZone: merchant.timeZone, nowMs }, language)
    return say === null ? null : { id: null, say }
  }

  /** The entry that answers this; null: none does well enough. */
  find(
    question: string,
    of: { merchantKey: MerchantKey; language: SpokenLanguage; entries: readonly KnownAnswer[] },
  ): { id: KnowledgeId; say: string } | null {
    const { merchantKey, language, entries } = of
    const mark = entries.map(({ id, updated_at, enabled }) => `${id} ${updated_at} ${enabled}`).join()
    const find = this.#kept.of(`${merchantKey} ${language}`, mark, () => indexOf(entries, wordsIn(language)))
    const found = find(question)
    return found && { id: found.id, say: found.answer }
  }
}

function indexOf(entries: readonly KnownAnswer[], words: SpokenWords): Find {
  const terms = (text: string): string[] => termsOf(text, words)
  const known = entries
    .filter(({ enabled }) => enabled === 1)
    .map((entry, id) => {
      const tags = JSON.parse(entry.tags) as string[]
      return { id, entry, question: entry.question, tags: tags.join(' '), terms: new Set(terms(entry.question)) }
    })
  const index = new MiniSearch<(typeof known)[number]>({
    fields: ['question', 'tags'],
    tokenize: terms,
    processTerm: (term) => term,
    searchOptions: {
      boost: { tags: 1.5 },
      prefix: (term) => term.length >= 4,
      fuzzy: (term) => (term.length >= 6 ? 0.2 : false),
    },
  })
  index.addAll(known)
  return (question) => {
    const asked = new Set(terms(question))
    if (asked.size === 0) return null
    for (const { id, queryTerms, match } of index.search(question)) {
      const one = known[id]
      if (one === undefined || queryTerms.length / asked.size < ENOUGH_OF_QUESTION) continue
      const isByTag = Object.values(match).some((fields) => fields.includes('tags'))
      const said = Object.keys(match).filter((term) => one.terms.has(term)).length
      if (isByTag || said / one.terms.size >= ENOUGH_OF_ENTRY) return one.entry
    }
    return null
  }
}

/** The words that say what a text is about, without their endings. */
function termsOf(text: string, { stopWords }: SpokenWords): string[] {
  return plain(text)
    .split(' ')
    .filter((word) => word !== '' && !stopWords.has(word))
    .map(stemOf)
}

/** Enough for "parking" and "park", "dogs" and "dog", "mesas" and "mesa". */
function stemOf(word: string): string {
  if (word.length > 5 && word.endsWith('ing')) return word.slice(0, -3)
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  return word.length > 3 && /[^su]s$/.test(word) ? word.slice(0, -1) : word
}
