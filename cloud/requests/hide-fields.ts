// What of a JSON value must not be kept or shown: the text inside of some fields is replaced, and everything else stays as it is.

const REPLACED = '***'

/** Fields whose text may name a customer or contain contact data, wherever they are. */
const OF_CUSTOMERS: ReadonlySet<string> = new Set(['customer', 'note', 'voidReason'])

/** Calls whose `reason` a person has typed; elsewhere it is a technical word. */
const OF_REFUNDS: ReadonlySet<string> = new Set(['refund', 'refunds'])

/** The same JSON value with the text inside of customers' fields replaced, and what people typed as the reason of a void or a refund. */
export function withoutCustomers<T>(value: T): T {
  // The same shape: only text inside of it changes.
  return hidden(value, withoutCustomer) as T
}

function withoutCustomer(name: string, inside: unknown): unknown {
  if (OF_CUSTOMERS.has(name)) return replaced(inside)
  if (!OF_REFUNDS.has(name)) return undefined
  return hidden(inside, (inner, text) => (inner === 'reason' ? replaced(text) : withoutCustomer(inner, text)))
}

/**
 * Fields of the API whose text is an id or a technical word. Any other field is hidden, also unknown ones:
 * a call with `costumer` is refused, and contains a customer all the same.
 */
const KEPT: ReadonlySet<string> = new Set([
  'addOnTo',
  'after',
  'align',
  'allergens',
  'amount',
  'bold',
  'channelId',
  'channels',
  'content',
  'copies',
  'course',
  'cursor',
  'events',
  'expireOldInHours',
  'fireAt',
  'format',
  'group',
  'guests',
  'items',
  'limit',
  'locationId',
  'lowThreshold',
  'merchantId',
  'modifiers',
  'orderId',
  'orderType',
  'price',
  'print',
  'printerId',
  'qty',
  'quantity',
  'seat',
  'serviceOrderId',
  'since',
  'size',
  'source',
  'state',
  'station',
  'status',
  'subjectId',
  'tip',
  'total',
  'type',
  'umsId',
  'until',
  'verb',
])

/** The stored form of a request's body: technical values, without what people typed and without secrets. Of an address its origin is kept: path and query may be a secret. */
export function keptBody(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(keptBody)
  if (typeof value !== 'object' || value === null) return replaced(value)
  return hidden(value, (name, inside) => {
    if (/url$/i.test(name) && typeof inside === 'string') return `${URL.parse(inside)?.origin ?? ''}/${REPLACED}`
    return KEPT.has(name) ? undefined : replaced(inside)
  })
}

/** A time of a list: any other text under these names may be a person. */
const TIME = /^(?:from|to)=\d{4}-\d\d-\d\d[\dA-FTZ%:.+-]*$/

/** As a request's address is kept: of its query what `keptBody` keeps of a body, and times. @param path with its query, as it was sent */
export function keptPath(path: string): string {
  const at = path.indexOf('?') + 1
  if (at === 0) return path
  const kept = path
    .slice(at)
    .split('&')
    .map((part) => {
      const [name = '', value] = part.split('=', 2)
      if (part === '' || (KEPT.has(name) && value !== undefined) || TIME.test(part)) return part
      return value === undefined ? REPLACED : `${name}=${REPLACED}`
    })
  return path.slice(0, at) + kept.join('&')
}

/** @param instead the replacement of a field's value; undefined: process its contents */
function hidden(value: unknown, instead: (name: string, inside: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => hidden(one, instead))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inside]) => [name, instead(name, inside) ?? hidden(inside, instead)]),
  )
}

/** Null and empty values stay: they show that nothing was there. */
function replaced(value: unknown): unknown {
  if (value === null || value === '') return value
  if (Array.isArray(value)) return value.map(replaced)
  if (typeof value !== 'object') return typeof value === 'string' || typeof value === 'number' ? REPLACED : value
  return Object.fromEntries(Object.entries(value).map(([name, inside]) => [name, replaced(inside)]))
}
