// What a restaurant is texted about a voicemail.
import type { SpokenLanguage } from './profile.ts'

export interface VoicemailNews {
  /** E.164; null: withheld, or not known. */
  from: string | null
  seconds: number
  /** Null: there is no text of it. */
  text: { words: string; isUncertain: boolean } | null
  /** Where it can be heard; null: the relay has no public address. */
  link: string | null
}

const MOST_CHARACTERS = 300

const WORDS = {
  en: {
    withText: (from: string, length: string) => `Voicemail from ${from} (${length}): `,
    withoutText: (from: string, length: string) => `New voicemail from ${from} (${length})`,
    withheld: 'a withheld number',
    uncertain: 'may be wrong',
    listen: 'listen',
  },
  es: {
    withText: (from: string, length: string) => `Mensaje de voz de ${from} (${length}): `,
    withoutText: (from: string, length: string) => `Nuevo mensaje de voz de ${from} (${length})`,
    withheld: 'un número oculto',
    uncertain: 'puede tener errores',
    listen: 'escuchar',
  },
} as const satisfies Record<SpokenLanguage, object>

/** The caller's words are cut after 300 characters; a `"` in them becomes `'`. */
export function voicemailText({ from, seconds, text, link }: VoicemailNews, language: SpokenLanguage): string {
  const words = WORDS[language]
  const who = from ?? words.withheld
  const length = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  if (text === null) return words.withoutText(who, length) + (link === null ? '' : `, ${words.listen}: ${link}`)
  const uncertain = text.isUncertain ? ` (${words.uncertain})` : ''
  return `${words.withText(who, length)}"${shortened(text.words)}"${uncertain}${link === null ? '' : ` - ${link}`}`
}

function shortened(words: string): string {
  const characters = [...words.replaceAll('"', "'")]
  return characters.length <= MOST_CHARACTERS
    ? characters.join('')
    : `${characters
        .slice(0, MOST_CHARACTERS - 3)
        .join('')
        .trimEnd()}...`
}
