// The pages for developers: whole, self-contained, with links that lead somewhere, searchable, under a policy that lets nothing in.
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ERROR_TABLE } from '#shared/errors.ts'
import { WEBHOOK_EVENT_TYPES } from '#shared/wire/webhook-event-names.ts'
import { type Answered, RelayApi } from '#test/doubles/relay-api.ts'
import { docFiles, forReaders } from './docs/doc-pages.ts'
import type { OpenApiDocument } from './openapi/json-schema.ts'

/** Pages that are not files of docs/. */
const MADE = ['/docs', '/docs/reference', '/docs/errors']

let api: RelayApi
/** Of the npm package's tarball, which is not there at first. */
let dir: string
let document: OpenApiDocument
/** Every page and text by its URL. */
let pages: Record<string, Answered>
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'docs-routes-'))
  api = await RelayApi.open({ npmTarball: join(dir, 'ticketrail.tgz') })
  const get = (url: string) => api.call('GET', url, { key: null })
  document = (await get('/v1/openapi.json')).body
  const files = docFiles()
  const ids = files.pages.flatMap(({ id }) => [`/docs/${id}`, `/docs/${id}.md`])
  const texts = [
    ...files.snippets.map(({ url }) => url),
    '/llms.txt',
    '/llms-full.txt',
    '/docs/llms.txt',
    '/docs/llms-full.txt',
    '/docs/agents.json',
    '/dashboard',
  ]
  pages = Object.fromEntries(
    await Promise.all([...MADE, ...ids, ...texts].map(async (url) => [url, await get(url)] as const)),
  )
})
afterAll(async () => {
  await api.close()
  rmSync(dir, { recursive: true })
})

const hrefsOf = (html: string) => [...html.matchAll(/ href="([^"]+)"/g)].map((match) => match[1] ?? '')
const idsOf = (html: string) => [...html.matchAll(/ id="([^"]+)"/g)].map((match) => match[1] ?? '')

const pageOf = (url: string): Answered => {
  const page = pages[url]
  if (!page) throw new Error(`nobody asked for ${url}`)
  return page
}

/** Without a question behind it. */
const PAGES = [...MADE, ...docFiles().pages.map(({ id }) => `/docs/${id}`)]

describe.each(PAGES)('%s', (url) => {
  test('is HTML in one piece: one script and one style sheet in it, nothing from elsewhere, no inline style', () => {
    const { status, headers, text } = pageOf(url)
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(text).not.toMatch(/<img|<link rel="stylesheet|<iframe| style=| on\w+="|@import|url\(/)
    expect([text.match(/<style>/g), text.match(/<script/g)]).toEqual([['<style>'], ['<script']])
  })

  test('has a policy that allows its style sheet and its script by their hashes, the icon, its search, and nothing else', () => {
    const { headers, text } = pageOf(url)
    const hash = (tag: string) => {
      const [, inner = ''] = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(text) ?? []
      return createHash('sha256').update(inner).digest('base64')
    }
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; style-src 'sha256-${hash('style')}'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'; script-src 'sha256-${hash('script')}'; form-action 'self'`,
    )
  })

  test('has unique ids, and every link of it leads to one', () => {
    const { text } = pageOf(url)
    const ids = idsOf(text)
    expect(new Set(ids).size).toBe(ids.length)
    const lost = hrefsOf(text).filter((href) => {
      if (/^https?:/.test(href) || href === '/v1/openapi.json' || href === '/dashboard') return false
      const { pathname, hash } = new URL(href, `https://relay.example${url}`)
      const target = pages[pathname]
      return target?.status !== 200 || (hash !== '' && !idsOf(target.text).includes(decodeURIComponent(hash.slice(1))))
    })
    expect(lost).toEqual([])
  })

  test('is at most 60 kB on its way', async () => {
    const { rawPayload } = await api.app.inject({ url, headers: { 'accept-encoding': 'br' } })
    expect(rawPayload.length).toBeLessThan(60_000)
  })
})

