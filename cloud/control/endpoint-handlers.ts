// Webhook endpoints: list, make, change, rotate, delete, fire events at them, recover what failed.
import type { AuditAction } from '#cloud/storage/audit-actions.ts'
import type { WebhookEndpointsTable } from '#cloud/storage/schema-webhooks.ts'
import { recoverEndpoint } from '#cloud/webhooks/deliveries.ts'
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  fireTestEvent,
  ownerOf,
  rotateSecret,
} from '#cloud/webhooks/endpoints.ts'
import { listenSecret } from '#cloud/webhooks/listeners.ts'
import { sampleEvent } from '#cloud/webhooks/sample-event.ts'
import { ServiceError } from '#shared/errors.ts'
import { fieldMessage } from '#shared/field-message.ts'
import type { WebhookId } from '#shared/ids.ts'
import { WEBHOOK_EVENT_DATA } from '#shared/wire/webhook-event.ts'
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '#shared/wire/webhook-event-names.ts'
import { audited, type ControlContext, urlOrigin } from './context.ts'
import { ControlRefusal } from './control-refusal.ts'
import { refuseWayToCustomers } from './customer-mask.ts'
import { type Doing, type Handlers, merchantOf } from './handler.ts'
import { refuseTarget } from './refuse-target.ts'
import { requireSecretBox } from './secrets.ts'
import { endpointAnswer } from './webhook-answers.ts'
import type { WEBHOOK_OPERATIONS } from './webhook-list.ts'

type EndpointOperation = Extract<keyof typeof WEBHOOK_OPERATIONS, `endpoint${string}`>

/** Of edited data, as JSON: what a request may have, a receiver may get. */
const LARGEST_DATA = 65_536

