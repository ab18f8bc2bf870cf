// A call as the machine sees it: its state, what it is told, what it wants done. JSON: the state is sealed into the row of the call.
import { z } from 'zod'
import type { CallsTable } from '#cloud/storage/schema-receptionist.ts'
import type { CallEvent, CallStep } from '#cloud/telephony/telephony.ts'
import type { KnowledgeId, ServiceOrderId } from '#shared/ids.ts'
import { type OrderReply, orderDraft } from './order-taker.ts'
import type { ReceptionistProfile, SpokenLanguage } from './profile.ts'

export type CallStatus = CallsTable['status']

/** Statuses of calls that are over: nothing changes them. */
const FINAL_STATUSES = ['completed', 'missed', 'failed'] as const satisfies readonly CallStatus[]

export function isFinal(status: CallStatus): boolean {
  return (FINAL_STATUSES as readonly CallStatus[]).includes(status)
}

/**
 * Where the conversation is. `menu`: the caller may ask, or press a digit; `table-*`: the fields of the request for a table; `order`: an
 * order is taken; `transfer`: a person's telephone rings, or they speak; `forward`: the same without the receptionist having spoken;
 * `voicemail`: a message is recorded.
 */
const CALL_PLACES = [
  'new',
  'menu',
  'table-name',
  'table-party',
  'table-time',
  'table-number',
  'order',
  'transfer',
  'forward',
  'voicemail',
  'over',
] as const
export type CallPlace = (typeof CALL_PLACES)[number]

/**
 * How a call ended. `answered`: by the receptionist, to the end; `no-message`: it came to the voicemail, and nothing was said there;
 * `refused`: the restaurant had too many calls.
 */
export const CALL_OUTCOMES = [
  'answered',
  'ordered',
  'table',
  'transferred',
  'voicemail',
  'no-message',
  'forwarded',
  'blocked',
  'refused',
  'not-answered',
  'missed',
  'failed',
] as const
export type CallOutcome = (typeof CALL_OUTCOMES)[number]

const table = z.strictObject({
  name: z.string().nullable(),
  party: z.number().int().nullable(),
  /** In the caller's words. */
  wanted: z.string().nullable(),
})

/** As it is stored. */
export const callState = z.strictObject({
  status: z.enum(['ringing', 'in_progress', 'transferring', 'voicemail', 'completed', 'missed', 'failed']),
  place: z.enum(CALL_PLACES),
  outcome: z.enum(CALL_OUTCOMES).nullable(),
  /** Goes up with each answer that the call hears: an address of an answer has it, so that a repetition is known. */
  turn: z.number().int(),
  /** One after another, since the last thing that was understood. */
  silences: z.number().int(),
  misunderstood: z.number().int(),
  callerName: z.string().nullable(),
  transferredTo: z.string().nullable(),
  /** The person that it was passed to has picked up. */
  isPickedUp: z.boolean(),
  /** A table was asked for. */
  isTableAsked: z.boolean(),
  orderId: z.custom<ServiceOrderId>((value) => typeof value === 'string').nullable(),
  draft: orderDraft.nullable(),
  table: table.nullable(),
  /** What the caller said in the order and is being thought about: the caller hears that it takes a moment. Null: nothing. */
  thinking: z.strictObject({ words: z.string(), sinceMs: z.number().int() }).nullable(),
  /** The last thing that the caller said, for those who watch the call. */
  lastWords: z.string().nullable(),
})

export type CallState = z.infer<typeof callState>

export const NEW_CALL: CallState = {
  status: 'ringing',
  place: 'new',
  outcome: null,
  turn: 0,
  silences: 0,
  misunderstood: 0,
  callerName: null,
  transferredTo: null,
  isPickedUp: false,
  isTableAsked: false,
  orderId: null,
  draft: null,
  table: null,
  thinking: null,
  lastWords: null,
}

/** Of a call whose state is lost: it cannot go on. */
export const LOST_CALL: CallState = { ...NEW_CALL, status: 'failed', place: 'over', outcome: 'failed' }

/** @returns null: there is nothing, or it cannot be read */
export function openedOrNull(sealed: string | null, open: (sealed: string) => string): string | null {
  try {
    return sealed === null || sealed === '' ? null : open(sealed)
  } catch {
    return null
  }
}

/** @param open opens what is sealed. @returns null: what was said in it was deleted, or it cannot be read */
export function storedState(sealed: string, open: (sealed: string) => string): CallState | null {
  try {
    return callState.parse(JSON.parse(open(sealed)))
  } catch {
    return null
  }
}

/** Of a row. An order of it may be on disk before the turn that placed it. */
export function stateOfCall(
  { state_enc, order_id }: Pick<CallsTable, 'state_enc' | 'order_id'>,
  open: (sealed: string) => string,
): CallState | null {
  const state = storedState(state_enc, open)
  return state === null ? null : { ...state, orderId: order_id ?? state.orderId }
}

/** What the machine is told: news of the telephone company, and what an order's part of it answered. `null` as reply: it took too long. */
export type MachineEvent = CallEvent | { kind: 'order-reply'; reply: OrderReply | null }

/** What is known beside the call at this moment. The machine looks nothing up. */
export interface CallFacts {
  nowMs: number
  language: SpokenLanguage
  profile: ReceptionistProfile
  /** The restaurant's. */
  name: string
  /** By the hours and holidays of the profile, in the restaurant's time zone; without hours always. */
  isOpen: boolean
  /** The hours in a sentence, such as for a caller after hours. */
  hours: string
  from: string | null
  to: string
  /** What the knowledge answers to the words of this event; null: nothing fits. `id` null: the opening hours. */
  answer: { id: KnowledgeId | null; say: string } | null
  /** Words that the recognition may expect: of the menu, and of items while an order is taken. */
  hints: readonly string[]
  /** Names on the menu; empty: no orders are taken, or nothing was said. */
  items: readonly string[]
  /** The part that takes orders is there, and orders by voice are on. */
  takesOrders: boolean
  /** The restaurant has as many calls as it may have: a further one is refused. */
  isFull: boolean
  /** A card's number was cut from the words of this event. */
  hasCard: boolean
}

/** What is to happen beside the answer, in the same transaction. */
export type CallEffect =
  | { do: 'hit'; id: KnowledgeId }
  | { do: 'table'; name: string; party: number; wanted: string; phone: string }
  /** Not part of the transaction: the order's part of the call is asked, and its reply comes back as an event. */
  | { do: 'ask-order'; words: string }

export interface Move {
  state: CallState
  /** What the caller hears; empty: this event needs no answer. */
  steps: CallStep[]
  effects: CallEffect[]
}
