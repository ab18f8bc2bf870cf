// Deliveries as a list with filters, which are in the address: of all endpoints of the restaurant, or of one.
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { DeliveryAnswer, EndpointAnswer } from '#cloud/control/webhook-list.ts'
import { listTime } from '#cloud/web/list-time.ts'
import { useNow } from '#cloud/web/live.tsx'
import { webhookWords } from '#cloud/web/messages/webhooks.ts'
import { useChange } from '#cloud/web/operations.ts'
import { Ago } from '#cloud/web/parts/ago.tsx'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { type Column, DataList } from '#cloud/web/parts/data-list.tsx'
import { Empty } from '#cloud/web/parts/empty.tsx'
import { FilterBar, FilterChoice } from '#cloud/web/parts/filter-bar.tsx'
import { type Filters, useFilters } from '#cloud/web/parts/use-filters.ts'
import { type PagesOf, usePages } from '#cloud/web/parts/use-pages.ts'
import { useMay } from '#cloud/web/place.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { WEBHOOK_EVENT_TYPES } from '#shared/wire/webhook-event-names.ts'
import { DELIVERY_TONES, endpointName, eventTypeOf, lastAnswerWords } from './webhook-words.ts'

const FILTERS = ['state', 'type', 'endpoint'] as const
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
  const filters = useFilters(FILTERS)
  const { state, type, endpoint } = filters.values
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
  return (
    <>
      <DeliveryFilter filters={filters} endpoints={only === undefined ? endpoints : null} />
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
            empty={<Empty words={filters.isFiltered ? t.noMatch : t.noDeliveries} />}
            pages={pages}
            file={`deliveries-${merchantId}`}
          />
        )}
      </Answer>
    </>
  )
}

interface DeliveryFilterProps {
  filters: Filters<(typeof FILTERS)[number]>
  endpoints: readonly EndpointAnswer[] | null
}

function DeliveryFilter({ filters, endpoints }: DeliveryFilterProps) {
  const t = usePageWords(webhookWords)
  const { values, set } = filters
  return (
    <FilterBar label={t.filter.label} filters={filters} clear={t.filter.clear}>
      <FilterChoice
        label={t.filter.state}
        value={values.state}
        set={(state) => set({ state })}
        any={t.filter.anyState}
        choices={STATES.map((state) => ({ value: state, label: t.deliveryStates[state] }))}
      />
      <FilterChoice
        label={t.filter.type}
        value={values.type}
        set={(type) => set({ type })}
        any={t.filter.anyType}
        choices={WEBHOOK_EVENT_TYPES}
      />
      {endpoints !== null && (
        <FilterChoice
          label={t.filter.endpoint}
          value={values.endpoint}
          set={(endpoint) => set({ endpoint })}
          any={t.filter.anyEndpoint}
          choices={endpoints.map((one) => ({ value: one.webhookId, label: endpointName(one, t) }))}
        />
      )}
    </FilterBar>
  )
}

/** @param endpoints null: all are of one */
function useColumns(endpoints: readonly EndpointAnswer[] | null): readonly Column<DeliveryAnswer>[] {
  const t = usePageWords(webhookWords)
  const { formats } = useSpeech()
  const nowMs = useNow()
  const today = formats.date(nowMs)
  const when = (at: string) => listTime(formats, at, today)
  const nameOf = (webhookId: string) => {
    const found = endpoints?.find((one) => one.webhookId === webhookId)
    return found === undefined ? webhookId : endpointName(found, t)
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
              <time dateTime={nextAttemptAt}>{t.attempts.at(when(nextAttemptAt))}</time>
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
      cell: ({ createdAt }) => <Ago at={createdAt} />,
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
  const resend = useChange('deliveries.resend', () => say(t.resent))
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
