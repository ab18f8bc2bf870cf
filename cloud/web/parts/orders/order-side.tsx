// What an order says: its items and money, who it is for, where it is made; its webhooks; and the same as JSON and as calls of the API.
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { OrderAnswer, TraceAnswer } from '#cloud/control/order-list.ts'
import { ordersWords } from '#cloud/web/messages/orders.ts'
import { useChange } from '#cloud/web/operations.ts'
import { useMay } from '#cloud/web/place.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { languageFacts } from '#shared/languages.ts'
import { Mark, type Tone } from '#shared/ui/parts/mark.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import { lookup, moneyWords } from './order-words.ts'

export function OrderItems({ order: { order, currency } }: { order: OrderAnswer }) {
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
              {details(item, t).map((detail) => (
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
  { order }: { order: { course: (n: number) => string; seat: (n: number) => string } },
): string[] {
  const named = modifierDetails?.map(({ umsId, qty, verb }) => [verb, qty && `${qty} ×`, umsId].filter(Boolean).join(' '))
  return [
    ...(named ?? modifiers),
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
  const guest = [order.customer?.name, order.customer?.phone, order.customer?.email].filter((part) => part !== undefined)
  const facts: [string, ReactNode][] = [
    [
      t.order.customer,
      guest.length === 0 ? (
        <span className="soft">{t.order.noCustomer}</span>
      ) : (
        <>
          <bdi>{guest.join(' · ')}</bdi>
          {isMasked && <div className="soft">{t.order.masked}</div>}
        </>
      ),
    ],
    [t.order.source, order.source],
    [t.order.kind, order.orderType === null ? '' : lookup(t.orderTypes, order.orderType)],
    ['', order.table === null ? '' : t.table(order.table)],
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
  return (
    <span className="ids">
      {ids.map((id) => id !== null && <code key={id}>{id}</code>)}
    </span>
  )
}

const DELIVERY_TONES: Readonly<Record<string, Tone>> = {
  pending: 'idle',
  retrying: 'warn',
  delivered: 'ok',
  failed: 'bad',
}

export function OrderWebhooks({ merchantId, trace }: { merchantId: string; trace: TraceAnswer }) {
  const t = usePageWords(ordersWords)
  const { formats } = useSpeech()
  const mayBuild = useMay('build')
  const { deliveries } = trace
  if (deliveries.length === 0) return <p className="soft">{t.order.noWebhooks}</p>
  const taken = deliveries.filter(({ state }) => state === 'delivered').length
  return (
    <>
      <p>{t.order.webhooksTaken(taken, deliveries.length)}</p>
      <ul className="delivery-rows">
        {deliveries.map((delivery) => (
          <li key={delivery.deliveryId}>
            <span>
              <strong>{delivery.type}</strong>{' '}
              <bdi className="soft">{[delivery.site, t.order.tries(delivery.attempts)].filter(Boolean).join(' · ')}</bdi>
              {delivery.nextAttemptAt !== null && (
                <span className="soft"> {t.order.next(formats.time(delivery.nextAttemptAt))}</span>
              )}
            </span>
            <Mark tone={DELIVERY_TONES[delivery.state] ?? 'idle'}>
              {t.order.deliveryStates[delivery.state]}
              {delivery.lastStatus === null ? '' : ` ${delivery.lastStatus}`}
            </Mark>
            {mayBuild && <Resend merchantId={merchantId} deliveryId={delivery.deliveryId} type={delivery.type} />}
          </li>
        ))}
      </ul>
    </>
  )
}

function Resend({ merchantId, deliveryId, type }: { merchantId: string; deliveryId: TraceAnswer['deliveries'][number]['deliveryId']; type: string }) {
  const { order } = usePageWords(ordersWords)
  const say = useNotice()
  const change = useChange('deliveries.resend', () => say(order.resent))
  return (
    <>
      <Button
        variant="default"
        size="compact-md"
        loading={change.isPending}
        onClick={() => change.mutate({ merchantId, deliveryId })}
      >
        {order.resend}
        <span className="hidden"> {type}</span>
      </Button>
      <Problem error={change.error} />
    </>
  )
}

export function OrderJson({ order: { order } }: { order: OrderAnswer }) {
  const t = usePageWords(ordersWords)
  return (
    <Folded title={t.order.json}>
      <Code label={t.order.json} text={JSON.stringify(order, null, 2)} />
    </Folded>
  )
}

/** Calls that show and do the same. The host is that of this page. */
export function OrderApi({ order: { order } }: { order: OrderAnswer }) {
  const t = usePageWords(ordersWords)
  const text = curlOf(order.serviceOrderId, order.merchantId, pageOrigin())
  return (
    <Folded title={t.order.api}>
      <p className="soft">{t.order.apiHint}</p>
      <Code label={t.order.api} text={text} />
    </Folded>
  )
}

function curlOf(id: string, merchantId: string, origin: string): string {
  const key = '-H "Authorization: Bearer $TICKETRAIL_KEY"'
  const json = "-H 'Content-Type: application/json'"
  return [
    `curl "${origin}/v1/order/${id}?merchantId=${merchantId}" \\\n  ${key}`,
    `curl -X POST "${origin}/v1/order/${id}/void" \\\n  ${key} ${json} \\\n  -d '{"merchantId": "${merchantId}", "reason": "guest left"}'`,
    `curl "${origin}/v1/events?merchantId=${merchantId}&subjectId=${id}" \\\n  ${key}`,
  ].join('\n\n')
}

function Folded({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="plain-fold">
      <summary>{title}</summary>
      <div className="stack">{children}</div>
    </details>
  )
}

function Code({ label, text }: { label: string; text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached with the keyboard
    <pre className="code-block" tabIndex={0} aria-label={label}>
      {text}
    </pre>
  )
}

export function OrderLink({ serviceOrderId, number }: { serviceOrderId: string; number: string }) {
  return (
    <Link to={`/orders/${serviceOrderId}` as '/'} className="order-number">
      <bdi>{number}</bdi>
    </Link>
  )
}
