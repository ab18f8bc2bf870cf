// Colours for the code on the pages: comments, strings, words of the language and numbers. No more than that, in one pass, for the six languages of docs/.
import { escapeHtml } from '#cloud/api/openapi/html.ts'

const HASH = '#.*'
const SLASHES = String.raw`\/\/.*|\/\*[\s\S]*?\*\/`
const STRINGS = String.raw`"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'`
/** No part of a name, an address, a port or an instant. */
const NUMBERS = String.raw`(?<![\w./-]|\w:)\d[\d_]*(?:\.\d+)?(?![\w/:-]|\.\d)`

const words = (list: string) => String.raw`(?<![.\w-])(?:${list.replaceAll(' ', '|')})(?![\w-])`
const JAVASCRIPT = words(
  'as async await break case catch class const continue default else export false finally for from function if import in instanceof interface let new null of return switch throw true try type typeof undefined void while',
)

interface Grammar {
  comments: string
  strings: string
  keywords: string
}

const SCRIPT: Grammar = { comments: SLASHES, strings: `${STRINGS}|\`[^\`]*\``, keywords: JAVASCRIPT }
const GRAMMARS: Readonly<Record<string, Grammar>> = {
  sh: {
    comments: String.raw`(?<=^|\s)#.*`,
    // Of several lines: the body of a curl.
    strings: String.raw`"(?:\\.|[^"\\])*"|'[^']*'`,
    keywords: words('curl do done echo else export fi for if in npm npx pip python3 sleep then ticketrail while'),
  },
  js: SCRIPT,
  ts: SCRIPT,
  json: { comments: '(?!)', strings: STRINGS, keywords: words('false null true') },
  py: {
    comments: HASH,
    strings: `"""[\\s\\S]*?"""|${STRINGS}`,
    keywords: words(
      'and as class def elif else except False finally for from if import in is None not or pass raise return True try while with',
    ),
  },
  php: {
    comments: `${SLASHES}|(?<=^|\\s)#(?!\\[).*`,
    strings: STRINGS,
    keywords: words(
      'as array class declare echo else false fn foreach function if namespace new null public require return static string true use',
    ),
  },
  go: {
    comments: SLASHES,
    strings: `${STRINGS}|\`[^\`]*\``,
    keywords: words(
      'break case const defer else err false for func go if import nil package range return struct switch true type var',
    ),
  },
}

const CLASSES = ['comment', 'string', 'keyword', 'number'] as const

/** @returns HTML; code of another language is escaped and nothing more */
export function colouredCode(code: string, language: string): string {
  const grammar = GRAMMARS[language]
  if (!grammar) return escapeHtml(code)
  const { comments, strings, keywords } = grammar
  const parts = new RegExp(`(${comments})|(${strings})|(${keywords})|(${NUMBERS})`, 'gm')
  let html = ''
  let at = 0
  for (const match of code.matchAll(parts)) {
    const kind = CLASSES[match.slice(1).findIndex((part) => part !== undefined)] ?? 'comment'
    html += `${escapeHtml(code.slice(at, match.index))}<span class="c-${kind}">${escapeHtml(match[0])}</span>`
    at = match.index + match[0].length
  }
  return html + escapeHtml(code.slice(at))
}
