// The part of a call in which an order is taken: what the call machine needs of it, whoever understands the words.
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import type { CallId, ServiceOrderId } from '#shared/ids.ts'
import type { SpokenLanguage } from './profile.ts'

/** One line as it stands: prices are the catalog's, never the caller's. */
export interface DraftLine {
  umsId: string
  name: string
  qty: number
  /** Of one piece with its modifiers, in cents. */
  priceCents: number
  modifiers: readonly string[]
  note: string | null
}

/** JSON: it lives in the state of the call. */
export interface OrderDraft {
  lines: readonly DraftLine[]
  /** It was read back, and the caller is asked for a yes. */
  isReadBack: boolean
  /** What was not understood, one after another. */
  misunderstood: number
  /** Name of the caller for the ticket; null: not asked yet. */
  name: string | null
}

export const EMPTY_DRAFT: OrderDraft = { lines: [], isReadBack: false, misunderstood: 0, name: null }

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
  /** It is placed: the order is on disk. */
  | { kind: 'placed'; draft: OrderDraft; say: string; orderId: ServiceOrderId }
  /** A person must take over; the draft goes along. */
  | {
      kind: 'transfer'
      draft: OrderDraft
      say: string
      reason: 'person' | 'allergy' | 'amount' | 'misunderstood' | 'refused'
    }
  /** The caller wants no order after all. */
  | { kind: 'left'; draft: OrderDraft; say: string }

export interface OrderTaker {
  /** One turn. Answers within 3 s, whoever understands the words; placing is idempotent by the call. @throws nothing that a caller said */
  turn(turn: OrderTurn, signal: AbortSignal): Promise<OrderReply>
  /** Words that the recognition may expect: names of items. */
  hints(merchant: MerchantRecord): Promise<readonly string[]>
}
