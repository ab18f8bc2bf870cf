// Requests, events and deliveries of what is on screen, each the newest few. One of them is asked for at a time.
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ComponentType, ReactNode } from 'react'
import type { EventRowAnswer } from '#cloud/control/event-list.ts'
import type { RequestRowAnswer } from '#cloud/control/request-list.ts'
import type { DeliveryAnswer } from '#cloud/control/webhook-list.ts'
import { requestWords } from '#cloud/web/messages/requests.ts'
import { webhookWords } from '#cloud/web/messages/webhooks.ts'
import { workbenchWords } from '#cloud/web/messages/workbench.ts'
import { useRead } from '#cloud/web/operations.ts'
import { Ago } from '#cloud/web/parts/ago.tsx'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { OfRestaurant } from '#cloud/web/parts/of-restaurant.tsx'
import { DELIVERY_TONES } from '#cloud/web/parts/webhooks/webhook-words.ts'
import { usePlace } from '#cloud/web/place.tsx'
import { usePageWords } from '#cloud/web/speech.tsx'
import { asId } from '#shared/ids.ts'
import type { ApiError } from '#shared/ui/api.ts'
import { Mark } from '#shared/ui/parts/mark.tsx'
import type { Subject } from './subject.ts'

const SHOWN = 12
const REQUESTS_EVERY_MS = 5_000

interface OfThis {
  subject: Subject
}

export function RequestsOfThis({ subject }: OfThis) {
  const t = usePageWords(workbenchWords)
  const logWords = usePageWords(requestWords)
  const { environment, merchantId } = usePlace()
  const ids = useIdsInRequests(subject)
  const asked = { environment, limit: SHOWN, ...(ids !== null && { ids }) }
  const requests = useRead('requests.list', asked, { everyMs: REQUESTS_EVERY_MS })
  return (
    <Answer of={requests} rows={3}>
      {({ log, data }) => {
        if (log.state !== 'on') return <p>{log.state === 'off' ? logWords.off : logWords.failed}</p>
        // Another restaurant may have an order with the same number of its client.
        const rows =
          ids === null ? data : data.filter((row) => row.merchantId === null || row.merchantId === merchantId)
        return (
          <Newest
            label={t.views.requests}
            words={{ ...t.lists.requests, none: logWords.none }}
            isAll={ids === null}
            rows={rows}
            keyOf={({ requestId }) => requestId}
          >
            {(row) => <RequestRow row={row} />}
          </Newest>
        )
      }}
    </Answer>
  )
}

/** Ids by which calls name it; null: all calls are meant. */
function useIdsInRequests(subject: Subject): string[] | null {
  const { merchantId } = usePlace()
  const isOrder = subject.kind === 'order'
  // The order's page has requested it: here it is read from the cache, for its client's id.
  const order = useRead(
    'orders.get',
    { merchantId: merchantId ?? '', serviceOrderId: asId<'ord'>(isOrder ? subject.id : '') },
    { enabled: false },
  )
  if (subject.kind === 'page' || subject.kind === 'request') return null
  const ownId = isOrder ? order.data?.order.orderId : undefined
  return ownId === undefined ? [subject.id] : [subject.id, ownId]
}

function RequestRow({ row: { requestId, method, path, status, code, at } }: { row: RequestRowAnswer }) {
  return (
    <>
      <Link to="/requests/$id" params={{ id: requestId }}>
        <code>{`${method} ${path}`}</code>
      </Link>
      <Mark tone={status < 400 ? 'ok' : status < 500 ? 'warn' : 'bad'}>{`${status} ${code ?? ''}`}</Mark>
      <Ago className="soft" at={at} />
    </>
  )
}

interface OfThisThere extends OfThis {
  merchantId: string
}

/** A list that only a restaurant has. */
function atRestaurant(List: ComponentType<OfThisThere>) {
  return ({ subject }: OfThis) => (
    <OfRestaurant>{(merchantId) => <List merchantId={merchantId} subject={subject} />}</OfRestaurant>
  )
}

