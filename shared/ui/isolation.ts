// Isolates text of others in our sentences: names, notes and orders may be right-to-left, or contain control characters that reorder the text around them. Pure.

/** Directional marks, embeddings, overrides and isolates. No name needs them. */
const CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu
/** A result of `listed` in a right-to-left language: each text is isolated already. */
const LIST = /^(?:\u2068[^\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]*\u2069(?:، (?=\u2068)|$))+$/u
/** Right-to-left letters. */
const FROM_THE_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
const FIRST_STRONG_ISOLATE = '\u2068'
const POP_ISOLATE = '\u2069'

/** Returns whether any of the text is right-to-left. */
export function isFromTheRight(text: string): boolean {
  return FROM_THE_RIGHT.test(text)
}

/**
 * Makes text safe inside a sentence: it keeps its own direction, and does not reorder its neighbours. @param always also isolates
 * left-to-right text, for right-to-left pages
 */
export function isolated(text: string, always = false): string {
  if (LIST.test(text)) return text
  const plain = text.replace(CONTROLS, '')
  return plain !== '' && (always || isFromTheRight(plain)) ? `${FIRST_STRONG_ISOLATE}${plain}${POP_ISOLATE}` : plain
}

/**
 * Joins names or notes. @param comma of the page's language, with its space; with the Arabic one each text is isolated, so that Latin names
 * are in reading order too
 */
export function listed(texts: readonly string[], comma: string): string {
  return texts.map((text) => isolated(text, isFromTheRight(comma))).join(comma)
}

/** A catalogue whose sentences isolate each text value. Other values, such as counts, are unchanged. */
export function withIsolation<M>(catalogue: M, always: boolean): M {
  if (typeof catalogue === 'function') {
    const sentence = catalogue as unknown as (...given: unknown[]) => unknown
    const said = (...given: unknown[]) =>
      sentence(...given.map((one) => (typeof one === 'string' ? isolated(one, always) : one)))
    return said as unknown as M
  }
  if (typeof catalogue !== 'object' || catalogue === null || Array.isArray(catalogue)) return catalogue
  return Object.fromEntries(Object.entries(catalogue).map(([key, part]) => [key, withIsolation(part, always)])) as M
}
