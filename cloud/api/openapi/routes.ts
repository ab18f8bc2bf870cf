// Collects the routes of /v1 as they register: what the OpenAPI document is made of.
import type { RouteOptions } from 'fastify'
import type { z } from 'zod'
import type { Access, App, RouteDoc } from '#cloud/api/app.ts'
import type { Scope } from '#cloud/auth/scopes.ts'

/** One operation of the API. */
export interface ApiRoute {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** As OpenAPI writes it: `/v1/order/{serviceOrderId}`. */
  path: string
  access: Access
  alsoNeeds: readonly Scope[]
  doc: RouteDoc
  bodyOptional: boolean
  sandboxOnly: boolean
  body?: z.ZodType
  query?: z.ZodObject
  params?: z.ZodObject
  /** Zod of the answer by status; a route without one answers 204. */
  answers: Readonly<Record<string, z.ZodType>>
}

/**
 * The list fills while routes register. Call it before them.
 * @throws at registration, for a route under /v1 without `config.doc` or with an operationId that another one has
 */
export function collectRoutes(app: App): readonly ApiRoute[] {
  const routes: ApiRoute[] = []
  app.addHook('onRoute', (route) => {
    if (!route.url.startsWith('/v1/')) return
    const name = `${String(route.method)} ${route.url}`
    const doc = route.config?.doc
    // The document itself is public and describes the others.
    if (doc === undefined && route.config?.access === 'public') return
    if (doc === undefined) throw new Error(`${name} has no config.doc: the reference would not know it`)
    if (routes.some((other) => other.doc.operationId === doc.operationId))
      throw new Error(`${name}: the operationId ${doc.operationId} is taken`)
    routes.push(apiRoute(route, doc))
  })
  return routes
}

function apiRoute(route: RouteOptions, doc: RouteDoc): ApiRoute {
  // Every schema of ours is zod: the validator of the application takes nothing else.
  const { body, querystring, params, response } = (route.schema ?? {}) as {
    body?: z.ZodType
    querystring?: z.ZodObject
    params?: z.ZodObject
    response?: Record<string, z.ZodType>
  }
  return {
    method: route.method as ApiRoute['method'],
    path: route.url.replaceAll(/:(\w+)/g, '{$1}'),
    access: route.config?.access ?? 'any-key',
    alsoNeeds: route.config?.alsoNeeds ?? [],
    doc,
    bodyOptional: route.config?.bodyOptional === true,
    sandboxOnly: route.config?.sandboxOnly === true,
    ...(body ? { body } : {}),
    ...(querystring ? { query: querystring } : {}),
    ...(params ? { params } : {}),
    answers: response ?? {},
  }
}
