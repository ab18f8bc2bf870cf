// The pages for client developers as they are sent: each page, the front page, what a search found, and the lists for language models.
import { escapeHtml } from '#cloud/api/openapi/html.ts'
import type { OpenApiDocument } from '#cloud/api/openapi/json-schema.ts'
import { docsFramed } from '#cloud/api/openapi/page-frame.ts'
import { type DocFile, type DocPage, readPages } from './doc-pages.ts'
import { drawMarkdown, type Heading } from './markdown.ts'
import { type Found, type Search, searchIn } from './search-index.ts'

/** Pages that are made from the OpenAPI document, beside those of docs/. */
const MADE = [
  { url: '/docs/reference', title: 'API reference', summary: 'Every call with its fields, a curl and an answer.' },
  { url: '/docs/errors', title: 'Error codes', summary: 'What each code means and what to do about it.' },
]

export class DocSite {
  readonly #pages: readonly DocPage[]
  readonly #document: OpenApiDocument
  #search: Promise<Search> | null = null

  private constructor(pages: readonly DocPage[], document: OpenApiDocument) {
    this.#pages = pages
    this.#document = document
  }

  /** @throws when a file of docs/ cannot be read */
  static async open(files: readonly DocFile[], document: OpenApiDocument): Promise<DocSite> {
    return new DocSite(await readPages(files, document.servers[0]?.url ?? ''), document)
  }

  markdown(id: string): string {
    return this.#page(id).markdown
  }

  page(id: string): string {
    const page = this.#page(id)
    const { html, headings } = drawMarkdown(page.markdown, htmlUrl)
    const at = this.#pages.indexOf(page)
    const step = (other: DocPage | undefined, words: string, rel: string) =>
      other
        ? `<a rel="${rel}" href="${other.url}"><span>${words}</span>${escapeHtml(other.title)}</a>`
        : '<span></span>'
    return docsFramed({
      title: `${page.title} - Ticketrail docs`,
      list: this.#list(page.url),
      head: `<meta name="description" content="${escapeHtml(page.summary)}">
<link rel="alternate" type="text/markdown" href="${page.url}.md">\n`,
      main: `<article class="doc">${html}</article>
<div class="steps">${step(this.#pages[at - 1], 'Before', 'prev')}${step(this.#pages[at + 1], 'Next', 'next')}</div>
<footer><p><a href="${page.url}.md">This page as Markdown</a></p></footer>`,
      aside: onThisPage(headings),
    })
  }

  front(): string {
    return docsFramed({
      title: 'Ticketrail docs',
      list: this.#list('/docs'),
      main: `<h1>Ticketrail for developers</h1>
<p class="lead">Send an order over HTTP, and it comes out of the kitchen's printers. Signed webhooks tell you when the printer has confirmed it.</p>
<p><a class="button" href="${this.#has('guides/quick-start') ? '/docs/guides/quick-start' : '/docs/reference'}">Quick start</a> <a class="button plain" href="/docs/reference">API reference</a></p>
${this.#firstOrder()}
${this.#groups()
  .map(
    ({ title, pages }) =>
      `<h2>${title}</h2><ul class="cards">${pages.map((one) => `<li><a href="${one.url}"><strong>${escapeHtml(one.title)}</strong><span>${escapeHtml(one.summary)}</span></a></li>`).join('')}</ul>`,
  )
  .join('\n')}
<h2 id="calls">Every call</h2>
${this.#calls()}
<footer><p>For language models: <a href="/llms.txt">llms.txt</a>, <a href="/llms-full.txt">llms-full.txt</a>; each page also ends in <code>.md</code>. For generators: <a href="/v1/openapi.json">openapi.json</a> (OpenAPI 3.1). For voice agents: <a href="/docs/agents.json">agents.json</a>.</p></footer>`,
    })
  }

