// Tells the customer of an order that is ready, as the restaurant has set: by text message, by mail, or both. Once an order, whatever the kitchen does.
import { READY_LASTS_MS } from '#cloud/notices/notice-kinds.ts'
import { writeNotice } from '#cloud/notices/write-notice.ts'
import type { TellCustomer } from '#cloud/orders/advance-order.ts'
import type { MerchantStore } from '#cloud/storage/merchant-store.ts'
import { type NoticeStore, readyMailId } from '#cloud/storage/notice-store.ts'
import { orderNumber } from '#shared/tickets/order-number.ts'
import type { InjectOrder } from '#shared/wire/api/orders.ts'
import { readyText } from './ready-text.ts'
import { type TextsDeps, writeText } from './write-text.ts'

const DAY_MS = 86_400_000
/** To customers, a day, of a merchant. */
export const MERCHANT_MAILS = 500

/** What a guest picks up. Orders for a table and for a driver are brought. */
const PICKED_UP: readonly (InjectOrder['orderType'] | undefined)[] = [
  undefined,
  'takeaway',
  'curbside',
  'drive-through',
  'catering',
]

export interface TellAtReadyDeps extends TextsDeps {
  merchants: Pick<MerchantStore, 'forCustomers'>
  notices: Pick<NoticeStore, 'writtenOf'>
}

export function tellAtReady(deps: TellAtReadyDeps): TellCustomer {
  return async (tx, { order, environment, by, atMs }) => {
    const body = JSON.parse(order.body) as InjectOrder
    const { phone, email } = body.customer ?? {}
    const [to, mailTo] = [by === 'mail' ? undefined : phone, by === 'sms' ? undefined : email]
    if ((to === undefined && mailTo === undefined) || !PICKED_UP.includes(body.orderType)) return
    const {
      account_id: accountId,
      name,
      notify_language: language,
    } = await deps.merchants.forCustomers(order.merchant_id, tx)
    const number = orderNumber({ posOrderId: order.pos_order_id, orderId: order.client_order_id })
    if (to !== undefined)
      await writeText(tx, deps, {
        merchant: { key: order.merchant_id, accountId, environment },
        kind: 'order-ready',
        subjectId: order.id,
        to,
        text: readyText(language, { name, number }),
        expiresAtMs: atMs + READY_LASTS_MS,
      })
    if (mailTo === undefined) return
    const sinceMs = deps.clock.now() - DAY_MS
    const of = { merchantKey: order.merchant_id, kind: 'order-ready', sinceMs, most: MERCHANT_MAILS }
    const written = await deps.notices.writtenOf(tx, of)
    await writeNotice(tx, deps, {
      id: readyMailId(order.id),
      to: mailTo,
      language,
      accountId,
      merchantKey: order.merchant_id,
      notice: { kind: 'order-ready', values: { restaurant: name, number, readyAtMs: atMs } },
      ...(environment === 'sandbox' && { end: { state: 'kept', error: null } }),
      ...(written >= MERCHANT_MAILS && { end: { state: 'dropped', error: 'merchant_limit' } }),
    })
  }
}
