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

/** Lists of objects, by the schemas: a text or number in them is not the API's. */
const OF_OBJECTS: ReadonlySet<string> = new Set(['content', 'items'])

/** Kept fields whose text an account chooses, so that it may have blanks and any letters. The text of the others is a word of a program. */
const OF_ACCOUNTS: ReadonlySet<string> = new Set([
  'channelId',
  'channels',
  'group',
  'locationId',
  'merchantId',
  'modifiers',
  'station',
  'umsId',
])
const LONGEST_TEXT = 256
const WORD = /^[\x21-\x7e]{1,128}$/

/** As programs name fields. Whatever else stands where a name should be may be a person's. */
const NAME = /^[a-z_][A-Za-z_-]{0,39}\d{0,3}$/
const OF_HEADERS: ReadonlySet<string> = new Set(['Idempotency-Key'])

/** An API key, wherever it stands, also the beginning of one. */
const KEY = /sk_(?:sandbox|live)_[0-9A-Za-z]*/g

/** A text without the API keys in it. */
export const keptText = (text: string): string => (text.includes('sk_') ? text.replaceAll(KEY, REPLACED) : text)

const isNamed = (name: string): boolean => NAME.test(name) && !name.startsWith('sk_')

/** The field of a refusal, such as `items[0].qty`, with names that no program gives replaced. */
export function keptField(field: string): string {
  return field.replaceAll(/[^.[\]]+/g, (part) =>
    isNamed(part) || OF_HEADERS.has(part) || /^\d{1,5}$/.test(part) ? part : REPLACED,
  )
}

/**
 * The stored form of a request's body: technical values, without what people typed and without secrets. Of an address its origin is kept: path
 * and query may be a secret.
 * @returns JSON of at most so many characters, cut there. No more of the value is read than that, because a body may have thousands of fields.
 */
export function keptJson(value: unknown, most: number): string {
  const kept = new KeptJson(most)
  kept.put(value, 'fields')
  return kept.text.slice(0, most)
}

/** `hidden`: every text and number is replaced. `fields`: those outside of an object. `address`: all but a text. `word`, `chosen`: a kept field's. */
type How = 'hidden' | 'fields' | 'address' | 'word' | 'chosen'

class KeptJson {
  readonly #most: number
  text = ''

  constructor(most: number) {
    this.#most = most
  }

  put(value: unknown, how: How): void {
    if (typeof value === 'object' && value !== null) {
      if (Array.isArray(value)) this.#putList(value, how)
      else this.#putObject(value as Record<string, unknown>, how)
    } else this.text += typeof value === 'string' ? textOf(value, how) : scalarOf(value, how)
  }

  get #isFull(): boolean {
    return this.text.length >= this.#most
  }

  #putList(values: readonly unknown[], how: How): void {
    this.text += '['
    let comma = ''
    for (const value of values) {
      if (this.#isFull) return
      this.text += comma
      this.put(value, how)
      comma = ','
    }
    this.text += ']'
  }

  #putObject(fields: Record<string, unknown>, how: How): void {
    this.text += '{'
    let comma = ''
    for (const name in fields) {
      if (this.#isFull) return
      this.text += `${comma}"${isNamed(name) ? name : REPLACED}":`
      this.put(fields[name], how === 'hidden' ? how : howOf(name))
      comma = ','
    }
    this.text += '}'
  }
}

const HIDDEN = JSON.stringify(REPLACED)

function textOf(text: string, how: How): string {
  if (text === '') return '""'
  if (how === 'address') return JSON.stringify(`${URL.parse(text)?.origin ?? ''}/${REPLACED}`)
  const isKept = how === 'chosen' || (how === 'word' && WORD.test(text))
  return isKept ? JSON.stringify(keptText(text.slice(0, LONGEST_TEXT))) : HIDDEN
}

function scalarOf(value: unknown, how: How): string {
  if (typeof value === 'boolean') return String(value)
  if (typeof value !== 'number') return 'null'
  return how === 'word' || how === 'chosen' ? String(value) : HIDDEN
}

const howOf = (name: string): How => {
  if (/url$/i.test(name)) return 'address'
  if (OF_OBJECTS.has(name)) return 'fields'
  if (OF_ACCOUNTS.has(name)) return 'chosen'
  return KEPT.has(name) ? 'word' : 'hidden'
}
/** A time of a list: any other text under these names may be a person. */
const TIME = /^(?:from|to)=\d{4}-\d\d-\d\d[\dA-FTZ%:.+-]*$/

/** As a request's address is kept: without API keys, of its query what `keptJson` keeps of a body, and times. @param path with its query, as it was sent */
export function keptPath(path: string): string {
  const at = path.indexOf('?') + 1
  if (at === 0) return keptText(path)
  const kept = path
    .slice(at)
    .split('&')
    .map((part) => {
      const [name = '', value] = part.split('=', 2)
      if (part === '' || (KEPT.has(name) && value !== undefined) || TIME.test(part)) return part
      return value === undefined || !isNamed(name) ? REPLACED : `${name}=${REPLACED}`
    })
  return keptText(path.slice(0, at) + kept.join('&'))
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
