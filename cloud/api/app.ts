// The shape of the HTTP application: what a route module gets and what it says about each route.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance, FastifyTypeProvider, RawServerDefault } from 'fastify'
import type { z } from 'zod'
import type { Principal } from '#cloud/auth/api-keys.ts'
import type { Scope } from '#cloud/auth/scopes.ts'
import type { Client } from '#cloud/limits/trusted-proxies.ts'
import type { ErrorCode } from '#shared/errors.ts'

/** Types of `request.body`, `request.query` and `request.params` follow from the route's zod schemas. */
export interface ZodTypeProvider extends FastifyTypeProvider {
  validator: this['schema'] extends z.ZodType ? z.output<this['schema']> : unknown
  serializer: this['schema'] extends z.ZodType ? z.input<this['schema']> : unknown
}

/**
 * What a route module receives: `export function someRoutes(app: App, deps: SomeRouteDeps): void`. Every route has
 * `config: { access: <scope> | 'any-key' | 'public' }` and zod schemas in `schema: { body, querystring, params, response: { 200: ... } }`.
 * The handler reads `principalOf(request)`, then asks `deps.authorize(principal, merchantId)` for the merchant.
 */
export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse<IncomingMessage>,
  FastifyBaseLogger,
  ZodTypeProvider
>

/**
 * A scope, any valid key of an account, or nobody in particular. `page`: the dashboard's page and its sign-in; `person`: whoever has signed
 * in there.
 */
export type Access = Scope | 'any-key' | 'public' | 'page' | 'person'

/** What the OpenAPI document says of a route beside its schemas. */
export interface RouteDoc {
  /** Unique; names the route in examples, clients and tests. */
  operationId: string
  /** One line without a full stop. */
  summary: string
  tag: 'Orders' | 'Printing' | 'Menu' | 'Webhooks' | 'Account' | 'Sandbox'
  /** Codes beyond those that every route may answer. */
  errors?: readonly ErrorCode[]
  /** Media types of the answer when it is not JSON. */
  produces?: readonly string[]
}

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
    /** Scopes that the key needs beside `access`. */
    alsoNeeds?: readonly Scope[]
    /** Every /v1 route has one. */
    doc?: RouteDoc
    /** True on a POST that may come without a body: it counts as `{}`. */
    bodyOptional?: boolean
    /** True on routes of the sandbox alone: for a live key they do not exist (404 request.not_found). */
    sandboxOnly?: boolean
    /** True where the answer goes on until one side ends it: it is not waited for, and its time tells nothing. */
    isFeed?: boolean
    /** True where a call is none of a plan's: it is not metered, and has a budget of its own beside the account's. */
    unmetered?: boolean
    /** True where monitors ask: it has a budget of its own, so that nothing else makes a healthy relay look ill. */
    probe?: boolean
  }
  interface FastifyRequest {
    /** Whom limits by address count. */
    readonly client: Client
    /** Set by the authentication hook on every route that a key may call. */
    principal: Principal | null
    /** Length of the body as it came; 0 without one. */
    bodyBytes: number
    /** Code of the refusal that is its answer; null: it is not refused. */
    refusal: ErrorCode | null
    /** Names of the fields that the refusal is about; null: of none. */
    refusedFields: readonly string[] | null
    /** Monotonic milliseconds at arrival. */
    arrivedMs: number
  }
}

/** The authenticated caller. @throws when the route is public: a bug in the route. */
export function principalOf(request: { principal: Principal | null }): Principal {
  if (request.principal === null) throw new Error('a public route has no principal')
  return request.principal
}
