// Breaks text into lines: between words, between Chinese characters, and never inside a visible character.
import { type Grapheme, graphemes, isNarrow } from './display-width.ts'

/** Text that is not split unless it is longer than a line. */
interface Word {
  text: string
  width: number
  /** Space before it if it does not begin a line. */
  gap: '' | ' '
}

/**
 * Breaks text into lines of at most `width` columns, between words and at LF. A word longer than a line is cut, starting on the current
 * line. Never returns an empty list: '' gives one empty line.
 */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = []
  for (const paragraph of text.split('\n')) {
    const wrapper = new LineWrapper(lines, width)
    for (const word of wordsOf(paragraph)) wrapper.add(word)
    wrapper.end()
  }
  return lines
}

class LineWrapper {
  readonly #lines: string[]
  readonly #width: number
  #line = ''
  #used = 0

  constructor(lines: string[], width: number) {
    this.#lines = lines
    this.#width = width
  }

  add(word: Word): void {
    const gap = this.#line === '' ? '' : word.gap
    const room = this.#width - this.#used - gap.length
    if (word.width > this.#width) this.#cut(word, gap, room)
    else if (word.width <= room) this.#append(gap + word.text, gap.length + word.width)
    else {
      this.end()
      this.#append(word.text, word.width)
    }
  }

  /** Ends the current line. */
  end(): void {
    this.#lines.push(this.#line)
    this.#line = ''
    this.#used = 0
  }

  /**
   * For a word longer than any line. It starts on the current line if at least a few characters fit, or if a new line would be no better.
   */
  #cut(word: Word, gap: string, room: number): void {
    if (this.#line !== '' && room >= 4) this.#append(gap, gap.length)
    else if (this.#line !== '') this.end()
    for (const part of unpartedOf(word.text, this.#width)) {
      if (this.#used + part.width > this.#width && this.#line !== '') this.end()
      this.#append(part.text, part.width)
    }
  }

  #append(text: string, width: number): void {
    this.#line += text
    this.#used += width
  }
}

/** The stand-in of a character that no font has. Half of it could be mistaken for another one. */
const STAND_INS = /(\[U\+[0-9A-F]{4,6}\])/

/** The graphemes of a word. A stand-in counts as one of them if a line has room for it. */
function unpartedOf(text: string, width: number): Grapheme[] {
  // The odd parts are the stand-ins.
  return text
    .split(STAND_INS)
    .flatMap((part, i) =>
      i % 2 === 1 && part.length <= width ? [{ text: part, width: part.length }] : graphemes(part),
    )
}

function wordsOf(paragraph: string): Word[] {
  return paragraph
    .split(' ')
    .filter((part) => part !== '')
    .flatMap((part): Word[] =>
      isNarrow(part) ? [{ text: part, width: part.length, gap: ' ' }] : piecesOf(graphemes(part)),
    )
}

// Chinese and Japanese have no spaces: lines break between any two characters, except before a closing mark and after an opening one.
// Korean has spaces and breaks there.
const BREAKS =
  /[\u2e80-\u2fff\u3005-\u3007\u3021-\u3029\u3041-\u30ff\u31c0-\u9fff\ua000-\ua4cf\uf900-\ufaff\uff66-\uff9f\u{20000}-\u{3fffd}]/u
const NOT_AT_START =
  /^[\s!%),.:;?\]}¢°·’”›℃、。〃々〉》」』】〕〗〙〟ー・：；？！，．）］｝〜～ぁぃぅぇぉっゃゅょァィゥェォッャュョ]/u
const NOT_AT_END = /[([{£¥‘“‹〈《「『【〔〖〘〝（［｛]$/u

// Thai and related scripts have no spaces and break between words, which requires a dictionary.
const NO_SPACES = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** Positions in the text, in UTF-16 units, where a word of such a script begins. */
function wordStarts(text: string): ReadonlySet<number> {
  if (!NO_SPACES.test(text)) return new Set()
  return new Set(Array.from(wordSegmenterOf().segment(text), ({ index }) => index))
}

// Built on first use.
let wordSegmenter: Intl.Segmenter | undefined

function wordSegmenterOf(): Intl.Segmenter {
  wordSegmenter ??= new Intl.Segmenter('th', { granularity: 'word' })
  return wordSegmenter
}

function piecesOf(parts: readonly Grapheme[]): Word[] {
  const starts = wordStarts(parts.map(({ text }) => text).join(''))
  const words: Word[] = []
  let at = 0
  let open: Word = { text: '', width: 0, gap: ' ' }
  let previous = ''
  for (const { text, width } of parts) {
    const mayBreak =
      open.text !== '' &&
      (BREAKS.test(text) || BREAKS.test(previous) || (starts.has(at) && NO_SPACES.test(text))) &&
      !NOT_AT_START.test(text) &&
      !NOT_AT_END.test(previous)
    if (mayBreak) {
      words.push(open)
      open = { text: '', width: 0, gap: '' }
    }
    open.text += text
    open.width += width
    previous = text
    at += text.length
  }
  return open.text === '' ? words : [...words, open]
}
