// Calls of a restaurant, what was said in them, how they ended, and the tables that callers asked for.

import { z } from 'zod'
import { type CallOutcome, callState, openedOrNull } from '#cloud/receptionist/call-state.ts'
import { draftSummary } from '#cloud/receptionist/order-replies.ts'
import type { OrderDraft } from '#cloud/receptionist/order-taker.ts'
import type { ListedCall, ListedRequest } from '#cloud/storage/call-list-store.ts'
import { ofPercent } from '#cloud/storage/call-store.ts'
import { ListCursors } from '#cloud/storage/cursor.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import { maskedNumber } from '#cloud/texts/phone-number.ts'
import { numberMac } from '#cloud/texts/write-text.ts'
import type { SecretBox } from '#cloud/webhooks/secret-box.ts'
import { fromIso, isoOrNull, toIso } from '#shared/clock.ts'
import { parseJson } from '#shared/parse-json.ts'
import type { CALL_OPERATIONS, CallAnswer, DayOfCalls, TableRequestAnswer } from './call-list.ts'
import type { ControlContext } from './context.ts'
import { ControlRefusal } from './control-refusal.ts'
import { masksCustomers } from './customer-mask.ts'
import { type Handlers, merchantOf } from './handler.ts'
import { requireSecretBox } from './secrets.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const QUARTER_MS = 900_000
/** The newest, of each state. */
const MOST_REQUESTS = 100

/** As the receptionist stores it. */
const tableDetails = z.object({
  name: z.string(),
  party: z.number(),
  wanted: z.string(),
  phone: z.string().nullable(),
})

export const CALL_HANDLERS: Pick<Handlers, keyof typeof CALL_OPERATIONS> = {
  'calls.list': async (context, doing, { outcome, from, outcomesOfDays, cursor, limit }) => {
    const merchant = merchantOf(doing)
    const secretBox = requireSecretBox(context)
    const isMasked = masksCustomers(doing)
    const days = outcomesOfDays === undefined ? null : await daysOfCalls(context, merchant, outcomesOfDays)
    // Who may not see numbers could else find out one by asking for it.
    if (isMasked && from !== undefined) return { calls: [], nextCursor: null, days }
    const fromMac = from === undefined ? undefined : numberMac(secretBox, from)
    const cursors = new ListCursors({
      list: 'calls',
      of: [merchant.accountId, merchant.key],
      filters: { outcome, from },
    })
    const filter = { outcome, fromMac, after: cursors.decode(cursor), limit: limit + 1 }
    const found = await context.callList.list(merchant.key, filter)
    const { rows, nextCursor } = cursors.page(found, limit, ({ started_at: at, id }) => ({ at, id }))
    return { calls: rows.map((row) => callAnswer(row, { secretBox, isMasked })), nextCursor, days }
  },

  'calls.get': async (context, doing, { callId }) => {
    const merchant = merchantOf(doing)
    const secretBox = requireSecretBox(context)
    const row = await context.callList.find(merchant.key, callId)
    if (row === null)
      throw new ControlRefusal('not-found', 'This call is not there.', { said: { key: 'call.unknown' } })
    const isMasked = masksCustomers(doing)
    // What cannot be read is left out, so that the rest is shown.
    const open = (sealed: string) => secretBox.open(sealed)
    const turns = isMasked
      ? null
      : (await context.calls.turns(callId)).map(({ who, text_enc, confidence, at }) => ({
          ...{ who, text: openedOrNull(text_enc, open) ?? '', confidence: ofPercent(confidence), at: toIso(at) },
        }))
    const state = isMasked ? undefined : parseJson(openedOrNull(row.state_enc, open) ?? '')
    return {
      ...callAnswer(row, { secretBox, isMasked }),
      ...{ turns, notOrdered: notOrdered(state, merchant.currency), textDeletedAt: isoOrNull(row.text_deleted_at) },
    }
  },

  'tables.list': async (context, doing, { done }) => {
    const secretBox = requireSecretBox(context)
    const rows = await context.callList.requests(merchantOf(doing).key, { isDone: done, limit: MOST_REQUESTS })
    const isMasked = masksCustomers(doing)
    return rows.flatMap((row) => requestAnswer(row, { secretBox, isMasked }))
  },

  'tables.done': async ({ callList, clock }, doing, { requestId, done }) => {
    const merchant = merchantOf(doing)
    if (doing.by !== 'person') throw new ControlRefusal('refused', 'Only a person at the dashboard settles this.')
    const settled = { merchantKey: merchant.key, id: requestId, by: done ? doing.userId : null, nowMs: clock.now() }
    if (!(await callList.settleRequest(doing.tx, settled)))
      throw new ControlRefusal('not-found', 'This request is no longer there.', { said: { key: 'table.unknown' } })
    return {
      answer: { changed: true },
      audit: {
        ...{ accountId: merchant.ownerAccountId, action: 'table.done', subject: merchant.publicId },
        after: { requestId, done },
      },
    }
  },
}