  async search(query: string): Promise<Found[]> {
    this.#search ??= searchIn(this.#pages, this.#document)
    return query === '' ? [] : (await this.#search)(query)
  }

  async searchPage(query: string): Promise<string> {
    const found = await this.search(query)
    const said =
      query === ''
        ? '<p>Write a word into the field above: a call, a field, an error code, a status.</p>'
        : found.length === 0
          ? `<p>Nothing was found for <strong>${escapeHtml(query)}</strong>. Try one word, or the <a href="/docs/reference">reference</a>.</p>`
          : `<p>${found.length} ${found.length === 1 ? 'result' : 'results'} for <strong>${escapeHtml(query)}</strong></p>`
    return docsFramed({
      title: query === '' ? 'Search - Ticketrail docs' : `${query} - Ticketrail docs`,
      list: this.#list('/docs/search'),
      main: `<h1>Search</h1>${said}${resultList(found)}`,
      query,
    })
  }

  /** @param words of the address that was not found */
  async missingPage(words: string): Promise<string> {
    const found = (await this.search(words)).slice(0, 5)
    return docsFramed({
      title: 'No such page - Ticketrail docs',
      list: this.#list(''),
      main: `<h1>There is no such page</h1>
<p>No page has this address. ${found.length > 0 ? 'Perhaps one of these is meant:' : 'All pages are in the list, and the search finds words in them.'}</p>${resultList(found)}`,
      query: words,
    })
  }

  /** In the form of llmstxt.org. @param address the relay's own, without a slash at the end */
  llms(address: string): string {
    const line = ({ title, url, summary }: { title: string; url: string; summary: string }, end = '') =>
      `- [${title}](${address}${url}${end}): ${summary}`
    const groups = this.#groups().map(({ title, pages }) => {
      const lines = pages.map((one) => line(one, 'markdown' in one ? '.md' : ''))
      return `## ${title}\n\n${lines.join('\n')}`
    })
    return `# Ticketrail\n\n> ${LLMS_SUMMARY}\n\n- [OpenAPI 3.1](${address}/v1/openapi.json): every call, field and event, for generators\n- [Tools of voice agents](${address}/docs/agents.json): what an agent that takes orders may call, as function definitions\n- [All pages in one file](${address}/llms-full.txt)\n\n${groups.join('\n\n')}\n`
  }

  llmsFull(): string {
    return `${this.#pages
      .filter(({ id }) => id !== 'changelog')
      .map(({ markdown }) => markdown.trim())
      .join('\n\n---\n\n')}\n`
  }

  #page(id: string): DocPage {
    const page = this.#pages.find((one) => one.id === id)
    if (!page) throw new Error(`there is no page ${id}`)
    return page
  }

  #has(id: string): boolean {
    return this.#pages.some((one) => one.id === id)
  }

  #groups(): { title: string; pages: (DocPage | (typeof MADE)[number])[] }[] {
    const groups = Object.entries(Object.groupBy(this.#pages, ({ group }) => group))
    return [...groups.map(([title, pages = []]) => ({ title, pages })), { title: 'Reference', pages: MADE }]
  }

  #list(current: string): string {
    const item = ({ url, title }: { url: string; title: string }) =>
      `<li><a href="${url}"${url === current ? ' aria-current="page"' : ''}>${escapeHtml(title)}</a></li>`
    return this.#groups()
      .map(({ title, pages }) => `<strong>${title}</strong><ul>${pages.map(item).join('')}</ul>`)
      .join('\n')
  }

  #firstOrder(): string {
    const address = this.#document.servers[0]?.url ?? ''
    const order = `curl ${address}/v1/order/inject \\
  -H "Authorization: Bearer $TICKETRAIL_API_KEY" -H 'Content-Type: application/json' \\
  -d '{"merchantId": "M-TEST-001", "orderId": "first-1", "source": "kiosk",
       "items": [{"umsId": "UMS-BURGER-01", "qty": 2, "price": 12.50}], "total": 25.00}'`
    const key = this.#has('guides/quick-start')
      ? '<a href="/docs/guides/quick-start#1-get-a-sandbox-key">sandbox key</a>'
      : 'sandbox key'
    return `<p>With a ${key} in <code>TICKETRAIL_API_KEY</code>:</p>\n${drawMarkdown(`\`\`\`sh\n${order}\n\`\`\``, String).html}`
  }

  /** The anchors are those that the reference had while it stood here: old links still find their call. */
  #calls(): string {
    const calls = Object.entries(this.#document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId, tags, summary }]) => ({
        path,
        method,
        operationId,
        tags,
        summary,
      })),
    )
    const rows = (tag: string) =>
      calls
        .filter(({ tags }) => tags.includes(tag))
        .map(
          ({ method, path, operationId, summary }) =>
            `<li id="${operationId}"><a href="/docs/reference#${operationId}"><span class="verb ${method}">${method === 'delete' ? 'DEL' : method.toUpperCase()}</span><code>${escapeHtml(path)}</code></a> <span class="type">${escapeHtml(summary)}</span></li>`,
        )
        .join('')
    const tags = this.#document.tags.filter(({ name }) => rows(name) !== '')
    const groups = tags.map(({ name }) => `<h3 id="${name}">${name}</h3><ul class="calls">${rows(name)}</ul>`)
    const events = Object.keys(this.#document.webhooks).map(
      (type) => `<li id="event-${type}"><a href="/docs/reference#event-${type}"><code>${type}</code></a></li>`,
    )
    return `${groups.join('\n')}<h3 id="events">Events</h3><ul class="calls">${events.join('')}</ul>`
  }
}

const LLMS_SUMMARY =
  'Ticketrail sends restaurant orders from an HTTP API to kitchen printers and displays, and tells by signed webhooks what became of them. Base path /v1, JSON, Authorization: Bearer <API key>. 503 printer.offline with an order means that the order is stored.'

/** Pages link to each other by their files. */
const htmlUrl = (target: string) => (/^[a-z]+:/i.test(target) ? target : target.replace(/\.md(?=#|$)/, ''))

function onThisPage(headings: readonly Heading[]): string {
  const shown = headings.filter(({ level }) => level <= 3)
  if (shown.length < 2) return ''
  const items = shown.map(
    ({ level, text, anchor }) => `<li class="of-${level}"><a href="#${anchor}">${escapeHtml(text)}</a></li>`,
  )
  return `<nav class="toc" aria-label="On this page"><strong>On this page</strong><ul>${items.join('')}</ul></nav>`
}

const resultList = (found: readonly Found[]) =>
  `<ol class="found">${found
    .map(
      ({ title, page, url, excerpt, words }) =>
        `<li><a href="${escapeHtml(url)}">${escapeHtml(title)}</a> <span class="type">${escapeHtml(page)}</span><p>${marked(excerpt, words)}</p></li>`,
    )
    .join('\n')}</ol>`

/** The words that were found stand out; the text is escaped piece by piece. */
export function marked(text: string, words: readonly string[]): string {
  const longestFirst = words.filter((word) => word !== '').toSorted((a, b) => b.length - a.length)
  if (longestFirst.length === 0) return escapeHtml(text)
  return text
    .split(new RegExp(`(${longestFirst.map((word) => RegExp.escape(word)).join('|')})`, 'iu'))
    .map((part, i) => (i % 2 === 1 ? `<mark>${escapeHtml(part)}</mark>` : escapeHtml(part)))
    .join('')
}
