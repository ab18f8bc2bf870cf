// Search in the pages: one entry a section, an operation, an event and an error code. Made when somebody searches first.
import { setImmediate } from 'node:timers/promises'
import MiniSearch, { type SearchResult } from 'minisearch'
import type { OpenApiDocument } from '#cloud/api/openapi/json-schema.ts'
import { ERROR_HELP } from '#shared/error-help.ts'
import { ERROR_TABLE, type ErrorCode } from '#shared/errors.ts'
import { type DocPage, plainText } from './doc-pages.ts'
import { drawMarkdown } from './markdown.ts'

const MOST_FOUND = 20
const EXCERPT_LENGTH = 180

interface Entry {
  url: string
  /** Of the page. */
  page: string
  heading: string
  text: string
}

export interface Found {
  title: string
  page: string
  url: string
  /** Plain text around the first word that was found. */
  excerpt: string
  /** The words of the entry that were found, in lower case. */
  words: string[]
}

export type Search = (query: string) => Found[]

/** Orders are taken between its pages: all of them together are some tenths of a second on a busy machine. */
export async function searchIn(pages: readonly DocPage[], document: OpenApiDocument): Promise<Search> {
  const entries: Entry[] = []
  const index = new MiniSearch<Entry & { id: number }>({
    fields: ['heading', 'page', 'text'],
    searchOptions: {
      boost: { heading: 4, page: 2 },
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
  const shown = ({ id, match }: SearchResult): Found => {
    const { heading, page, url, text } = entries[id] as Entry
    const words = Object.keys(match)
    return { title: heading, page, url, excerpt: excerptOf(text, words), words }
  }
  return (query) => {
    const all = index.search(query, { combineWith: 'AND' })
    const found = all.length > 0 ? all : index.search(query, { combineWith: 'OR' })
    return found.slice(0, MOST_FOUND).map(shown)
  }
}

/** A page's text before its first heading, and what stands under each. */
function sectionsOf({ url, title, markdown }: DocPage): Entry[] {
  const { headings } = drawMarkdown(markdown, String, true)
  const parts = markdown.replace(/^# .*\n/, '').split(/^#{2,6} .*$/m)
  const sections: Entry[] = [{ url, page: title, heading: title, text: plainText(parts[0] ?? '') }]
  // A line of code that begins with ## would be none of the headings.
  if (parts.length !== headings.length + 1) return [{ url, page: title, heading: title, text: plainText(markdown) }]
  for (const [i, { text, anchor }] of headings.entries())
    sections.push({ url: `${url}#${anchor}`, page: title, heading: text, text: plainText(parts[i + 1] ?? '') })
  return sections
}

function operationsOf({ paths, webhooks }: OpenApiDocument): Entry[] {
  const page = 'API reference'
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => ({
      ...{ url: `/docs/reference#${one.operationId}`, page, heading: one.summary },
      text: `${method.toUpperCase()} ${path} ${plainText(one.description ?? '')}`,
    })),
  )
  const events = Object.entries(webhooks).map(([type, { post }]) => ({
    ...{ url: `/docs/reference#event-${type}`, page, heading: type, text: `Event. ${plainText(post.summary)}` },
  }))
  return [...calls, ...events]
}

function errorsOf(): Entry[] {
  return (Object.keys(ERROR_TABLE) as ErrorCode[]).map((code) => ({
    ...{ url: `/docs/errors#${code}`, page: 'Error codes', heading: code },
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
