// Search in the pages: one entry a section, an operation, an event and an error code. Made when somebody searches first.
import { setImmediate } from 'node:timers/promises'
import MiniSearch, { type Query, type SearchResult } from 'minisearch'
import type { OpenApiDocument } from '#cloud/api/openapi/json-schema.ts'
import { ERROR_HELP } from '#shared/error-help.ts'
import { ERROR_TABLE, type ErrorCode } from '#shared/errors.ts'
import { type DocPage, plainText } from './doc-pages.ts'
import { drawMarkdown } from './markdown.ts'

const MOST_FOUND = 20
const EXCERPT_LENGTH = 180
/** Each word is looked up in all entries; further ones are not read. */
const MOST_WORDS = 6
/** With fewer entries that have all words, those follow that have some. */
const ENOUGH = 5

type Kind = 'page' | 'section' | 'call' | 'event' | 'error'

interface Entry {
  url: string
  kind: Kind
  /** Of the page. */
  page: string
  heading: string
  text: string
  /** Of its blocks: it is searched, and never shown. */
  code: string
}

export interface Found {
  title: string
  page: string
  url: string
  /** Plain text around the first word that was found. */
  excerpt: string
  /** The words of the entry that were found, in lower case, without the s of a plural. */
  words: string[]
}

export type Search = (query: string) => Found[]

/** Somebody who asks for a word wants to read about it first, and the codes of its errors last. */
const WEIGHTS: Readonly<Record<Kind, number>> = { page: 1.5, section: 1, call: 1.4, event: 0.8, error: 0.5 }
/** Of an entry whose whole heading was asked for. The history of changes speaks of everything. */
const WHOLE_HEADING = 6
const CHANGELOG = 0.2

/** What every question has. */
const FILLERS = new Set(
  'a an and any are as at be by can do does for from get have how i if in into is it me my need not of on or should so that the there this to want was we what when where which why will with you your'.split(
    ' ',
  ),
)

/** What others call it, by the word without the s of a plural. Of several words an entry has all. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    ['ngrok', 'tunnel', 'cloudflared', 'localtunnel', 'localhost'].map((word) => [word, ['listen webhook machine']]),
  ),
  ...{ cancel: ['void'], abort: ['void'], cli: ['command line'], terminal: ['command line'], npm: ['sdk'] },
  ...{ swagger: ['openapi'], postman: ['openapi'], generator: ['openapi'], auth: ['key'], token: ['key'] },
  ...{ authentication: ['key'], authorization: ['key'], login: ['key'], throttle: ['rate'], quota: ['rate'] },
  ...{ hmac: ['signature'], signing: ['signature'], receipt: ['ticket'], duplicate: ['idempotency'] },
  ...{ schedule: ['fireAt'], scheduled: ['fireAt'], later: ['fireAt'], soldout: ['silence'], stock: ['silence'] },
}

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** One form of a word for singular and plural; null for a filler. */
function termOf(word: string): string | null {
  const lower = word.toLowerCase()
  if (FILLERS.has(lower)) return null
  return lower.length > 3 && /[^su]s$/.test(lower) ? lower.slice(0, -1) : lower
}

const termsOf = (text: string) => wordsOf(text).flatMap((word) => termOf(word) ?? [])

