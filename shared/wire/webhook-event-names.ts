// The types of webhook events, and which of them `*` stands for. Without zod: the dashboard's page has it too.

export const WEBHOOK_EVENT_TYPES = [
  'order.accepted',
  'order.printed',
  'order.ready',
  'order.completed',
  'order.voided',
  'order.refunded',
  'sku.silenced',
  'sku.restored',
  'sku.low_stock',
  'alert.started',
  'alert.ended',
] as const
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number]

/**
 * What `*` in the `events` of an endpoint stands for: the nine types of the specification, written down once more and for ever. A type that is
 * added to `WEBHOOK_EVENT_TYPES` is not added here: receivers that asked for `*` were written for these nine, and ask for another by name.
 */
export const STAR_EVENT_TYPES: readonly WebhookEventType[] = [
  'order.accepted',
  'order.printed',
  'order.ready',
  'order.completed',
  'order.voided',
  'order.refunded',
  'sku.silenced',
  'sku.restored',
  'sku.low_stock',
]

/** Those that an endpoint hears only where it names them. */
export const NAMED_EVENT_TYPES: readonly WebhookEventType[] = WEBHOOK_EVENT_TYPES.filter(
  (type) => !STAR_EVENT_TYPES.includes(type),
)
