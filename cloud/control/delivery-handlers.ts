// Deliveries: the list, one with its attempts as they were sent, one more attempt; and the inspector, which receives them on a page.

import { withoutCustomers } from '#cloud/requests/hide-fields.ts'
import {
  type DeliveryDeps,
  listAllDeliveries,
  listDeliveries,
  listSubjectDeliveries,
  redeliver,
  shownAttempt,
  shownDelivery,
} from '#cloud/webhooks/deliveries.ts'
import { listenersOf, ownerOf } from '#cloud/webhooks/endpoints.ts'
import { answerOf, createInspector, inspectorOf, setInspectorAnswer } from '#cloud/webhooks/inspector.ts'
import { sentHeaders } from '#cloud/webhooks/sent-headers.ts'
import { ServiceError } from '#shared/errors.ts'
import type { ControlContext } from './context.ts'
import { ControlRefusal } from './control-refusal.ts'
import { masksCustomers } from './customer-mask.ts'
import { entry } from './endpoint-handlers.ts'
import { type Doing, type Handlers, merchantOf } from './handler.ts'
import { requireSecretBox } from './secrets.ts'
import { receivedAnswer } from './webhook-answers.ts'
import type { DeliveryAnswer, WEBHOOK_OPERATIONS } from './webhook-list.ts'

type DeliveryOperation = Exclude<keyof typeof WEBHOOK_OPERATIONS, `endpoint${string}`>

export const DELIVERY_HANDLERS: Pick<Handlers, DeliveryOperation> = {
  'deliveries.list': async (context, doing, { merchantId: _, webhookId, subjectId, ...query }) => {
    const merchant = merchantOf(doing)
    const page =
      subjectId !== undefined
        ? await listSubjectDeliveries(context, merchant, { ...query, webhookId, subjectId })
        : webhookId === undefined
          ? await listAllDeliveries(context, merchant, query)
          : await listDeliveries(context, merchant, { webhookId, ...query })
    return page as { data: DeliveryAnswer[]; nextCursor: string | null }
  },

  'deliveries.get': async (context, doing, { deliveryId }) => {
    const merchant = merchantOf(doing)
    const row = await context.deliveryLog.find(ownerOf(merchant), deliveryId)
    const endpoint = row === null ? null : await context.endpoints.find(ownerOf(merchant), row.endpoint_id)
    // An endpoint may be deleted between the reads.
    if (row === null || endpoint === null) throw new ServiceError('webhook.delivery_not_found')
    const secretBox = requireSecretBox(context)
    const attempts = await context.deliveryLog.attempts(deliveryId)
    const isMasked = masksCustomers(doing)
    const likeId = (await listenersOf(context, [endpoint])).get(endpoint.id)?.like_id ?? null
    const signer = (likeId === null ? null : await context.endpoints.byId(likeId)) ?? endpoint
    return {
      ...shownDelivery(row),
      endpoint: { webhookId: endpoint.id, url: endpoint.url, kind: endpoint.kind, status: endpoint.status },
      body: isMasked ? JSON.stringify(withoutCustomers(JSON.parse(row.payload))) : row.payload,
      isMasked,
      attempts: attempts.map((attempt) => ({
        ...shownAttempt(attempt),
        headers: sentHeaders(attempt, row, { endpoint: signer, secretBox, body: row.payload }),
      })),
    }
  },

  'deliveries.resend': async (context, doing, { deliveryId }) => {
    const effect = await redeliver(doing.tx, context, { merchant: merchantOf(doing), deliveryId })
    return {
      ...effect,
      answer: effect.answer as DeliveryAnswer,
      audit: entry(doing, 'delivery.resend', { subject: deliveryId }),
    }
  },

  'inspector.open': async (context, doing) => {
    const merchant = merchantOf(doing)
    if (merchant.environment !== 'sandbox')
      throw new ControlRefusal(
        'refused',
        'The inspector is for the sandbox: a live order belongs to a real receiver.',
        {
          said: { key: 'inspector.sandbox' },
        },
      )
    const open = await inspectorOf(context, merchant)
    if (open !== null) return { answer: { webhookId: open.id, secret: null } }
    const made = await createInspector(doing.tx, { ...context, secretBox: requireSecretBox(context) }, merchant)
    return { answer: made, audit: entry(doing, 'inspector.open', { subject: made.webhookId }) }
  },

  'inspector.answer': async (context, doing, { status, delayMs }) => {
    const { answer } = await setInspectorAnswer(doing.tx, context, {
      merchant: merchantOf(doing),
      answer: { status, delayMs },
    })
    return {
      answer,
      audit: entry(doing, 'inspector.answer', { subject: answer.webhookId, after: { status, delayMs } }),
    }
  },

  'inspector.list': async (context, doing, { limit, cursor }) => {
    const merchant = merchantOf(doing)
    const inspector = await inspectorOf(context, merchant)
    if (inspector === null) return { webhookId: null, answer: null, data: [], nextCursor: null }
    const page = await listDeliveries(context, merchant, { webhookId: inspector.id, limit, cursor })
    return {
      webhookId: inspector.id,
      answer: answerOf(inspector),
      data: await received(context, doing, { inspector, deliveries: page.data as DeliveryAnswer[] }),
      nextCursor: page.nextCursor,
    }
  },
}

type Inspector = NonNullable<Awaited<ReturnType<typeof inspectorOf>>>

/** Each attempt is a request that arrived; the newest first. */
async function received(
  context: ControlContext & Pick<DeliveryDeps, 'deliveryLog'>,
  doing: Doing,
  { inspector, deliveries }: { inspector: Inspector; deliveries: readonly DeliveryAnswer[] },
) {
  const secretBox = requireSecretBox(context)
  const owner = ownerOf(merchantOf(doing))
  const ids = deliveries.map(({ deliveryId }) => deliveryId)
  const attempts = await context.deliveryLog.attemptsOf(ids)
  return (await context.deliveryLog.findMany(owner, ids))
    .flatMap((row) =>
      (attempts.get(row.id) ?? []).map((one) => receivedAnswer(one, row, { endpoint: inspector, secretBox })),
    )
    .sort((a, b) => (a.at === b.at ? b.number - a.number : a.at < b.at ? 1 : -1))
}
