// The documents of the API for machines and people: /v1/openapi.json, /docs and /docs/errors. Public and not metered.
import type { App } from './app.ts'
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
  const json = once(() => JSON.stringify(document()))
  const reference = once(() => referencePage(document()))
  const errors = once(() => errorPage(document()))

  app.route({
    method: 'GET',
    url: '/v1/openapi.json',
    config: { access: 'public' },
    handler: (_request, reply) =>
      reply
        .type('application/json; charset=utf-8')
        .header('cache-control', FIVE_MINUTES)
        // Tools in a browser read it from their own site.
        .header('access-control-allow-origin', '*')
        .send(json()),
  })
  for (const [url, page] of [
    ['/docs', reference],
    ['/docs/errors', errors],
  ] as const) {
    app.route({
      method: 'GET',
      url,
      config: { access: 'public' },
      handler: (_request, reply) =>
        reply
          .type('text/html; charset=utf-8')
          .header('content-security-policy', PAGE_POLICY)
          .header('referrer-policy', 'no-referrer')
          .header('cache-control', FIVE_MINUTES)
          .send(page()),
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
