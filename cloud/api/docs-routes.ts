// The documents of the API for machines and people: /v1/openapi.json, /docs with all its pages, the lists for language models, and the npm package. Public; limited by address.
import { readFile } from 'node:fs/promises'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { ServiceError } from '#shared/errors.ts'
import { once } from '#shared/once.ts'
import type { App } from './app.ts'
import { docFiles } from './docs/doc-pages.ts'
import type { DocSite } from './docs/site.ts'
import { type KeptDocument, keptDocument, keptFile, lasting } from './kept-document.ts'
import { agentTools } from './openapi/agent-tools.ts'
import { openApiDocument } from './openapi/document.ts'
import { errorPage } from './openapi/error-page.ts'
import EXAMPLE_ANSWERS from './openapi/example-answers.json' with { type: 'json' }
import { EXAMPLES } from './openapi/examples.ts'
import type { OpenApiDocument } from './openapi/json-schema.ts'
import { DOCS_POLICY } from './openapi/page-frame.ts'
import { referencePage } from './openapi/reference-page.ts'
import { collectRoutes } from './openapi/routes.ts'

const FIVE_MINUTES = 'public, max-age=300'
const HTML = 'text/html; charset=utf-8'
const MARKDOWN = 'text/markdown; charset=utf-8'
const JSON_TYPE = 'application/json; charset=utf-8'
const TEXT = 'text/plain; charset=utf-8'

const MOST_ASKED = 100
const searchQuery = z.object({ q: z.string().trim().max(MOST_ASKED).default('') })

export interface DocsDeps {
  /** The relay's address as clients see it, without a slash at the end; known once it listens. */
  docBase: () => string
  /** Path of the npm package's tarball; the test's own in tests. */
  npmTarball?: string
}

/** Made by `npm run sdk:package`. */
const NPM_TARBALL = new URL('../../dist/ticketrail.tgz', import.meta.url).pathname
const NOT_PACKED =
  "The npm package was not made on this relay's machine: run `npm run sdk:package` in the relay's folder there, then call again."

/**
 * Call it before the routes of /v1: it collects them.
 * @returns the document of all routes that are registered by then. @throws what `openApiDocument` throws
 */
export function docsRoutes(
  app: App,
  { docBase, npmTarball = NPM_TARBALL }: DocsDeps,
): { document: () => OpenApiDocument } {
  const routes = collectRoutes(app)
  // Made when it is asked for first: the address is known only then, and most starts never show it.
  const document = once(() =>
    openApiDocument(routes, { server: docBase(), requests: EXAMPLES, answers: EXAMPLE_ANSWERS }),
  )
  const json = keptDocument(JSON_TYPE, () => JSON.stringify(document()))
  app.route({
    method: 'GET',
    url: '/v1/openapi.json',
    exposeHeadRoute: true,
    config: { access: 'public' },
    handler: (request, reply) => {
      // Tools in a browser read it from their own site.
      reply.header('cache-control', FIVE_MINUTES).header('access-control-allow-origin', '*')
      return json(request, reply)
    },
  })

  const { pages, snippets } = docFiles()
  // What draws the pages is loaded with the first of them.
  const site = lasting(async () => (await import('./docs/site.ts')).DocSite.open(pages, document()))
  const drawn = (type: string, draw: (site: DocSite) => string) => keptDocument(type, async () => draw(await site()))
  const documents: [url: string, document: KeptDocument][] = [
    ['/docs', drawn(HTML, (all) => all.front())],
    ['/docs/reference', keptDocument(HTML, () => referencePage(document()))],
    ['/docs/errors', keptDocument(HTML, () => errorPage(document()))],
    ...['', '/docs'].flatMap((folder): [string, KeptDocument][] => [
      [`${folder}/llms.txt`, drawn(TEXT, (all) => all.llms(docBase()))],
      [`${folder}/llms-full.txt`, drawn(TEXT, (all) => all.llmsFull())],
    ]),
    ['/docs/agents.json', keptDocument(JSON_TYPE, () => JSON.stringify(agentTools(document())))],
    ...pages.flatMap(({ id }): [string, KeptDocument][] => [
      [`/docs/${id}`, drawn(HTML, (all) => all.page(id))],
      [`/docs/${id}.md`, drawn(MARKDOWN, (all) => all.markdown(id))],
    ]),
    ...snippets.map(({ url, read }): [string, KeptDocument] => [url, keptDocument(TEXT, read)]),
    ['/docs/ticketrail.tgz', keptFile('application/gzip', () => packed(npmTarball))],
  ]
  for (const [url, page] of documents) {
    app.route({
      method: 'GET',
      url,
      exposeHeadRoute: true,
      config: { access: 'public' },
      handler: async (request, reply) => {
        try {
          return await page(request, reply.headers(PAGE_HEADERS))
        } catch (error) {
          // The next call may succeed.
          reply.removeHeader('cache-control')
          throw error
        }
      },
    })
  }
  searchRoutes(app, site)
  missingPages(app, site)
  waysToPages(app)
  return { document }
}