describe.each(docFiles().pages)('$file', ({ id, file }) => {
  test('is served as Markdown with the same text, whose links point to served pages', () => {
    const { headers, text } = pageOf(`/docs/${id}.md`)
    expect(headers['content-type']).toBe('text/markdown; charset=utf-8')
    const source = forReaders(readFileSync(file, 'utf8'))
    expect(text.split('\n')).toHaveLength(source.split('\n').length)
    const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, '')
    const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
    const lost = targets
      .filter((target) => !/^(https?|mailto):|^#/.test(target))
      .filter((target) => pages[new URL(target, `https://relay.example/docs/${id}.md`).pathname]?.status !== 200)
    expect(lost).toEqual([])
  })

  test('leaves no decision of the repository without its link, and no file or command of it', () => {
    const prose = pageOf(`/docs/${id}.md`).text
    const insides = /.{0,40}(?:\(\d{4}\)|[;,] \d{4}\)|\bdecision \d{4}|\]\([^)]*decisions\/|<!-- |\[Unreleased\]).*/g
    expect(prose.match(insides)).toBeNull()
    // The changelog tells of commands.
    const files = /.{0,40}(?:`(?:cloud|gateway|shared|scripts|test)\/|npm run (?:pictures|build)).{0,40}/g
    if (id !== 'changelog') expect(prose.match(files)).toBeNull()
  })

  test('refers a reader to nothing that is not served', () => {
    const source = forReaders(readFileSync(file, 'utf8'))
    const served = docFiles().pages.map((page) => page.file)
    const references = [...source.matchAll(/(?:\bsee|: |described in|are in) \[[^\][]+\]\(([^)#\s]+)[^)]*\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^https?:|snippets\//.test(target))
    expect(references.filter((target) => !served.includes(join(dirname(file), target)))).toEqual([])
  })
})

test('the front page leads to every page, and every page to every other', () => {
  for (const url of PAGES.filter((one) => !['/docs/reference', '/docs/errors'].includes(one)))
    expect(hrefsOf(pageOf(url).text)).toEqual(expect.arrayContaining(PAGES.filter((one) => one !== '/docs')))
})

describe('an address where there is no page', () => {
  test('is a page for a person, with what may be meant', async () => {
    const { statusCode, headers, body } = await api.app.inject({
      ...{ url: '/docs/guides/quickstart-<b>', headers: { accept: 'text/html,*/*' } },
    })
    expect([statusCode, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(body).not.toContain('<b>')
    expect(body).toContain('There is no such page')
    const near = await api.app.inject({ url: '/docs/idempotency', headers: { accept: 'text/html' } })
    expect(near.body).toContain('<a href="/docs/guides/idempotency-and-retries">')
  })

  test.each(['/docs/nosuch', '/docs/guides/nosuch', '/docs/snippets/..%2f..%2fpackage.json', '/docs/a/b'])(
    'is the 404 of the API for a program: %s',
    async (url) => {
      expect((await api.app.inject({ url })).json()).toMatchObject({ code: 'request.not_found', status: 404 })
    },
  )
})

describe('addresses that people type', () => {
  const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

  test.each([
    ['/', '/docs'],
    ['/docs/', '/docs'],
    ['/docs/guides', '/docs'],
    ['/docs/guides/', '/docs'],
    ['/docs/webhooks/', '/docs/webhooks'],
    ['/docs/guides/totals/', '/docs/guides/totals'],
    ['/docs/%2f%2fexample.com/', '/docs/%2F%2Fexample.com'],
  ])('%s lead a browser to %s', async (url, to) => {
    const { statusCode, headers } = await api.app.inject({ url, headers: browser })
    expect([statusCode, headers.location]).toEqual([302, to])
  })

  test('lead a program that asks for / nowhere: it gets the 404 of the API', async () => {
    expect((await api.call('GET', '/', { key: null })).body).toMatchObject({ status: 404, code: 'request.not_found' })
  })

  test('have the lists for language models beside the pages as well', () => {
    for (const name of ['llms.txt', 'llms-full.txt']) expect(pageOf(`/docs/${name}`).text).toBe(pageOf(`/${name}`).text)
  })
})

test('a link of the time when the reference stood at /docs still finds its operation or event there', () => {
  const ids = idsOf(pageOf('/docs').text)
  for (const methods of Object.values(document.paths))
    for (const { operationId } of Object.values(methods)) {
      expect(ids).toContain(operationId)
      expect(pageOf('/docs').text).toContain(`href="/docs/reference#${operationId}"`)
    }
  for (const type of WEBHOOK_EVENT_TYPES) expect(ids).toContain(`event-${type}`)
})

test("samples name the relay's own address", () => {
  expect(pageOf('/docs').text).toContain('https://relay.example/v1/order/inject')
})

describe('llms.txt', () => {
  test('has the form of llmstxt.org, and lists every page as Markdown', () => {
    const { headers, text } = pageOf('/llms.txt')
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(text).toMatch(/^# Ticketrail\n\n> .+\n\n[^#]*\n## /)
    for (const { id } of docFiles().pages) expect(text).toContain(`](https://relay.example/docs/${id}.md): `)
    for (const line of text.split('\n').filter((one) => one.startsWith('- ')))
      expect(line).toMatch(/^- \[[^\]]+\]\(https:\/\/relay\.example\/[^)]+\)(: .+)?$/)
  })

  test('is next to one text with all pages but the changelog', () => {
    const { text } = pageOf('/llms-full.txt')
    for (const { id } of docFiles().pages.filter((one) => one.id !== 'changelog'))
      expect(text).toContain(pageOf(`/docs/${id}.md`).text.trim())
  })
})

