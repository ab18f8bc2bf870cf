// The content of an order: items and money, customer, kitchen; and the same as JSON.
import type { ReactNode } from 'react'
import type { OrderAnswer } from '#cloud/control/order-list.ts'
import { ordersWords } from '#cloud/web/messages/orders.ts'
import type { OrdersWords } from '#cloud/web/messages/orders-en.ts'
import { CodeBlock } from '#cloud/web/parts/code-block.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { languageFacts } from '#shared/languages.ts'
import { lookup, moneyWords } from './order-words.ts'

export function OrderItems({ order: { order, currency, names } }: { order: OrderAnswer }) {
  const t = usePageWords(ordersWords)
  const { language } = useSpeech()
  const money = (amount: number) => moneyWords(amount, currency, languageFacts(language).locale)
  const sums: [string, number][] = [
    [t.order.total, order.total],
    ...(order.tip > 0 ? [[t.order.tip, order.tip] as [string, number]] : []),
    ...(order.refundedTotal > 0 ? [[t.order.refunded, -order.refundedTotal] as [string, number]] : []),
  ]
  return (
    <table className="order-lines">
      <tbody>
        {order.items.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of an order never change
          <tr key={index}>
            <td className="number">{item.qty} ×</td>
            <td>
              <strong>
                <bdi>{item.name}</bdi>
              </strong>
              {details(item, names, t).map((detail) => (
                <div key={detail} className="soft">
                  <bdi>{detail}</bdi>
                </div>
              ))}
            </td>
            <td className="number amount">{money(item.price * item.qty)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        {sums.map(([name, amount]) => (
          <tr key={name}>
            <th scope="row" colSpan={2}>
              {name}
            </th>
            <td className="number amount">{money(amount)}</td>
          </tr>
        ))}
      </tfoot>
    </table>
  )
}

type Item = OrderAnswer['order']['items'][number]

function details(
  { modifiers, modifierDetails, note, seat, course, allergens = [] }: Item,
  names: OrderAnswer['names'],
  { order }: OrdersWords,
): string[] {
  const named = (modifierDetails ?? modifiers.map((umsId) => ({ umsId, qty: undefined, verb: undefined }))).map(
    ({ umsId, qty, verb }) => [verb, qty && `${qty} ×`, names[umsId] ?? umsId].filter(Boolean).join(' '),
  )
  return [
    ...named,
    ...(note === undefined || note === '' ? [] : [note]),
    ...(course === undefined ? [] : [order.course(course)]),
    ...(seat === undefined ? [] : [order.seat(seat)]),
    ...allergens,
  ]
}

export function OrderFacts({ order: answer }: { order: OrderAnswer }) {
  const t = usePageWords(ordersWords)
  const { formats } = useSpeech()
  const { order, isMasked, locationName } = answer
  const guest = [order.customer?.name, order.customer?.phone, order.customer?.email].filter(
    (part) => part !== undefined,
  )
  const facts: [string, ReactNode][] = [
    [
      t.order.customer,
      guest.length === 0 ? t.order.noCustomer : [...guest, ...(isMasked ? [t.order.masked] : [])].join(' · '),
    ],
    [t.order.source, order.source],
    [
      t.order.kind,
      [
        order.orderType === null ? null : lookup(t.orderTypes, order.orderType),
        order.table === null ? null : t.table(order.table),
      ]
        .filter((part) => part !== null)
        .join(' · '),
    ],
    [t.order.guests, order.guests === null ? '' : formats.number(order.guests)],
    [t.order.server, order.server ?? ''],
    [t.order.where, locationName],
    [t.order.taken, formats.dateTime(order.queuedAt)],
    [t.order.fires, order.fireAt === null ? '' : formats.dateTime(order.fireAt)],
    [t.order.promised, formats.dateTime(order.estimatedReadyAt)],
    [t.order.note, order.note ?? ''],
    [t.order.allergens, formats.list(order.allergens)],
    [t.order.voidReason, order.voidReason ?? ''],
    [t.order.ownId, <code key="own">{order.orderId}</code>],
    [t.order.ids, <Ids key="ids" ids={[order.serviceOrderId, order.printJobId, order.posOrderId]} />],
  ]
  return (
    <dl className="facts">
      {facts
        .filter(([, said]) => said !== '')
        .map(([name, said]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{typeof said === 'string' ? <bdi>{said}</bdi> : said}</dd>
          </div>
        ))}
    </dl>
  )
}

function Ids({ ids }: { ids: readonly (string | null)[] }) {
  return <span className="ids">{ids.map((id) => id !== null && <code key={id}>{id}</code>)}</span>
}

export function OrderJson({ order: { order } }: { order: OrderAnswer }) {
  const t = usePageWords(ordersWords)
  return (
    <Folded title={t.order.json}>
      <CodeBlock label={t.order.json} text={JSON.stringify(order, null, 2)} />
    </Folded>
  )
}

function Folded({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="plain-fold">
      <summary>{title}</summary>
      <div className="stack">{children}</div>
    </details>
  )
}