async function packed(tarball: string): Promise<Buffer> {
  try {
    return await readFile(tarball)
  } catch (cause) {
    throw new ServiceError('request.not_found', { message: NOT_PACKED, cause })
  }
}

const PAGE_HEADERS = {
  'content-security-policy': DOCS_POLICY,
  'referrer-policy': 'no-referrer',
  'cache-control': FIVE_MINUTES,
}

/** As a page for people; as JSON under `.json`, or if the client accepts JSON and no HTML. */
function searchRoutes(app: App, site: () => Promise<DocSite>): void {
  for (const url of ['/docs/search', '/docs/search.json']) {
    app.route({
      method: 'GET',
      url,
      exposeHeadRoute: true,
      config: { access: 'public' },
      schema: { querystring: searchQuery },
      handler: async (request, reply) => {
        const { q } = request.query
        const asJson =
          url.endsWith('.json') ||
          (/application\/json/.test(String(request.headers.accept ?? '')) && !wantsPage(request))
        const all = await site()
        reply.headers({ ...PAGE_HEADERS, vary: 'accept' })
        if (!asJson) return reply.type(HTML).send(await all.searchPage(q))
        const data = (await all.search(q)).map(({ title, page, url: at, excerpt }) => ({
          title,
          page,
          url: at,
          excerpt,
        }))
        return reply.type('application/json; charset=utf-8').send(JSON.stringify({ query: q, data }))
      },
    })
  }
}

/** Addresses that people type lead to a page. A program that asks for `/` gets the API's 404. */
function waysToPages(app: App): void {
  const ways: [url: string, to: (page: string) => string][] = [
    ['/', () => '/docs'],
    ['/docs/', () => '/docs'],
    ...['/docs/guides', '/docs/guides/'].map((url): [string, () => string] => [url, () => '/docs']),
    ['/docs/:page/', (page) => `/docs/${page}`],
    ['/docs/guides/:page/', (page) => `/docs/guides/${page}`],
  ]
  for (const [url, to] of ways)
    app.route({
      method: 'GET',
      url,
      exposeHeadRoute: true,
      config: { access: 'public' },
      schema: { params: z.object({ page: z.string().default('') }) },
      handler: (request, reply) => {
        if (url === '/' && !wantsPage(request)) throw new ServiceError('request.not_found')
        return reply.header('vary', 'accept').redirect(to(encodeURIComponent(request.params.page)))
      },
    })
}

const wantsPage = ({ headers }: FastifyRequest): boolean => /text\/html/.test(String(headers.accept ?? ''))

const missingParams = z.object({ page: z.string() })

/** A person who mistyped an address gets a page with what may be meant; a program gets the API's 404. */
function missingPages(app: App, site: () => Promise<DocSite>): void {
  for (const url of ['/docs/:page', '/docs/guides/:page', '/docs/snippets/:page']) {
    app.route({
      method: 'GET',
      url,
      exposeHeadRoute: true,
      config: { access: 'public' },
      schema: { params: missingParams },
      handler: async (request, reply) => {
        if (!wantsPage(request)) throw new ServiceError('request.not_found')
        const words = request.params.page
          .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
          .trim()
          .slice(0, MOST_ASKED)
        const page = await (await site()).missingPage(words)
        return reply.headers(PAGE_HEADERS).code(404).type(HTML).send(page)
      },
    })
  }
}
