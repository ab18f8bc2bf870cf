// Deliveries as a list with filters, which stand in the address: to all endpoints of the restaurant, or to one.
import { Button, NativeSelect } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { DeliveryAnswer, EndpointAnswer } from '#cloud/control/webhook-list.ts'
import { useNow } from '#cloud/web/live.tsx'
import { webhookWords } from '#cloud/web/messages/webhooks.ts'
import { useChange } from '#cloud/web/operations.ts'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { type Column, DataList } from '#cloud/web/parts/data-list.tsx'
import { Empty } from '#cloud/web/parts/empty.tsx'
import { type Filters, useFilters } from '#cloud/web/parts/use-filters.ts'
import { type PagesOf, usePages } from '#cloud/web/parts/use-pages.ts'
import { useMay } from '#cloud/web/place.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { WEBHOOK_EVENT_TYPES } from '#shared/wire/webhook-event-names.ts'
import { useWebhookRefresh } from './use-webhook-changes.ts'
import { DELIVERY_TONES, endpointName, eventTypeOf, lastAnswerWords } from './webhook-words.ts'

const FILTERS = ['state', 'type', 'endpoint'] as const
type DeliveryFilters = Filters<(typeof FILTERS)[number]>
const STATES = ['failed', 'retrying', 'pending', 'delivered'] as const

const PAGES: PagesOf<'deliveries.list', DeliveryAnswer> = {
  page: ({ data, nextCursor }) => ({ rows: data, next: nextCursor }),
  after: (cursor) => ({ cursor }),
  keyOf: ({ deliveryId }) => deliveryId,
}

interface DeliveryListProps {
  merchantId: string
  endpoints: readonly EndpointAnswer[]
  /** Shows the deliveries of this one alone. */
  only?: EndpointAnswer
}

export function DeliveryList({ merchantId, endpoints, only }: DeliveryListProps) {
  const t = usePageWords(webhookWords)
  const [filters, setFilters] = useFilters(FILTERS)
  const { state, type, endpoint } = filters
  const webhookId = only?.webhookId ?? endpoints.find((one) => one.webhookId === endpoint)?.webhookId
  const body = useMemo(() => {
    const known = { state: STATES.find((one) => one === state), type: eventTypeOf(type) }
    return {
      merchantId,
      ...(known.state && { state: known.state }),
      ...(known.type && { type: known.type }),
      ...(webhookId && { webhookId }),
    }
  }, [merchantId, state, type, webhookId])
  const pages = usePages('deliveries.list', body, PAGES)
  const columns = useColumns(only === undefined ? endpoints : null)
  const mayChange = useMay('build')
  const isFiltered = FILTERS.some((name) => filters[name] !== '')
  return (
    <>
      <DeliveryFilter filters={filters} set={setFilters} endpoints={only === undefined ? endpoints : null} />
      <Answer of={pages.answer}>
        {() => (
          <DataList
            label={t.deliveries}
            columns={columns}
            rows={pages.rows ?? []}
            keyOf={PAGES.keyOf}
            toneOf={(row) => (row.state === 'failed' ? 'bad' : row.state === 'retrying' ? 'warn' : undefined)}
            {...(mayChange && {
              actions: ({ deliveryId }: DeliveryAnswer) => <ResendButton {...{ merchantId, deliveryId }} isShort />,
            })}
            empty={<Empty words={isFiltered ? t.noMatch : t.noDeliveries} />}
            pages={pages}
            file={`deliveries-${merchantId}`}
          />
        )}
      </Answer>
    </>
  )
}

