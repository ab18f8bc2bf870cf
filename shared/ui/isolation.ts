// Text of others within a sentence of ours: names, notes and orders may be written from the right, or hold control characters that turn what stands beside them around. Pure.

/** Marks, embeddings, overrides and isolates of direction: a name needs none of them. */
const CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu
/** What `listed` makes where one reads from the right: each text stands apart already, and nothing of it can turn what stands beside it. */
const LIST = /^(?:\u2068[^\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]*\u2069(?:، (?=\u2068)|$))+$/u
/** Letters that are written from the right. */
const FROM_THE_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
const FIRST_STRONG_ISOLATE = '\u2068'
const POP_ISOLATE = '\u2069'

/** Whether any of it is. */
export function isFromTheRight(text: string): boolean {
  return FROM_THE_RIGHT.test(text)
}

/** Fit to stand within a sentence: it has its own direction, and turns nothing beside it. @param always also text that is written from the left: within a page that is read from the right */
export function isolated(text: string, always = false): string {
  if (LIST.test(text)) return text
  const plain = text.replace(CONTROLS, '')
  return plain !== '' && (always || isFromTheRight(plain)) ? `${FIRST_STRONG_ISOLATE}${plain}${POP_ISOLATE}` : plain
}

/** Names or notes one after the other. @param comma of the page's language, with its space; an Arabic one keeps each text apart, so that also Latin names stand in the order in which one reads */
export function listed(texts: readonly string[], comma: string): string {
  return texts.map((text) => isolated(text, isFromTheRight(comma))).join(comma)
}

/** A catalogue whose sentences isolate each text that they are given. Other values, such as counts, go through as they are. */
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
