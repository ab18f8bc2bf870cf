// The interface of the HTTP application: what a route module gets and what it declares about each route.

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
 * A scope, any valid key of an account, or none. `page`: the dashboard's page and its sign-in; `person`: a person who has signed
 * in there. `provider`: a company whose signature the route's `isGenuine` checks. `calls`: a key that may read calls, or a person who has
 * signed in; only for routes that change nothing, because a cookie counts there.
 */
export type Access = Scope | 'any-key' | 'public' | 'page' | 'person' | 'provider' | 'calls'

/** A route's texts in the OpenAPI document, in addition to its schemas. */
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
  /** True on a POST whose body names what it does only once: it takes no `Idempotency-Key`, and ignores one. */
  takesNoIdempotencyKey?: boolean
}

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
    /** Scopes that the key needs in addition to `access`. */
    alsoNeeds?: readonly Scope[]
    /** Every /v1 route has one. */
    doc?: RouteDoc
    /** True on a POST that may come without a body: it counts as `{}`. */
    bodyOptional?: boolean
    /** True on routes of the sandbox only: for a live key they do not exist (404 request.not_found). */
    sandboxOnly?: boolean
    /** True for an answer that stays open until one side ends it: a stop does not wait for it, and its duration is not measured. */
    isFeed?: boolean
    /** True for a call that does not count against a plan: it is not metered, and has a budget separate from the account's. */
    unmetered?: boolean
    /** With access `provider`: whether the request, whose body is read, is from whom it says. Another one gets 403. */
    isGenuine?: (request: FastifyRequest) => boolean
    /** True for routes of monitors: they have a budget of their own, so that other calls cannot make a healthy relay look broken. */
    probe?: boolean
  }
  interface FastifyRequest {
    /** The address that limits count by. */
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