function DeliveryFilter({
  filters,
  set,
  endpoints,
}: {
  filters: DeliveryFilters
  set: (to: Partial<DeliveryFilters>) => void
  endpoints: readonly EndpointAnswer[] | null
}) {
  const t = usePageWords(webhookWords)
  const isFiltered = FILTERS.some((name) => filters[name] !== '')
  return (
    <search className="filters" aria-label={t.filter.label}>
      <NativeSelect
        label={t.filter.state}
        value={filters.state}
        onChange={({ currentTarget }) => set({ state: currentTarget.value })}
        data={[
          { value: '', label: t.filter.anyState },
          ...STATES.map((state) => ({ value: state, label: t.deliveryStates[state] })),
        ]}
      />
      <NativeSelect
        label={t.filter.type}
        value={filters.type}
        onChange={({ currentTarget }) => set({ type: currentTarget.value })}
        data={[{ value: '', label: t.filter.anyType }, ...WEBHOOK_EVENT_TYPES]}
      />
      {endpoints !== null && (
        <NativeSelect
          label={t.filter.endpoint}
          value={filters.endpoint}
          onChange={({ currentTarget }) => set({ endpoint: currentTarget.value })}
          data={[
            { value: '', label: t.filter.anyEndpoint },
            ...endpoints.map((one) => ({ value: one.webhookId, label: endpointName(one, t.inspector) })),
          ]}
        />
      )}
      {isFiltered && (
        <Button variant="subtle" onClick={() => set({ state: '', type: '', endpoint: '' })}>
          {t.filter.clear}
        </Button>
      )}
    </search>
  )
}

/** @param endpoints null: all are of one */
function useColumns(endpoints: readonly EndpointAnswer[] | null): readonly Column<DeliveryAnswer>[] {
  const t = usePageWords(webhookWords)
  const { formats } = useSpeech()
  const nowMs = useNow()
  const nameOf = (webhookId: string) => {
    const found = endpoints?.find((one) => one.webhookId === webhookId)
    return found === undefined ? webhookId : endpointName(found, t.inspector)
  }
  return [
    {
      key: 'type',
      label: t.columns.type,
      isTitle: true,
      cell: ({ deliveryId, type }) => (
        <Link to="/deliveries/$id" params={{ id: deliveryId }} className="event-type">
          {type}
        </Link>
      ),
      text: ({ type }) => type,
    },
    ...(endpoints === null
      ? []
      : [
          {
            key: 'endpoint',
            label: t.columns.endpoint,
            cell: ({ webhookId }: DeliveryAnswer) => <bdi>{nameOf(webhookId)}</bdi>,
            text: ({ webhookId }: DeliveryAnswer) => nameOf(webhookId),
          },
        ]),
    {
      key: 'state',
      label: t.columns.state,
      cell: ({ state, nextAttemptAt }) => (
        <>
          <Mark tone={DELIVERY_TONES[state]}>{t.deliveryStates[state]}</Mark>
          {nextAttemptAt !== null && state !== 'pending' && (
            <div className="soft">
              <time dateTime={nextAttemptAt}>{t.attempts.at(formats.dateTime(nextAttemptAt))}</time>
            </div>
          )}
        </>
      ),
      text: ({ state }) => state,
    },
    {
      key: 'answer',
      label: t.columns.answer,
      cell: (row) => lastAnswerWords(t, row),
      text: (row) => lastAnswerWords(t, row),
    },
    {
      key: 'attempts',
      label: t.columns.attempts,
      isNumber: true,
      cell: ({ attempts }) => formats.number(attempts),
      text: ({ attempts }) => attempts,
    },
    {
      key: 'made',
      label: t.columns.made,
      cell: ({ createdAt }) => (
        <time dateTime={createdAt} title={formats.dateTime(createdAt)}>
          {formats.ago(createdAt, nowMs)}
        </time>
      ),
      text: ({ createdAt }) => createdAt,
    },
  ]
}

interface ResendProps {
  merchantId: string
  deliveryId: DeliveryAnswer['deliveryId']
  isShort?: boolean
}

export function ResendButton({ merchantId, deliveryId, isShort = false }: ResendProps) {
  const t = usePageWords(webhookWords)
  const say = useNotice()
  const refresh = useWebhookRefresh()
  const resend = useChange('deliveries.resend', () => {
    say(t.resent)
    refresh()
  })
  return (
    <Button
      variant="default"
      {...(isShort && { size: 'compact-sm' })}
      loading={resend.isPending}
      onClick={() => resend.mutate({ merchantId, deliveryId })}
    >
      {t.resend}
    </Button>
  )
}
