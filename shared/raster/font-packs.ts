// The built-in fonts, in order of preference. Installed fonts come after the first one.

/** Shapes of Chinese characters: one code point is written differently in these countries. */
export type HanStyle = 'sc' | 'tc' | 'jp' | 'kr'

export interface BasePack {
  /** npm package without its scope. */
  package: string
  /** The scripts for which it can be used, in words. */
  scripts: string
  weight: 400 | 700
  /** Which parts of the package are read. `numbered`: its font is split into some hundred numbered parts. */
  parts: readonly string[] | 'all' | 'numbered'
  isMonospaced?: boolean
  han?: HanStyle
  /** True if its letters are the same size and on the same baseline as those of the text pack, although a few of its signs are taller. */
  standsAmongLatin?: boolean
}

export const TEXT_PACK: BasePack = {
  package: 'noto-sans-mono',
  scripts: 'Latin, Greek, Cyrillic, Vietnamese',
  weight: 400,
  parts: 'all',
  isMonospaced: true,
}

/** Packages with one part, which has the same name. */
const SCRIPTS: readonly (readonly [part: string, scripts: string])[] = [
  ['hebrew', 'Hebrew'],
  ['thai', 'Thai'],
  ['devanagari', 'Hindi, Marathi, Nepali (Devanagari)'],
  ['bengali', 'Bengali, Assamese'],
  ['gurmukhi', 'Punjabi (Gurmukhi)'],
  ['gujarati', 'Gujarati'],
  ['tamil', 'Tamil'],
  ['telugu', 'Telugu'],
  ['kannada', 'Kannada'],
  ['malayalam', 'Malayalam'],
  ['oriya', 'Odia'],
  ['sinhala', 'Sinhala'],
  ['khmer', 'Khmer'],
  ['lao', 'Lao'],
  ['myanmar', 'Burmese, Shan'],
  ['georgian', 'Georgian'],
  ['armenian', 'Armenian'],
  ['ethiopic', 'Amharic, Tigrinya (Ethiopic)'],
  ['thaana', 'Dhivehi (Thaana)'],
  ['syriac', 'Syriac'],
  ['mongolian', 'Mongolian'],
  ['cherokee', 'Cherokee'],
  ['canadian-aboriginal', 'Inuktitut, Cree (Canadian syllabics)'],
  ['tifinagh', 'Tamazight (Tifinagh)'],
  ['nko', 'N’Ko'],
  ['adlam', 'Fulani (Adlam)'],
  ['vai', 'Vai'],
  ['javanese', 'Javanese'],
  ['balinese', 'Balinese'],
  ['sundanese', 'Sundanese'],
  ['cham', 'Cham'],
  ['meetei-mayek', 'Manipuri (Meetei Mayek)'],
  ['ol-chiki', 'Santali (Ol Chiki)'],
  ['lisu', 'Lisu'],
  ['tai-le', 'Tai Nüa (Tai Le)'],
  ['new-tai-lue', 'New Tai Lue'],
  ['tai-tham', 'Lanna (Tai Tham)'],
  ['yi', 'Yi'],
  ['bamum', 'Bamum'],
  ['buginese', 'Buginese'],
  ['buhid', 'Buhid'],
  ['hanifi-rohingya', 'Rohingya (Hanifi)'],
  ['hanunoo', 'Hanunoo'],
  ['kayah-li', 'Kayah Li'],
  ['lepcha', 'Lepcha'],
  ['limbu', 'Limbu'],
  ['mende-kikakui', 'Mende (Kikakui)'],
  ['newa', 'Newar (Newa)'],
  ['osage', 'Osage'],
  ['rejang', 'Rejang'],
  ['samaritan', 'Samaritan'],
  ['saurashtra', 'Saurashtra'],
  ['sora-sompeng', 'Sora (Sora Sompeng)'],
  ['syloti-nagri', 'Sylheti (Syloti Nagri)'],
  ['tagalog', 'Tagalog (Baybayin)'],
  ['tagbanwa', 'Tagbanwa'],
  ['tai-viet', 'Tai Dam (Tai Viet)'],
  ['warang-citi', 'Ho (Warang Citi)'],
]

const SERIF_SCRIPTS: readonly (readonly [part: string, scripts: string])[] = [
  ['tibetan', 'Tibetan'],
  ['nyiakeng-puachue-hmong', 'Hmong (Nyiakeng Puachue)'],
  ['toto', 'Toto'],
]

const LETTERS = ['latin', 'latin-ext', 'vietnamese', 'greek', 'greek-ext', 'cyrillic', 'cyrillic-ext']

export const SCRIPT_PACKS: readonly BasePack[] = [
  // Its tall signs are rare; its letters are as deep as a line allows.
  {
    package: 'noto-sans-arabic',
    scripts: 'Arabic, Persian, Urdu',
    weight: 400,
    parts: ['arabic'],
    standsAmongLatin: true,
  },
  ...SCRIPTS.map(([part, scripts]) => scriptPack(`noto-sans-${part}`, part, scripts)),
  ...SERIF_SCRIPTS.map(([part, scripts]) => scriptPack(`noto-serif-${part}`, part, scripts)),
  {
    package: 'noto-sans',
    scripts: 'Latin, Greek, Cyrillic: rare letters',
    weight: 400,
    parts: LETTERS,
    standsAmongLatin: true,
  },
]

/** For Chinese characters, each style of text has its own order. Simplified Chinese is first if nothing else is known. */
export const HAN_PACKS: readonly BasePack[] = [
  { package: 'noto-sans-sc', scripts: 'Simplified Chinese', weight: 400, parts: 'numbered', han: 'sc' },
  { package: 'noto-sans-tc', scripts: 'Traditional Chinese', weight: 400, parts: 'numbered', han: 'tc' },
  { package: 'noto-sans-jp', scripts: 'Japanese', weight: 400, parts: 'numbered', han: 'jp' },
  { package: 'noto-sans-kr', scripts: 'Korean', weight: 400, parts: 'numbered', han: 'kr' },
]

/**
 * The fonts that are tried for a Chinese character, for each style of text. The executable leaves out characters that the next font of the
 * row would draw identically (scripts/package/font-assets.ts).
 */
export const HAN_ORDER: Readonly<Record<HanStyle, readonly HanStyle[]>> = {
  sc: ['sc', 'tc', 'jp', 'kr'],
  tc: ['tc', 'sc', 'jp', 'kr'],
  jp: ['jp', 'sc', 'tc', 'kr'],
  kr: ['kr', 'jp', 'sc', 'tc'],
}

export const SYMBOL_PACKS: readonly BasePack[] = [
  { package: 'noto-sans-symbols', scripts: 'Symbols', weight: 400, parts: ['symbols'], standsAmongLatin: true },
  {
    package: 'noto-sans-symbols-2',
    scripts: 'More symbols, Braille',
    weight: 400,
    parts: ['symbols', 'math', 'braille', 'mayan-numerals'],
    standsAmongLatin: true,
  },
  // Its only part has the name of a Latin one.
  { package: 'noto-sans-math', scripts: 'Mathematical signs', weight: 400, parts: ['latin'], standsAmongLatin: true },
]

export const EMOJI_PACK: BasePack = { package: 'noto-emoji', scripts: 'Emoji', weight: 700, parts: 'all' }

export const BASE_PACKS: readonly BasePack[] = [TEXT_PACK, ...SCRIPT_PACKS, ...HAN_PACKS, ...SYMBOL_PACKS, EMOJI_PACK]

function scriptPack(name: string, part: string, scripts: string): BasePack {
  return { package: name, scripts, weight: 400, parts: [part] }
}