export const ENDPOINT_HANDLERS: Pick<Handlers, EndpointOperation> = {
  'endpoints.list': async (context, doing) => {
    const merchant = merchantOf(doing)
    const rows = await context.endpoints.list(ownerOf(merchant))
    return Promise.all(rows.map((row) => endpointAnswer(context, row, merchant)))
  },

  'endpoints.get': async (context, doing, { webhookId }) =>
    endpointAnswer(context, await requireEndpoint(context, doing, webhookId), merchantOf(doing)),

  'endpoints.create': {
    before: (context, doing, { url }) => {
      refuseWayToCustomers(doing, merchantOf(doing).environment)
      return refuseTarget(context, { url, merchant: merchantOf(doing) })
    },
    run: async (context, doing, input) => {
      const merchant = merchantOf(doing)
      const deps = { ...context, secretBox: requireSecretBox(context) }
      const { webhookId, secret } = (await createEndpoint(doing.tx, deps, { merchant, ...input })).answer
      const after = { site: urlOrigin(input.url), events: input.events }
      return { answer: { webhookId, secret }, audit: entry(doing, 'endpoint.create', { subject: webhookId, after }) }
    },
  },

  'endpoints.change': {
    before: async (context, doing, { webhookId, url }) => {
      if (url !== undefined) refuseWayToCustomers(doing, merchantOf(doing).environment)
      const before = await requireEndpoint(context, doing, webhookId)
      if (url !== undefined && before.kind === 'url') await refuseTarget(context, { url, merchant: merchantOf(doing) })
    },
    run: async (context, doing, { merchantId: _, webhookId, ...change }) => {
      const deps = { ...context, secretBox: requireSecretBox(context) }
      const effect = await changeEndpoint(doing.tx, deps, { merchant: merchantOf(doing), webhookId, ...change })
      const { url, ...rest } = change
      const after = url === undefined ? rest : { ...rest, site: urlOrigin(url) }
      return {
        answer: { webhookId, status: effect.answer.status },
        audit: entry(doing, 'endpoint.change', { subject: webhookId, after }),
        ...(effect.wake && { wake: effect.wake }),
      }
    },
  },

  // Its history goes in pieces, each a unit of its own.
  'endpoints.delete': {
    alone: async (context, doing, { webhookId }) => {
      const { url } = await requireEndpoint(context, doing, webhookId)
      const told = entry(doing, 'endpoint.delete', { subject: webhookId, before: { site: urlOrigin(url) } })
      await context.db.unit((tx) => audited(tx, context, { ...told, act: doing }))
      await deleteEndpoint(context, merchantOf(doing), webhookId)
      return { webhookId }
    },
  },

  'endpoints.rotate': async (context, doing, { webhookId, expireOldInHours }) => {
    refuseWayToCustomers(doing, merchantOf(doing).environment)
    const deps = { ...context, secretBox: requireSecretBox(context) }
    const { answer } = await rotateSecret(doing.tx, deps, { merchant: merchantOf(doing), webhookId, expireOldInHours })
    const after = { oldSecretExpiresAt: answer.oldSecretExpiresAt }
    return { answer, audit: entry(doing, 'endpoint.rotate', { subject: webhookId, after }) }
  },

  // It is made from the master key and never changes: to see it is the act.
  'endpoints.listenSecret': async (context, doing) => {
    const { accountId, environment, publicId } = merchantOf(doing)
    refuseWayToCustomers(doing, environment)
    const secret = listenSecret(requireSecretBox(context), { accountId, environment })
    return { answer: { secret }, audit: entry(doing, 'endpoint.listen-secret', { subject: publicId }) }
  },

  'endpoints.test': async (context, doing, { webhookId, type }) => {
    const effect = await fireTestEvent(doing.tx, context, { merchant: merchantOf(doing), webhookId, event: { type } })
    return { ...effect, audit: entry(doing, 'endpoint.test', { subject: webhookId, after: { type } }) }
  },

  'endpoint.testData': async (context, doing, { webhookId, type, data }) => {
    checkData(type, data)
    const effect = await fireTestEvent(doing.tx, context, {
      merchant: merchantOf(doing),
      webhookId,
      event: { type, data },
    })
    const after = { type, eventId: effect.answer.eventId }
    return { ...effect, audit: entry(doing, 'endpoint.test', { subject: webhookId, after }) }
  },

  'endpoint.samples': async ({ clock }, doing) =>
    WEBHOOK_EVENT_TYPES.map((type) => ({ type, data: sampleEvent(type, merchantOf(doing), clock.now()).data })),

  'endpoint.recover': async (context, doing, { webhookId, since, until }) => {
    const effect = await recoverEndpoint(doing.tx, context, { merchant: merchantOf(doing), webhookId, since, until })
    const after = { since, until, queued: effect.answer.queued }
    return { ...effect, audit: entry(doing, 'endpoint.recover', { subject: webhookId, after }) }
  },
}

/** @throws ServiceError webhook.not_found */
export async function requireEndpoint(
  { endpoints }: ControlContext,
  doing: Doing,
  webhookId: WebhookId,
): Promise<WebhookEndpointsTable> {
  const row = await endpoints.find(ownerOf(merchantOf(doing)), webhookId)
  if (row === null) throw new ServiceError('webhook.not_found')
  return row
}

export function entry(
  doing: Doing,
  action: AuditAction,
  { subject, before, after }: { subject: string; before?: unknown; after?: unknown },
) {
  return { accountId: merchantOf(doing).accountId, action, subject, before, after }
}

/** @throws ControlRefusal invalid: data that no event of this type has, each field by its path */
function checkData(type: WebhookEventType, data: Readonly<Record<string, unknown>>): void {
  if (JSON.stringify(data).length > LARGEST_DATA)
    throw invalidData([{ field: 'data', message: `must not be longer than ${LARGEST_DATA} characters as JSON` }])
  const parsed = WEBHOOK_EVENT_DATA[type].safeParse(data, { error: fieldMessage })
  if (parsed.success) return
  throw invalidData(parsed.error.issues.map(({ path, message }) => ({ field: ['data', ...path].join('.'), message })))
}

function invalidData(errors: { field: string; message: string }[]): ControlRefusal {
  return new ControlRefusal('invalid', errors.map(({ field, message }) => `${field}: ${message}`).join('; '), {
    errors,
  })
}