describe('the search', () => {
  const search = (q: string, headers: Record<string, string> = {}) =>
    api.app.inject({ url: '/docs/search', query: { q }, headers })
  const found = async (q: string): Promise<{ title: string; url: string }[]> =>
    (await search(q, { accept: 'application/json' })).json().data

  test.each([
    ['an error code', 'printer.offline', '/docs/errors#printer.offline'],
    ['an operation', 'inject order', '/docs/reference#injectOrder'],
    ['an event', 'order.refunded', '/docs/reference#event-order.refunded'],
    ['the beginning of a word', 'idempot', '/docs/errors#request.idempotency_mismatch'],
    ['a word with a mistake', 'injct order', '/docs/reference#injectOrder'],
    ['the fault merchants', 'M-TEST-FLAKY', '/docs/sandbox#what-the-faults-do'],
  ])('finds %s', async (_what, query, url) => {
    expect((await found(query)).map((one) => one.url)).toContain(url)
  })

  test('leads to what is there', async () => {
    for (const query of ['printer', 'webhook', 'total', 'key']) {
      for (const { url } of await found(query)) {
        const [path = '', anchor] = url.split('#')
        const { text } = pageOf(path)
        if (anchor !== undefined) expect(idsOf(text), url).toContain(anchor)
      }
    }
  })

  test('is a page for people, in which what they wrote is text', async () => {
    const { headers, body } = await search('<b>"printer</b>', { accept: 'text/html,application/json' })
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(body).toContain('&lt;b&gt;&quot;printer&lt;/b&gt;')
    expect(body).not.toContain('<b>')
    expect(body).toContain('<mark>printer</mark>')
  })

  test('is JSON under .json too, also without a match', async () => {
    expect((await api.call('GET', '/docs/search.json?q=zzzzqqqq', { key: null })).body).toEqual({
      query: 'zzzzqqqq',
      data: [],
    })
    expect((await search('zzzzqqqq')).body).toContain('Nothing was found')
    expect((await search('')).statusCode).toBe(200)
  })

  test.each([
    ...['order', 'key', 'job', 'file', 'print job', '=', 'node:crypto', 'C:\\docs', '(', '[a-', '$&', '\ud800', 'é'],
    ...['-', '{', '}', '^', '|', '/', ',', '&', '#', '~', '\u2028', '😀'],
  ])('answers whatever is asked, as a page and as JSON: %s', async (query) => {
    for (const accept of ['text/html', 'application/json'])
      expect((await search(query, { accept })).statusCode).toBe(200)
    const mistyped = await api.app.inject({
      url: `/docs/${encodeURIComponent(query.toWellFormed())}id`,
      headers: { accept: 'text/html' },
    })
    expect(mistyped.statusCode).toBe(404)
  })

  test('refuses a question of more than 100 characters, and two questions', async () => {
    expect((await search('x'.repeat(101))).statusCode).toBe(422)
    expect((await api.call('GET', '/docs/search?q=a&q=b', { key: null })).status).toBe(422)
  })
})

test('the reference has every operation, event and schema, in the list at the side too', () => {
  const ids = idsOf(pageOf('/docs/reference').text)
  const side = /<nav class="side"[\s\S]*?<\/nav>/.exec(pageOf('/docs/reference').text)?.[0] ?? ''
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  expect(operations.length).toBeGreaterThan(1)
  for (const { operationId } of operations) {
    expect(ids).toContain(operationId)
    expect(side).toContain(`href="#${operationId}"`)
  }
  for (const type of WEBHOOK_EVENT_TYPES) expect(side).toContain(`href="#event-${type}"`)
  for (const name of Object.keys(document.components.schemas)) expect(ids).toContain(`schema-${name}`)
})

test.each(PAGES)('%s has its list of contents a step from the bar of a narrow screen', (url) => {
  expect(pageOf(url).text.match(/<nav class="side" id="contents"/g)).toHaveLength(1)
  expect(pageOf(url).text).toContain('<a class="menu" href="#contents">')
})

