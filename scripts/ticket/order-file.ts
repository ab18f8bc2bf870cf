// An order in a JSON file to the order that a kitchen prints: the body of POST /v1/order/inject, or an order as a gateway gets it.
import { z } from 'zod'
import { fieldMessage } from '#shared/field-message.ts'
import { type KitchenOrder, kitchenOrder } from '#shared/order.ts'
import { customer, injectOrder, lineItem } from '#shared/wire/api/orders.ts'
import { TicketError } from './ticket-error.ts'

/** Fields that only a kitchen order has: what holds one of them is meant to be one. */
const KITCHEN_FIELDS = ['serviceOrderId', 'queuedAtMs'] as const

const kitchen = kitchenOrder.shape
const kitchenLine = kitchen.items.element.shape
const modifier = z.strictObject({ ...kitchenLine.modifiers.unwrap().element.partial().shape })

const drawnLine = lineItem
  .partial({ umsId: true, price: true, qty: true })
  .extend({
    name: z.string().optional(),
    station: kitchenLine.station.unwrap().optional(),
    category: kitchenLine.category,
    seat: kitchenLine.seat,
    course: kitchenLine.course,
    allergens: kitchenLine.allergens,
    modifiers: z.array(z.union([z.string(), modifier])).optional(),
  })
  .refine(({ umsId, name }) => umsId !== undefined || name !== undefined, { error: 'must have a umsId or a name' })

/** As the API takes it, with names besides the ids, and with nothing required but its items. */
const drawnOrder = injectOrder.partial().extend({
  items: z.array(drawnLine).min(1),
  customer: customer.extend({}).optional(),
  orderType: kitchen.orderType,
  table: kitchen.table,
  guests: kitchen.guests,
  server: kitchen.server,
  note: kitchen.note,
  allergens: kitchen.allergens,
  timeZone: z.string().optional(),
})
type DrawnOrder = z.output<typeof drawnOrder>

/** Values for what a file leaves out. */
export interface OrderDefaults {
  nowMs: number
  timeZone: string
}

/**
 * @param name of the file, for messages
 * @throws TicketError that names the file, the field and what it must be
 */
export function orderFromJson(text: string, name: string, defaults: OrderDefaults): KitchenOrder {
  const value = jsonOf(text, name)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TicketError(`${name}: must be an object: { "items": [ ... ] }`)
  const isKitchenOrder = KITCHEN_FIELDS.some((field) => field in value)
  return isKitchenOrder ? read(kitchenOrder, value, name) : kitchenOrderOf(read(drawnOrder, value, name), defaults)
}

function jsonOf(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new TicketError(`${name}: is not JSON: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
}

function read<T extends z.ZodType>(schema: T, value: unknown, name: string): z.output<T> {
  const result = schema.safeParse(value, { error: (issue) => fieldMessage(issue) ?? undefined })
  if (result.success) return result.data
  throw new TicketError(result.error.issues.map((issue) => `${name}: ${issueText(issue)}`).join('\n'))
}

/** `items[1].qty must be 1 or more` */
function issueText(issue: z.core.$ZodIssue): string {
  const field = fieldOf(issue.path)
  if (issue.code === 'unrecognized_keys') {
    const where = field === '' ? 'an order' : field
    return `${where} has no field ${issue.keys.map((key) => `"${key}"`).join(' or ')}`
  }
  if (issue.code === 'invalid_union') {
    // Of the alternatives, the one that fits best explains the error.
    const deeper = issue.errors.flat().find((each) => each.path.length > 0 || each.code === 'unrecognized_keys')
    return deeper === undefined
      ? `${field} must be text or an object`
      : issueText({ ...deeper, path: [...issue.path, ...deeper.path] })
  }
  return `${field === '' ? 'the order' : field} ${issue.message}`
}

function fieldOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (field, key) =>
      typeof key === 'number' ? `${field}[${key}]` : field === '' ? String(key) : `${field}.${String(key)}`,
    '',
  )
}

function kitchenOrderOf(order: DrawnOrder, { nowMs, timeZone }: OrderDefaults): KitchenOrder {
  const { fireAt, ...rest } = order
  return kitchenOrder.parse({
    serviceOrderId: '',
    orderId: 'DRAWN',
    merchantId: '',
    locationId: '',
    source: '',
    timeZone,
    queuedAtMs: nowMs,
    ...rest,
    fireAtMs: fireAt === undefined ? null : Date.parse(fireAt),
    items: order.items.map(({ umsId, name, modifiers = [], ...line }) => ({
      ...line,
      qty: line.qty ?? 1,
      umsId: umsId ?? '',
      name: name ?? umsId,
      modifiers: modifiers.map((each) => (typeof each === 'string' ? named({ umsId: each }) : named(each))),
    })),
  })
}

/** A modifier without a name gets its id as its name. */
function named<T extends { umsId?: string | undefined; name?: string | undefined }>(modifier: T) {
  return { ...modifier, umsId: modifier.umsId ?? '', name: modifier.name ?? modifier.umsId ?? '' }
}
