// The languages of the pages and displays, in one list. A new language is a line here; the types then require its texts in each catalogue.

interface LanguageFacts {
  /** BCP 47, as it is stored and as in the attribute `lang`. */
  id: string
  /** The name of the language in the language itself. */
  name: string
  direction: 'ltr' | 'rtl'
  /** For Intl: numbers are written with the digits that are on paper. */
  locale: string
  /** The letter of the byte: `B` by default. */
  byte?: string
}

export const LANGUAGES = [
  { id: 'en', name: 'English', direction: 'ltr', locale: 'en' },
  { id: 'es', name: 'Español', direction: 'ltr', locale: 'es' },
  { id: 'de', name: 'Deutsch', direction: 'ltr', locale: 'de' },
  { id: 'fr', name: 'Français', direction: 'ltr', locale: 'fr', byte: 'o' },
  { id: 'zh-Hans', name: '简体中文', direction: 'ltr', locale: 'zh-Hans' },
  { id: 'ar', name: 'العربية', direction: 'rtl', locale: 'ar-u-nu-latn' },
] as const satisfies readonly LanguageFacts[]
export type LanguageId = (typeof LANGUAGES)[number]['id']

/** Every id, as `z.enum` wants them. */
export const LANGUAGE_IDS = /* @__PURE__ */ LANGUAGES.map(({ id }) => id) as [LanguageId, ...LanguageId[]]

export function isLanguage(text: unknown): text is LanguageId {
  return LANGUAGES.some(({ id }) => id === text)
}

/** The entry of a language; English for an unsupported one. */
export function languageFacts(id: string): LanguageFacts & { id: LanguageId } {
  return LANGUAGES.find((language) => language.id === id) ?? LANGUAGES[0]
}

/**
 * The first supported language of those that a browser asks for; English when there is none.
 * @param asked BCP 47, the best first
 * @param languages of the page; default: all
 */
export function languageFor(
  asked: readonly string[],
  languages: readonly { id: LanguageId }[] = LANGUAGES,
): LanguageId {
  for (const tag of asked) {
    // Readers of traditional Chinese read English more easily than the wrong script: their tags are skipped.
    if (/^zh-(hant|tw|hk|mo)/i.test(tag)) continue
    const primary = primaryOf(tag)
    const spoken = languages.find(({ id }) => primaryOf(id) === primary)
    if (spoken) return spoken.id
  }
  return 'en'
}

function primaryOf(tag: string): string {
  return tag.toLowerCase().split('-')[0] ?? ''
}
