// A text message that fits into one segment: 160 characters of GSM 03.38, or 70 of UTF-16 where a language needs more. A second segment costs as much
// as the first, so a long name is shortened instead. Pure.
import { transliterate } from '#shared/tickets/transliteration.ts'
import { withoutTurning } from '#shared/turning-marks.ts'

const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
/** They take two places: an escape before each. */
const EXTENSION = new Set('^{}\\[~]|€\f')

const GSM_PLACES = 160
const UTF16_PLACES = 70

const SEGMENTER = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** Places that it takes in GSM 03.38; null: it has a character that is not in its alphabet. */
export function gsmPlaces(text: string): number | null {
  let places = 0
  for (const character of text) {
    if (BASIC.has(character)) places += 1
    else if (EXTENSION.has(character)) places += 2
    else return null
  }
  return places
}

/** Whether it is sent as one message. */
export function fitsOneSegment(text: string): boolean {
  const places = gsmPlaces(text)
  return places === null ? text.length <= UTF16_PLACES : places <= GSM_PLACES
}

/**
 * @param words the message around a name. With a name of one line they must fit
 * @param name as somebody typed it: what is no text is left out, letters outside of the alphabet are written with those inside if that loses
 *   none, and what is too long is cut
 */
export function oneSegment(words: (name: string) => string, name: string): string {
  const clean = oneLine(name)
  const gsm = oneLine(inGsm(clean))
  // Letters that have no counterpart, such as Chinese ones, stay as they are: the whole message is then in UTF-16.
  const chosen = gsm.includes('?') && !clean.includes('?') ? oneLine(withoutPictures(clean)) : gsm
  if (fitsOneSegment(words(chosen))) return words(chosen)
  const graphemes = Array.from(SEGMENTER.segment(chosen), ({ segment }) => segment)
  for (let length = graphemes.length - 1; length > 0; length--) {
    const shorter = words(graphemes.slice(0, length).join('').trimEnd())
    if (fitsOneSegment(shorter)) return shorter
  }
  return words('')
}

/** Without control characters, invisible marks and repeated blanks. */
export function oneLine(text: string): string {
  return withoutTurning(text.normalize('NFC'))
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/[\p{Cf}\p{Co}\p{Cn}\p{Cs}]/gu, '')
    .replace(/\s+/gu, ' ')
    .trim()
}

/** `?` for a letter that has no counterpart. Pictures are left out. Of ASCII the alphabet lacks only the backtick. */
export function inGsm(text: string): string {
  return Array.from(withoutPictures(text), (character) =>
    gsmPlaces(character) === null ? transliterate(character).replaceAll('`', "'") : character,
  ).join('')
}

function withoutPictures(text: string): string {
  return text.replace(/\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}|\ufe0f|\u20e3/gu, '')
}