export const EventsOfThis = atRestaurant(({ merchantId, subject }) => {
  const t = usePageWords(workbenchWords)
  const { of, isKnown, failed } = useSubjectId(merchantId, subject)
  const asked = { merchantId, limit: SHOWN, ...(of !== null && { subjectId: of }) }
  const events = useRead('events.list', asked, { enabled: isKnown })
  return (
    <Answer of={failed ?? events} rows={3}>
      {({ data }: { data: EventRowAnswer[] }) => (
        <Newest
          label={t.views.events}
          words={t.lists.events}
          isAll={of === null}
          rows={data}
          keyOf={({ eventId }) => eventId}
        >
          {({ eventId, type, sequence, at, isTest, subjectId }) => (
            <>
              <Link to="/events/$id" params={{ id: eventId }}>
                {type}
              </Link>
              <span className="soft">
                {isTest ? t.test : t.sequence(sequence)} {of === null && <code>{subjectId}</code>}
              </span>
              <Ago className="soft" at={at} />
            </>
          )}
        </Newest>
      )}
    </Answer>
  )
})

export const DeliveriesOfThis = atRestaurant(({ merchantId, subject }) => {
  const t = usePageWords(workbenchWords)
  const { deliveryStates } = usePageWords(webhookWords)
  const { of, isKnown, failed } = useSubjectId(merchantId, subject)
  const narrowed =
    subject.kind === 'endpoint' ? { webhookId: asId<'we'>(subject.id) } : of === null ? null : { subjectId: of }
  const deliveries = useRead('deliveries.list', { merchantId, limit: SHOWN, ...narrowed }, { enabled: isKnown })
  return (
    <Answer of={failed ?? deliveries} rows={3}>
      {({ data }: { data: DeliveryAnswer[] }) => (
        <Newest
          label={t.views.deliveries}
          words={t.lists.deliveries}
          isAll={narrowed === null}
          rows={data}
          keyOf={({ deliveryId }) => deliveryId}
        >
          {({ deliveryId, type, state, lastStatus, attempts, createdAt }) => (
            <>
              <Link to="/deliveries/$id" params={{ id: deliveryId }}>
                {type}
              </Link>
              <span>
                <Mark tone={DELIVERY_TONES[state]}>{`${deliveryStates[state]} ${lastStatus ?? ''}`}</Mark>{' '}
                <span className="soft">{t.attempts(attempts)}</span>
              </span>
              <Ago className="soft" at={createdAt} />
            </>
          )}
        </Newest>
      )}
    </Answer>
  )
})

interface SubjectIdKnown {
  /** A serviceOrderId or a umsId; null: it is about nothing of the kind. */
  of: string | null
  isKnown: boolean
  /** The read that failed; it has no answer to show. */
  failed: UseQueryResult<never, ApiError> | null
}

/** The order or item that an event or a delivery is about. Their pages have asked for them a moment ago. */
function useSubjectId(merchantId: string, subject: Subject): SubjectIdKnown {
  const isDelivery = subject.kind === 'delivery'
  const delivery = useRead(
    'deliveries.get',
    { merchantId, deliveryId: asId<'dlv'>(isDelivery ? subject.id : '') },
    { enabled: isDelivery },
  )
  const eventId = subject.kind === 'event' ? subject.id : (delivery.data?.eventId ?? null)
  const event = useRead(
    'events.get',
    { merchantId, eventId: asId<'evt'>(eventId ?? '') },
    { enabled: eventId !== null },
  )
  if (subject.kind === 'order') return { of: subject.id, isKnown: true, failed: null }
  if (subject.kind !== 'event' && !isDelivery) return { of: null, isKnown: true, failed: null }
  const failed = [delivery, event].find((one) => one.error !== null && one.data === undefined) ?? null
  return {
    of: event.data?.subjectId ?? null,
    isKnown: event.data !== undefined,
    failed: failed as UseQueryResult<never, ApiError> | null,
  }
}

interface NewestProps<R> {
  label: string
  words: { newest: string; none: string; noneOfThis: string }
  /** Of everything, and not of what is on screen. */
  isAll: boolean
  rows: readonly R[]
  keyOf: (row: R) => string
  children: (row: R) => ReactNode
}

function Newest<R>({ label, words, isAll, rows, keyOf, children }: NewestProps<R>) {
  return (
    <>
      {isAll && <p className="soft">{words.newest}</p>}
      {rows.length === 0 ? (
        <p>{isAll ? words.none : words.noneOfThis}</p>
      ) : (
        <ul className="workbench-rows" aria-label={label}>
          {rows.map((row) => (
            <li key={keyOf(row)}>{children(row)}</li>
          ))}
        </ul>
      )}
    </>
  )
}
