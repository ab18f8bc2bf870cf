// The order of the first steps, and the lines that send it. Pure.

export interface OrderableItem {
  umsId: string
  kind: 'item' | 'modifier'
  /** In the restaurant's currency; null: unknown. */
  price: number | null
  orderable: boolean
}

export interface FirstOrder {
  merchantId: string
  orderId: string
  source: string
  items: { umsId: string; qty: number; price: number; note?: string }[]
  total: number
  customer: { name: string }
}

const NOTE = 'cut in half'

/** Two things of the menu, with an exact total. @returns null where nothing can be ordered */
export function firstOrder(merchantId: string, orderId: string, menu: readonly OrderableItem[]): FirstOrder | null {
  const [first, second] = menu.filter(({ kind, price, orderable }) => kind === 'item' && orderable && price !== null)
  if (first === undefined) return null
  const chosen = second === undefined ? [first] : [first, second]
  const items = chosen.map(({ umsId, price }, index) => ({
    umsId,
    qty: chosen.length - index,
    price: price ?? 0,
    ...(index === 0 ? { note: NOTE } : {}),
  }))
  const cents = items.reduce((sum, { qty, price }) => sum + Math.round(price * 100) * qty, 0)
  return { merchantId, orderId, source: 'quick-start', items, total: cents / 100, customer: { name: 'Ana' } }
}

interface Sent {
  /** Of the relay, such as `https://relay.example`. */
  origin: string
  /** Null: none is known here, and the line takes it from the variable TICKETRAIL_API_KEY. */
  apiKey: string | null
  order: FirstOrder
}

/** A line for a POSIX shell; each run sends a new order. */
export function orderAsCurl({ origin, apiKey, order }: Sent): string {
  // The single quotes end, the shell puts in its clock and a random number, and they go on.
  const id = `'"first-$(date +%s)-$RANDOM"'`
  const body = inLines({ ...order, orderId: 'ORDER_ID' })
    .replaceAll("'", `'\\''`)
    .replace('"ORDER_ID"', () => `"${id}"`)
  const bearer = apiKey === null ? '"Authorization: Bearer $TICKETRAIL_API_KEY"' : `'Authorization: Bearer ${apiKey}'`
  return [
    `curl -sS ${origin}/v1/order/inject \\`,
    `  -H ${bearer} \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${body}'`,
  ].join('\n')
}

/** A module for Node 22 and newer, or Deno, or Bun. */
export function orderAsJavaScript({ origin, apiKey, order }: Sent): string {
  const { orderId: _, ...rest } = order
  const [first = '', ...lines] = inLines(rest).split('\n')
  const body = [first, '  orderId: `first-$' + '{crypto.randomUUID()}`,', ...lines].join('\n')
  const key = apiKey === null ? 'process.env.TICKETRAIL_API_KEY' : JSON.stringify(apiKey)
  return `const key = ${key}
const order = ${body}
const answer = await fetch('${origin}/v1/order/inject', {
  method: 'POST',
  headers: { authorization: \`Bearer \${key}\`, 'content-type': 'application/json' },
  body: JSON.stringify(order),
})
console.log(answer.status, await answer.json())`
}

/** JSON with a field a line, and an item a line. */
function inLines(order: object): string {
  const fields = Object.entries(order).map(([name, value]) => {
    const text = Array.isArray(value)
      ? `[\n    ${value.map((one) => JSON.stringify(one)).join(',\n    ')}\n  ]`
      : JSON.stringify(value)
    return `  ${JSON.stringify(name)}: ${text}`
  })
  return `{\n${fields.join(',\n')}\n}`
}
