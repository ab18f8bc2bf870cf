// Listeners of the /v1 API: webhook endpoints without an address, whose deliveries go down a stream that a program has opened.
import { z } from 'zod'
import { isoTime, merchantIdField, text, unicode } from './fields.ts'
import { DELIVERY_STATES, subscriptions } from './webhooks.ts'

/** Without `events`, everything that `*` matches. `like`: sign with the secret of this endpoint. */
export const createListener = z
  .strictObject({
    merchantId: merchantIdField,
    events: subscriptions.default(['*']),
    like: text(64).optional(),
    label: text(100).optional(),
  })
  .meta({ id: 'CreateListener' })
export type CreateListener = z.infer<typeof createListener>

export const createdListener = z
  .object({
    webhookId: z.string(),
    /** It is deleted then, if no stream of it was opened. */
    expiresAt: isoTime,
    /** The listen secret of the account, the same at each call; null with `like`. */
    secret: z.string().nullable(),
  })
  .meta({ id: 'CreatedListener' })
export type CreatedListener = z.infer<typeof createdListener>

/** What keeps a program from having an answer of its own server: words of the delivery log. */
export const LISTENER_ERRORS = [
  'timeout',
  'dns',
  'refused',
  'unreachable',
  'reset',
  'tls',
  'invalid_response',
  'connection',
] as const

/** The answer of the program's own server: its `status`, or the `error` for which there is none. */
export const listenerResult = z
  .strictObject({
    deliveryId: text(64),
    number: z.number().int().min(1).max(1_000_000),
    status: z.number().int().min(100).max(599).optional(),
    error: z.enum(LISTENER_ERRORS).optional(),
    ms: z.number().int().min(0).max(3_600_000),
    /** The first KiB is kept. Another server wrote it, so it may contain any character. */
    response: unicode().max(4_096).optional(),
    /**
     * With `error`: whether it arrived is not known, so the delivery comes again as the next number, before later events of its order. From
     * attempt 101 on it has no effect.
     */
    again: z.boolean().optional(),
  })
  .refine(({ status, error }) => (status === undefined) !== (error === undefined), {
    path: ['status'],
    error: 'must be there, or error instead of it, and not both',
  })
  .refine(({ again = false, error }) => !again || error !== undefined, {
    path: ['again'],
    error: 'must come with error: an answer with a status has arrived',
  })
  .meta({ id: 'ListenerResult' })
export type ListenerResultBody = z.infer<typeof listenerResult>

export const recordedResult = z
  .object({
    deliveryId: z.string(),
    number: z.number().int(),
    state: z.enum(DELIVERY_STATES),
    /** True: a result of this attempt was recorded before, and stays. */
    repeated: z.boolean(),
  })
  .meta({ id: 'RecordedResult' })
export type RecordedResultAnswer = z.infer<typeof recordedResult>

/** The messages of the stream, by their name in `event:`; `data:` is JSON of these. */
export interface StreamMessages {
  /** The first. `waiting`: deliveries that wait, counted up to 1,000. */
  ready: { webhookId: string; waiting: number }
  delivery: StreamDelivery
  /** Every 10 s. */
  beat: { time: string }
  /** The last. */
  bye: { reason: 'replaced' | 'deleted' | 'draining' | 'refused' }
}

/** To be forwarded with exactly these headers, and these bytes in UTF-8. */
export interface StreamDelivery {
  deliveryId: string
  /** Of the attempt, from 1. It stays until a result of it is recorded. */
  number: number
  eventId: string
  type: string
  headers: Readonly<Record<string, string>>
  body: string
}
