// Orders as rows: the number that stands on paper, large; what it is, small. Each leads to its card.
import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { OrderAnswer } from '#gateway/control/order-answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useNow } from '#gateway/web/admin/live.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { orderName, orderStanding, orderTypeWords } from './order-words.ts'

export function OrderRows({ orders }: { orders: readonly OrderAnswer[] }) {
  return (
    <ul className="rows orders">
      {orders.map((order) => (
        <OrderRow key={order.printJobId} order={order} />
      ))}
    </ul>
  )
}

function OrderRow({ order }: { order: OrderAnswer }) {
  const { t, formats } = useSpeech()
  const now = useNow()
  const { tone, words } = orderStanding(order, t)
  const { number, clientOrderId, source, guest, table, orderType, items, lines, receivedAt, notBefore } = order
  const place = [orderTypeWords(orderType, t), table === null ? '' : t.orders.table(table)].filter(
    (word) => word !== '',
  )
  const more = lines > items.length ? [t.orders.more(lines - items.length)] : []
  const facts = [
    ...(guest === null ? [] : [guest]),
    ...(notBefore === null ? [] : [t.orders.forTime(formats.dateTime(notBefore))]),
    t.job.received(formats.ago(receivedAt, now)),
    source,
    ...(clientOrderId === number ? [] : [clientOrderId]),
  ].filter((fact) => fact !== '')
  return (
    <li>
      <span className="order-head">
        <Anchor component={Link} to="/orders/$order" params={{ order: order.printJobId } as never} className="number">
          <bdi>{orderName(order, t)}</bdi>
        </Anchor>
        <bdi>{place.join(' · ')}</bdi>
      </span>
      <Mark tone={tone}>{words}</Mark>
      <span className="order-items">
        <bdi>{[...items, ...more].join(', ')}</bdi>
      </span>
      <span className="soft">
        {facts.map((fact, index) => (
          <span key={fact}>
            {index > 0 && ' · '}
            <bdi>{fact}</bdi>
          </span>
        ))}
      </span>
    </li>
  )
}
