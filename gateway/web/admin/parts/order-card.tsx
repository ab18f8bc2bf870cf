// The content and state of an order: facts, lines, stations, screens.

import type { OrderHistoryAnswer } from '#gateway/control/answers.ts'
import type { OrderLineAnswer } from '#gateway/control/order-answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { listed } from '#shared/ui/isolation.ts'
import { orderTypeWords } from './order-words.ts'

type Order = OrderHistoryAnswer

export function OrderFacts({ order }: { order: Order }) {
  const { t, formats } = useSpeech()
  const words = t.orders.facts
  const when = (at: string | null) => (at === null ? '' : formats.dateTime(at))
  const relay = useRelayWords(order)
  const facts: [string, string][] = [
    [words.clientId, order.clientOrderId],
    [words.type, orderTypeWords(order.orderType, t)],
    [words.table, order.table ?? ''],
    [words.guest, order.guest ?? ''],
    [words.guests, order.guests === null ? '' : formats.number(order.guests)],
    [words.server, order.server ?? ''],
    [words.source, order.source],
    [words.received, when(order.receivedAt)],
    [words.scheduled, when(order.notBefore)],
    [words.promised, when(order.readyBy)],
    [words.voided, [when(order.voidedAt), order.voidReason].filter(Boolean).join(t.common.colon)],
    [words.note, order.note ?? ''],
    [words.allergens, listed(order.allergens, t.common.comma)],
    [words.relay, relay],
  ]
  return (
    <dl className="facts">
      {facts
        .filter(([, said]) => said !== '')
        .map(([name, said]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <bdi>{said}</bdi>
            </dd>
          </div>
        ))}
      <div>
        <dt>{words.ids}</dt>
        <dd className="soft">
          <code>{order.serviceOrderId}</code> <code>{order.printJobId}</code>
        </dd>
      </div>
    </dl>
  )
}

function useRelayWords({ isTest, relay: { result, readyToldAt, completedToldAt } }: Order): string {
  const { t, formats } = useSpeech()
  const words = t.orders.relay
  if (isTest) return words.test
  if (result === 'waits') return words.waits
  const told = [
    ...(result === 'told' ? [words.told] : []),
    ...(readyToldAt === null ? [] : [`${words.ready} ${formats.time(readyToldAt)}`]),
    ...(completedToldAt === null ? [] : [`${words.completed} ${formats.time(completedToldAt)}`]),
  ]
  return told.length === 0 ? words.nothing : told.join(t.common.comma)
}

export function OrderLines({ lines }: { lines: readonly OrderLineAnswer[] }) {
  const { t, formats } = useSpeech()
  return (
    <ul className="rows order-lines">
      {lines.map(({ qty, name, note, modifiers, station, course, seat, struckAt }, place) => {
        const facts = [
          station ?? '',
          course === null ? '' : t.orders.course(course),
          seat === null ? '' : t.orders.seat(seat),
          struckAt === null ? '' : `${t.orders.struck} ${formats.time(struckAt)}`,
        ].filter((fact) => fact !== '')
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of an order never change
          <li key={place}>
            <span>
              <strong className="number">{formats.number(qty)}</strong> <bdi>{name}</bdi>
            </span>
            <span className="soft">
              <bdi>{facts.join(' · ')}</bdi>
            </span>
            {modifiers.length + (note === null ? 0 : 1) > 0 && (
              <span className="soft">
                <bdi>{listed([...modifiers, ...(note === null ? [] : [`“${note}”`])], t.common.comma)}</bdi>
              </span>
            )}
          </li>
        )
      })}
    </ul>
  )
}

export function OrderStations({ order: { stations, courses } }: { order: Order }) {
  const { t, formats } = useSpeech()
  return (
    <dl className="facts">
      {stations.map(({ name, startedAt, readyAt }) => (
        <div key={name}>
          <dt>
            <bdi>{name === '' ? t.report.noStation : name}</bdi>
          </dt>
          <dd>
            {[
              ...(startedAt === null ? [] : [t.orders.startedAt(formats.time(startedAt))]),
              readyAt === null ? t.orders.working : t.orders.readyAt(formats.time(readyAt)),
            ].join(t.common.comma)}
          </dd>
        </div>
      ))}
      {courses.map(({ course, firedAt }) => (
        <div key={course}>
          <dt>{t.orders.course(course)}</dt>
          <dd>{firedAt === null ? t.orders.held : t.orders.firedAt(formats.time(firedAt))}</dd>
        </div>
      ))}
    </dl>
  )
}

export function OrderScreens({ order: { screens } }: { order: Order }) {
  const { t, formats } = useSpeech()
  if (screens.length === 0) return <p className="soft">{t.orders.noScreens}</p>
  return (
    <dl className="facts">
      {screens.map(({ displayId, name, seenAt, noticedAt, paperAt }) => (
        <div key={displayId}>
          <dt>
            <bdi>{name}</bdi>
          </dt>
          <dd>
            {[
              seenAt === null ? t.orders.notSeen : t.orders.seenAt(formats.time(seenAt)),
              ...(noticedAt === null ? [] : [t.orders.noticedAt(formats.time(noticedAt))]),
              ...(paperAt === null ? [] : [t.orders.paperAt(formats.time(paperAt))]),
            ].join(t.common.comma)}
          </dd>
        </div>
      ))}
    </dl>
  )
}
