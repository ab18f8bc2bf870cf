// Operations on the log of requests: their inputs and what they answer.
import { z } from 'zod'
import type { RequestGroup, RequestRow } from '#cloud/requests/request-file.ts'
import type { KeyId } from '#shared/ids.ts'
import { text } from '#shared/wire/api/fields.ts'
import { idField, pageOfList } from './input-fields.ts'
import { changes, reads } from './operation.ts'

const environment = z.enum(['sandbox', 'live'])
const OF_API = { error: 'must be a path of the API, such as /v1/order/inject' }

export const REQUEST_OPERATIONS = {
  'requests.list': reads(
    'What keys of the account called at this relay, newest first',
    z.strictObject({
      environment,
      /** The status, or its first digit alone. */
      status: z.number().int().min(2).max(599).optional(),
      route: text(128).optional(),
      code: text(64).optional(),
      /** Of the group of errors: its fields with a comma between, or nothing. */
      fields: z.string().max(512).optional(),
      /** Any of these: the request's own id, or one that it named, such as both ids of an order. */
      ids: z.array(text(128)).min(1).max(4).optional(),
      keyId: idField('key', 'a key').optional(),
      ...pageOfList,
    }),
    'build',
  ),
  'requests.get': reads(
    'A request with its body, without what must not be kept',
    z.strictObject({ environment, requestId: text(64) }),
    'build',
  ),
  'requests.again': changes(
    'Make a call of the API in the sandbox, with a key that lives as long as the call',
    z.strictObject({
      environment: z.literal('sandbox'),
      method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
      path: z
        .string()
        .max(1_024)
        .regex(/^\/v1\/[\w./:%?=&+,~@-]*$/, { ...OF_API, abort: true })
        // `..` and `%2e%2e` lead out of it.
        .refine((path) => URL.parse(path, 'http://relay')?.pathname.startsWith('/v1/') === true, OF_API),
      body: z.record(z.string(), z.unknown()).optional(),
    }),
    'build',
  ),
  'requests.groups': reads(
    'Equal errors with their count, and what to do about each',
    z.strictObject({ environment, hours: z.number().int().min(1).max(720).default(168) }),
    'build',
  ),
}

export interface RequestRowAnswer
  extends Pick<RequestRow, 'method' | 'route' | 'path' | 'status' | 'ms' | 'code' | 'merchantId'> {
  requestId: string
  at: string
  fields: string[]
}

/** Of `body` its first 4 KiB. */
export interface RequestAnswer extends RequestRowAnswer, Pick<RequestRow, 'environment' | 'body' | 'bodyBytes'> {
  key: { keyId: KeyId; endsWith: string | null }
  isCut: boolean
  /** Some of its text was replaced: sent as it is, it is another request. */
  isMasked: boolean
  help: ErrorHelpAnswer | null
}

export interface ErrorHelpAnswer {
  /** In English, with code in backticks, as on the page of errors. */
  todo: string
  retry: 'no' | 'later'
  /** Path of the page of errors, at this error. */
  path: string
}

export interface RequestGroupAnswer extends Omit<RequestGroup, 'fields' | 'newestAt' | 'oldestAt'> {
  fields: string[]
  newestAt: string
  oldestAt: string
  help: ErrorHelpAnswer | null
}

/** `off`: by the setting. `failed`: its file could not be written. */
export type RequestLogState = { state: 'on' | 'off' | 'failed'; days: number; leftOut: number; relay: string | null }

export interface AgainAnswer {
  status: number
  requestId: string
  ms: number
  /** Of the answer, its first 64 KiB. */
  body: string
}

export interface RequestAnswers {
  'requests.again': AgainAnswer
  'requests.list': { log: RequestLogState; data: RequestRowAnswer[]; nextCursor: string | null }
  'requests.get': RequestAnswer
  'requests.groups': { log: RequestLogState; data: RequestGroupAnswer[] }
}
