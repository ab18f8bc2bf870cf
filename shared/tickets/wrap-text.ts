// Breaks text into lines: between words, between Chinese characters, and never inside of what a reader takes for one character.
import { type Grapheme, graphemes, isNarrow } from './display-width.ts'

/** What must not be parted unless it is longer than a line. */
interface Word {
  text: string
  width: number
  /** What stands before it, when it does not begin its line. */
  gap: '' | ' '
}

/**
 * Breaks text into lines of at most `width` columns, between words; LF breaks too. A word longer than a line is cut hard and
 * starts on the line where it stands. Never empty: '' gives one empty line.
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

  /** Puts the open line away. */
  end(): void {
    this.#lines.push(this.#line)
    this.#line = ''
    this.#used = 0
  }

  /** Longer than any line. It starts here when at least a few characters fit, or a new line would be as bad. */
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

/** What stands for a character that no font has: half of it would be read as another one. */
const STAND_INS = /(\[U\+[0-9A-F]{4,6}\])/

/** The graphemes of a word, with each stand-in as one of them where a line has room for it. */
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

// Chinese and Japanese write no spaces: lines break between any two characters, but a closing mark does not begin a line and an
// opening one does not end it. Korean has spaces and breaks there.
const BREAKS =
  /[\u2e80-\u2fff\u3005-\u3007\u3021-\u3029\u3041-\u30ff\u31c0-\u9fff\ua000-\ua4cf\uf900-\ufaff\uff66-\uff9f\u{20000}-\u{3fffd}]/u
const NOT_AT_START =
  /^[\s!%),.:;?\]}¢°·’”›℃、。〃々〉》」』】〕〗〙〟ー・：；？！，．）］｝〜～ぁぃぅぇぉっゃゅょァィゥェォッャュョ]/u
const NOT_AT_END = /[([{£¥‘“‹〈《「『【〔〖〘〝（［｛]$/u

// Thai and its neighbours write no spaces either, and break between words, which only a dictionary knows.
const NO_SPACES = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** Places in the text, in UTF-16 units, at which a word of such a script begins. */
function wordStarts(text: string): ReadonlySet<number> {
  if (!NO_SPACES.test(text)) return new Set()
  return new Set(Array.from(wordSegmenterOf().segment(text), ({ index }) => index))
}

// Made at the first need and then kept: a value that never changes, not state.
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