/** Orders are taken between its pages: all of them together are some tenths of a second on a busy machine. */
export async function searchIn(pages: readonly DocPage[], document: OpenApiDocument): Promise<Search> {
  const entries: Entry[] = []
  const index = new MiniSearch<Entry & { id: number }>({
    fields: ['heading', 'page', 'text', 'code'],
    tokenize: wordsOf,
    processTerm: termOf,
    searchOptions: {
      boost: { heading: 4, page: 2, code: 0.5 },
      prefix: (word) => word.length >= 3,
      fuzzy: (word) => (word.length >= 5 ? 0.2 : false),
    },
  })
  const add = async (some: readonly Entry[]) => {
    index.addAll(some.map((entry, i) => ({ ...entry, id: entries.length + i })))
    entries.push(...some)
    await setImmediate()
  }
  for (const page of pages) await add(sectionsOf(page))
  await add(operationsOf(document))
  await add(errorsOf())

  const ranked = (query: Query, asked: string): SearchResult[] => {
    const results = index.search(query).map((result) => {
      const { kind, url, heading } = entries[result.id] as Entry
      const terms = termsOf(heading)
      const isWhole =
        heading.toLowerCase() === asked || (kind === 'page' && terms.every((term) => term in result.match))
      const weight = WEIGHTS[kind] * (isWhole ? WHOLE_HEADING : 1) * (url.startsWith('/docs/changelog') ? CHANGELOG : 1)
      return { ...result, score: result.score * weight }
    })
    return results.sort((a, b) => b.score - a.score)
  }
  const shown = ({ id, match }: SearchResult): Found => {
    const { heading, page, url, text } = entries[id] as Entry
    const words = Object.keys(match)
    return { title: heading, page, url, excerpt: excerptOf(text, words), words }
  }
  return (query) => {
    const asked = query.trim().toLowerCase()
    const words = [...new Set(wordsOf(query).filter((word) => termOf(word) !== null))].slice(0, MOST_WORDS)
    const queries = words.map((word, i) => queryOf(word, i === words.length - 1))
    const all = ranked({ combineWith: 'AND', queries }, asked)
    const ids = new Set(all.map(({ id }) => id))
    const some =
      all.length < ENOUGH ? ranked({ combineWith: 'OR', queries }, asked).filter(({ id }) => !ids.has(id)) : []
    return [...all, ...some].slice(0, MOST_FOUND).map(shown)
  }
}

/** @param isLast it may be the beginning of a word that is still being typed */
function queryOf(word: string, isLast: boolean): Query {
  const synonyms = SYNONYMS[termOf(word) ?? '']
  if (synonyms === undefined) return isLast ? word : { queries: [word], prefix: false }
  return {
    combineWith: 'OR',
    queries: [word, ...synonyms.map((one): Query => ({ combineWith: 'AND', queries: [one] }))],
  }
}

const CODE = /^```.*\n([\s\S]*?)^```$/gm

const textAndCode = (markdown: string) => ({
  text: plainText(markdown.replaceAll(CODE, '')),
  code: [...markdown.matchAll(CODE)].map(([, code]) => code).join('\n'),
})

/** A page's text before its first heading, and what stands under each. */
function sectionsOf({ url, title, markdown }: DocPage): Entry[] {
  const { headings } = drawMarkdown(markdown, String, true)
  const parts = markdown.replace(/^# .*\n/, '').split(/^#{2,6} .*$/m)
  const first = { url, kind: 'page' as const, page: title, heading: title }
  // A line of code that begins with ## would be none of the headings.
  if (parts.length !== headings.length + 1) return [{ ...first, ...textAndCode(markdown) }]
  return [
    { ...first, ...textAndCode(parts[0] ?? '') },
    ...headings.map(({ text, anchor }, i) => ({
      ...{ url: `${url}#${anchor}`, kind: 'section' as const, page: title, heading: text },
      ...textAndCode(parts[i + 1] ?? ''),
    })),
  ]
}

function operationsOf({ paths, webhooks }: OpenApiDocument): Entry[] {
  const page = 'API reference'
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => ({
      ...{ url: `/docs/reference#${one.operationId}`, kind: 'call' as const, page, heading: one.summary, code: '' },
      text: `${method.toUpperCase()} ${path} ${plainText(one.description ?? '')}`,
    })),
  )
  const events = Object.entries(webhooks).map(([type, { post }]) => ({
    ...{ url: `/docs/reference#event-${type}`, kind: 'event' as const, page, heading: type, code: '' },
    text: `Event. ${plainText(post.summary)}`,
  }))
  return [...calls, ...events]
}

function errorsOf(): Entry[] {
  return (Object.keys(ERROR_TABLE) as ErrorCode[]).map((code) => ({
    ...{ url: `/docs/errors#${code}`, kind: 'error' as const, page: 'Error codes', heading: code, code: '' },
    text: plainText(`${ERROR_TABLE[code][0]}. ${ERROR_TABLE[code][1]} ${ERROR_HELP[code].todo}`),
  }))
}

function excerptOf(text: string, words: readonly string[]): string {
  const line = text.replaceAll(/\s+/g, ' ')
  const lower = line.toLowerCase()
  const at = Math.min(...words.map((word) => lower.indexOf(word)).filter((place) => place >= 0), line.length)
  const start = at === line.length ? 0 : Math.max(0, line.lastIndexOf(' ', Math.max(0, at - 60)) + 1)
  const end = Math.min(line.length, start + EXCERPT_LENGTH)
  return `${start > 0 ? '... ' : ''}${line.slice(start, end)}${end < line.length ? ' ...' : ''}`
}
