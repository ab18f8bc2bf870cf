// The text of a source file, read without a parser: words blanked out, blocks, expressions and statements by their brackets.

const STRING = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/
const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?\*\//
/** Where a value begins, a slash begins one too. */
const PATTERN = /(?<=[(,=:[!&|?{};\n]\s*)\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/
const WORDS = new RegExp([COMMENT, STRING, PATTERN].map(({ source }) => source).join('|'), 'g')
const OPENS = '([{'
const CLOSES = ')]}'

/** The same length and lines, without comments, strings and patterns. Templates stay: scripts of a page stand in them. */
export function withoutWords(source: string): string {
  return source.replace(WORDS, (words) => words.replace(/[^\n]/g, ' '))
}

export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}

/** Behind the bracket that closes the one at `open`. */
export function blockEnd(text: string, open: number): number {
  let depth = 0
  for (let i = open; i < text.length; i++) {
    const sign = text[i] ?? ''
    if (OPENS.includes(sign)) depth++
    else if (CLOSES.includes(sign) && --depth === 0) return i + 1
  }
  return text.length
}

/** The curly brackets around a place, or the whole text. */
export function blockOf(text: string, index: number): { from: number; to: number } {
  let depth = 0
  for (let i = index - 1; i >= 0; i--) {
    if (text[i] === '}') depth++
    else if (text[i] === '{' && depth-- === 0) return { from: i, to: blockEnd(text, i) }
  }
  return { from: 0, to: text.length }
}

/** The end of the expression that begins here: a comma, a closing bracket of what is around it, or a line that does not go on. */
export function expressionEnd(text: string, start: number): number {
  let depth = 0
  for (let i = start; i < text.length; i++) {
    const sign = text[i] ?? ''
    if (OPENS.includes(sign)) depth++
    else if (CLOSES.includes(sign) && --depth < 0) return i
    else if (depth === 0 && (sign === ',' || sign === ';')) return i
    else if (depth === 0 && sign === '\n' && !goesOn(text, i)) return i
  }
  return text.length
}

/** The end of a statement: as an expression's, but a comma is part of it. */
export function statementEnd(text: string, start: number): number {
  let end = expressionEnd(text, start)
  while (text[end] === ',') end = expressionEnd(text, end + 1)
  return end
}

function goesOn(text: string, lineEnd: number): boolean {
  return (
    /[=+\-*/?:&|(,]\s*$/.test(text.slice(Math.max(0, lineEnd - 20), lineEnd)) ||
    /^\s*[.?:+\-*/&|]/.test(text.slice(lineEnd + 1, lineEnd + 200))
  )
}
