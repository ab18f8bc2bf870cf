// Operations on calls, and on tables that callers asked for: their inputs and answers.
import { z } from 'zod'
import { CALL_OUTCOMES, type CallOutcome } from '#cloud/receptionist/call-state.ts'
import { e164 } from '#cloud/receptionist/profile.ts'
import type { CallsTable } from '#cloud/storage/schema-receptionist.ts'
import type { AppointmentId, CallId, ServiceOrderId } from '#shared/ids.ts'
import { idField, merchantId, pageOfList } from './input-fields.ts'
import { changes, reads } from './operation.ts'

const callId = idField('call', 'a call')

export type { CallOutcome }

export const CALL_OPERATIONS = {
  'calls.list': reads(
    'Calls of a restaurant, newest first',
    z.strictObject({
      merchantId,
      outcome: z.enum(CALL_OUTCOMES).optional(),
      /** The caller's number. */
      from: e164.optional(),
      /** Says as well how the calls of so many days ended, whatever is filtered. */
      outcomesOfDays: z.number().int().min(1).max(90).optional(),
      ...pageOfList,
    }),
    'serve',
  ),
  'calls.get': reads('A call with what was said in it', z.strictObject({ merchantId, callId }), 'serve'),
  'tables.list': reads(
    'Tables that callers asked for',
    z.strictObject({ merchantId, done: z.boolean().default(false) }),
    'serve',
  ),
  'tables.done': changes(
    'Settle a request for a table, or open it again',
    z.strictObject({ merchantId, requestId: idField('apt', 'a request for a table'), done: z.boolean() }),
    'serve',
  ),
}

export interface CallAnswer {
  callId: CallId
  /** Null: withheld, or erased. Where customers are hidden only its ends. */
  from: string | null
  to: string
  status: CallsTable['status']
  /** Null: it goes on. */
  outcome: CallOutcome | null
  startedAt: string
  answeredAt: string | null
  endedAt: string | null
  transferredTo: string | null
  serviceOrderId: ServiceOrderId | null
}

export interface CallTurnAnswer {
  who: 'caller' | 'receptionist'
  text: string
  /** From 0 to 1; null: not known. */
  confidence: number | null
  at: string
}

export interface CallDetail extends CallAnswer {
  /** Null: hidden from this person. Empty: nothing was said, or it was deleted. */
  turns: CallTurnAnswer[] | null
  /** What the caller had wanted and did not order, such as when a person took over; one line each. Empty: nothing, or hidden. */
  notOrdered: string[]
  /** When what was said was deleted; null: it is there. */
  textDeletedAt: string | null
}

export interface TableRequestAnswer {
  requestId: AppointmentId
  callId: CallId
  /** Null where customers are hidden. */
  name: string | null
  party: number
  /** In the caller's words. */
  wanted: string | null
  phone: string | null
  at: string
  isDone: boolean
}

export interface DayOfCalls {
  /** `2026-11-30` */
  day: string
  counts: Partial<Record<CallOutcome, number>>
}

export interface CallAnswers {
  'calls.list': {
    calls: CallAnswer[]
    nextCursor: string | null
    /** Days of the restaurant's calendar, the oldest first; `counts` has what occurred. Null: it was not asked for. */
    days: DayOfCalls[] | null
  }
  'calls.get': CallDetail
  'tables.list': TableRequestAnswer[]
  'tables.done': { changed: boolean }
}
