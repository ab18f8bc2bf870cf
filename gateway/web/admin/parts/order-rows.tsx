// Orders as rows: the number on paper, large; the type, small. Each links to its card.
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
        <span>
          <Isolated texts={place} between=" · " />
        </span>
      </span>
      <Mark tone={tone}>{words}</Mark>
      <span className="order-items">
        <Isolated texts={[...items, ...more]} between={t.common.comma} />
      </span>
      <span className="soft">
        <Isolated texts={facts} between=" · " />
      </span>
    </li>
  )
}

/** Each text in its own direction: a name in another script does not reorder the texts beside it. */
function Isolated({ texts, between }: { texts: readonly string[]; between: string }) {
  return texts.map((text, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the texts of a row have no other key, and keep their order
    <span key={index}>
      {index > 0 && between}
      <bdi>{text}</bdi>
    </span>
  ))
}