test('the page of errors explains the further fields of each code', () => {
  expect(pageOf('/docs/errors').text).toContain('The sum of the items.')
})

test('the page of errors has an entry for every code, where docUrl leads', () => {
  const ids = idsOf(pageOf('/docs/errors').text)
  for (const code of Object.keys(ERROR_TABLE)) expect(ids).toContain(code)
})

test('each group of the page of errors has a readable title, not the prefix of its codes', () => {
  const titles = [...pageOf('/docs/errors').text.matchAll(/<h2 id="(\w+)">([^<]+)<\/h2>/g)]
  expect(titles.length).toBeGreaterThan(10)
  expect(titles.filter(([, prefix, title]) => prefix === title)).toEqual([])
})

test('what a client sends cannot become HTML of these pages', () => {
  expect(pageOf('/docs/reference').text).not.toContain('<API key>')
  expect(pageOf('/docs/reference').text).toContain('&lt;API key&gt;')
})

describe.each(['/v1/openapi.json', '/docs/reference', '/docs/errors', '/docs/webhooks'])('%s, as bytes', (url) => {
  const get = (headers: Record<string, string> = {}) => api.app.inject({ url, headers })

  test.each([
    ['br', 'br', brotliDecompressSync],
    ['gzip, deflate', 'gzip', gunzipSync],
    ['gzip, br;q=0', 'gzip', gunzipSync],
  ])('for %s comes compressed by %s, a fraction of its size', async (accepted, encoding, open) => {
    const [plain, small] = [await get(), await get({ 'accept-encoding': accepted })]
    expect([plain.headers['content-encoding'], small.headers['content-encoding']]).toEqual([undefined, encoding])
    expect(open(small.rawPayload).equals(plain.rawPayload)).toBe(true)
    expect(small.rawPayload.length * 2).toBeLessThan(plain.rawPayload.length)
    expect(Number(small.headers['content-length'])).toBe(small.rawPayload.length)
    expect([plain.headers.vary, small.headers.vary]).toEqual(['accept-encoding', 'accept-encoding'])
  })

  test('has a strong ETag of each encoding, and is 304 to whoever has these bytes', async () => {
    const tags = await Promise.all(
      ['identity', 'gzip', 'br'].map(async (name) => String((await get({ 'accept-encoding': name })).headers.etag)),
    )
    expect(new Set(tags).size).toBe(3)
    for (const tag of tags) expect(tag).toMatch(/^"[\w-]{22}"$/)
    const [plain = '', , br = ''] = tags
    const known = await get({ 'if-none-match': `"other", W/${plain}` })
    expect([known.statusCode, known.rawPayload.length, known.headers.etag]).toEqual([304, 0, plain])
    expect(known.headers['cache-control']).toBe('public, max-age=300')
    expect((await get({ 'if-none-match': br })).statusCode).toBe(200)
    expect((await get({ 'if-none-match': '*' })).statusCode).toBe(304)
  })
})

test('the npm package is 404 with what to do until it was built, and then public, with its ETag', async () => {
  const get = (headers: Record<string, string> = {}) => api.app.inject({ url: '/docs/ticketrail.tgz', headers })
  const missing = await get()
  expect(missing.json()).toMatchObject({ status: 404, code: 'request.not_found' })
  expect(missing.json().message).toContain('npm run sdk:package')
  expect(missing.headers['cache-control']).not.toContain('max-age')

  const bytes = Buffer.from([0x1f, 0x8b, 0, 0xff])
  writeFileSync(join(dir, 'ticketrail.tgz'), bytes)
  const made = await get({ 'accept-encoding': 'gzip, br' })
  expect([made.statusCode, made.headers['content-type'], made.headers['content-length']]).toEqual([
    ...[200, 'application/gzip', '4'],
  ])
  expect([made.headers['content-encoding'], made.rawPayload.equals(bytes)]).toEqual([undefined, true])
  const again = await get({ 'if-none-match': String(made.headers.etag) })
  expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0])
})

describe('a route', () => {
  test.each([
    ['without config.doc under /v1', {}, /has no config.doc/],
    ['with the operationId of another', { doc: { operationId: 'getOrder', summary: 'x', tag: 'Orders' } }, /is taken/],
  ] as const)('%s does not register', async (_name, config, words) => {
    await expect(
      RelayApi.open({
        routes: (app) => {
          app.route({ method: 'GET', url: '/v1/new', config: { access: 'any-key', ...config }, handler: () => ({}) })
        },
      }),
    ).rejects.toThrow(words)
  })
})
