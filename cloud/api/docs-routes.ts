// The documents of the API for machines and people: /v1/openapi.json, /docs and /docs/errors. Public; limited by address.
import type { App } from './app.ts'
import { keptDocument } from './kept-document.ts'
import { openApiDocument } from './openapi/document.ts'
import { errorPage } from './openapi/error-page.ts'
import EXAMPLE_ANSWERS from './openapi/example-answers.json' with { type: 'json' }
import { EXAMPLES } from './openapi/examples.ts'
import type { OpenApiDocument } from './openapi/json-schema.ts'
import { PAGE_POLICY } from './openapi/page-frame.ts'
import { referencePage } from './openapi/reference-page.ts'
import { collectRoutes } from './openapi/routes.ts'

const FIVE_MINUTES = 'public, max-age=300'

export interface DocsDeps {
  /** The relay's address as clients see it, without a slash at the end; known once it listens. */
  docBase: () => string
}

/**
 * Call it before the routes of /v1: it collects them.
 * @returns the document of all routes that are registered by then. @throws what `openApiDocument` throws
 */
export function docsRoutes(app: App, { docBase }: DocsDeps): { document: () => OpenApiDocument } {
  const routes = collectRoutes(app)
  // Made when it is asked for first: the address is known only then, and most starts never show it.
  const document = once(() =>
    openApiDocument(routes, { server: docBase(), requests: EXAMPLES, answers: EXAMPLE_ANSWERS }),
  )
  const html = 'text/html; charset=utf-8'
  const json = keptDocument('application/json; charset=utf-8', () => JSON.stringify(document()))
  const reference = keptDocument(html, () => referencePage(document()))
  const errors = keptDocument(html, () => errorPage(document()))

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
  for (const [url, page] of [
    ['/docs', reference],
    ['/docs/errors', errors],
  ] as const) {
    app.route({
      method: 'GET',
      url,
      exposeHeadRoute: true,
      config: { access: 'public' },
      handler: (request, reply) => {
        reply
          .header('content-security-policy', PAGE_POLICY)
          .header('referrer-policy', 'no-referrer')
          .header('cache-control', FIVE_MINUTES)
        return page(request, reply)
      },
    })
  }
  return { document }
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
