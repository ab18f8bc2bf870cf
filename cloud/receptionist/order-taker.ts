// The part of a call in which an order is taken: what the call machine needs of it, whoever understands the words.
import { z } from 'zod'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import type { CallId, ServiceOrderId } from '#shared/ids.ts'
import type { SpokenLanguage } from './profile.ts'

const named = z.strictObject({ umsId: z.string(), name: z.string() })

/** One line as it stands: prices are the catalog's, never the caller's. */
const draftLine = named.extend({
  qty: z.number().int().min(1),
  /** Of one piece with its modifiers, in cents. */
  priceCents: z.number().int().min(0),
  modifiers: z.array(named),
  note: z.string().nullable(),
})
export type DraftLine = z.infer<typeof draftLine>

/** What fits the words of the caller, and what to do with the one that they choose. */
const draftQuestion = z.strictObject({
  candidates: z.array(named),
  qty: z.number().int().min(1),
  modifiers: z.array(named),
  note: z.string().nullable(),
})
export type DraftQuestion = z.infer<typeof draftQuestion>

/** It lives in the state of the call, as JSON. */
export const orderDraft = z.strictObject({
  lines: z.array(draftLine),
  /** What the caller was asked to say yes to, as `contentOf` writes it; null: nothing, or it was changed since. */
  readBack: z.string().nullable(),
  /** "Which one?", the first of which is being asked. Each stays until it is answered or declined. */
  questions: z.array(draftQuestion),
  /** `umsId` of what the caller asked about, and was asked whether to add; null: none. */
  offered: z.string().nullable().default(null),
  /** How often in a row nothing was understood. */
  misunderstood: z.number().int(),
  /** Name of the caller for the ticket; null: not known. */
  name: z.string().nullable(),
  /** The caller was asked for it just now. */
  isNameAsked: z.boolean(),
  /** Orders that were placed in this call before. */
  placed: z.number().int(),
})
export type OrderDraft = z.infer<typeof orderDraft>

export const EMPTY_DRAFT: OrderDraft = {
  lines: [],
  readBack: null,
  questions: [],
  offered: null,
  misunderstood: 0,
  name: null,
  isNameAsked: false,
  placed: 0,
}

export interface OrderTurn {
  merchant: MerchantRecord
  callId: CallId
  /** The caller's number; null: withheld. */
  from: string | null
  language: SpokenLanguage
  limits: { mostAmountCents: number; mostOfALine: number }
  draft: OrderDraft
  /** What was said. */
  words: string
}

export type OrderReply =
  /** Say this, and listen again. */
  | { kind: 'asks'; draft: OrderDraft; say: string }
  /** It is placed: the order is on disk. `draft` is empty, for a further order of this call. */
  | { kind: 'placed'; draft: OrderDraft; say: string; orderId: ServiceOrderId }
  /** A person must take over; the draft goes along. */
  | {
      kind: 'transfer'
      draft: OrderDraft
      say: string
      reason: 'person' | 'allergy' | 'complaint' | 'delivery' | 'later' | 'amount' | 'misunderstood' | 'refused'
    }
  /** The caller wants no order after all. */
  | { kind: 'left'; draft: OrderDraft; say: string }

export interface OrderTaker {
  /** One turn. Answers within 3 s, whoever understands the words; placing is idempotent by the call. @throws nothing that a caller said */
  turn(turn: OrderTurn, signal: AbortSignal): Promise<OrderReply>
  /** Words that the recognition may expect: names of items. */
  hints(merchant: MerchantRecord): Promise<readonly string[]>
}
