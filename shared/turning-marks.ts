// Control characters that reorder the text around them: bidi embeddings, overrides and isolates. A name needs none of them, and with one it reads as another. Pure.

const TURNING = /[\u202a-\u202e\u2066-\u2069]/gu

/** Marks such as U+200F stay: they reorder nothing, and Arabic and Hebrew use them. */
export function withoutTurning(text: string): string {
  return text.replace(TURNING, '')
}

/** What a page was sent, without them in any of its texts. @throws SyntaxError when it is no JSON */
export function plainJson(text: string): unknown {
  return JSON.parse(withoutTurning(text))
}