/** How calls ended, by days of the restaurant: the oldest first, today last. */
async function daysOfCalls(
  { callList, clock }: Pick<ControlContext, 'callList' | 'clock'>,
  { key, timeZone }: Pick<MerchantRecord, 'key' | 'timeZone'>,
  days: number,
): Promise<DayOfCalls[]> {
  const nowMs = clock.now()
  const calendar = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' })
  const dayOf = (ms: number): string => calendar.format(ms)
  const counts = new Map<string, DayOfCalls['counts']>()
  // By the calendar: where the clock of the restaurant changes, a day has 23 or 25 hours.
  const today = fromIso(`${dayOf(nowMs)}T00:00:00Z`) ?? nowMs
  for (let back = days - 1; back >= 0; back--) counts.set(toIso(today - back * DAY_MS).slice(0, 10), {})
  for (const { quarter, outcome, count } of await callList.outcomes(key, nowMs - days * DAY_MS - HOUR_MS)) {
    const ofDay = counts.get(dayOf(quarter * QUARTER_MS))
    // The first hours of the window are of the day before.
    if (ofDay !== undefined) ofDay[outcome as CallOutcome] = (ofDay[outcome as CallOutcome] ?? 0) + count
  }
  return [...counts].map(([day, of]) => ({ day, counts: of }))
}

interface Shown {
  secretBox: Pick<SecretBox, 'open'>
  isMasked: boolean
}

function callAnswer(row: ListedCall, { secretBox, isMasked }: Shown): CallAnswer {
  const from = openedOrNull(row.from_enc, (sealed) => secretBox.open(sealed))
  return {
    callId: row.id,
    from: isMasked ? maskedNumber(from) : from,
    to: row.to_e164,
    status: row.status,
    // Written by the receptionist alone.
    outcome: row.outcome as CallOutcome | null,
    startedAt: toIso(row.started_at),
    answeredAt: isoOrNull(row.answered_at),
    endedAt: isoOrNull(row.ended_at),
    transferredTo: row.transferred_to,
    serviceOrderId: row.order_id,
  }
}

/** @param state as the call's row has it, opened */
function notOrdered(state: unknown, currency: string): string[] {
  const { data } = callState.pick({ draft: true }).loose().safeParse(state)
  return data?.draft == null
    ? []
    : draftSummary(data.draft as OrderDraft, currency)
        .split('\n')
        .filter((line) => line !== '')
}

function requestAnswer(row: ListedRequest, { secretBox, isMasked }: Shown): TableRequestAnswer[] {
  // What was erased has no details any more.
  const details = row.details_enc === '' ? undefined : parseJson(secretBox.open(row.details_enc))
  const parsed = tableDetails.safeParse(details)
  if (!parsed.success) return []
  const { name, party, wanted, phone } = parsed.data
  return [
    {
      ...{ requestId: row.id, callId: row.call_id, party },
      name: isMasked ? null : name,
      wanted: isMasked ? null : wanted,
      phone: isMasked ? maskedNumber(phone) : phone,
      at: toIso(row.created_at),
      isDone: row.state === 'done',
    },
  ]
}
