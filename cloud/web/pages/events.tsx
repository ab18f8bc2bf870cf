// Events of 30 days: what happened to each order and item, whether or not an endpoint received it.
import { TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { EventRowAnswer } from '#cloud/control/event-list.ts'
import { webhookWords } from '#cloud/web/messages/webhooks.ts'
import { Ago } from '#cloud/web/parts/ago.tsx'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { type Column, DataList } from '#cloud/web/parts/data-list.tsx'
import { Empty } from '#cloud/web/parts/empty.tsx'
import { FilterBar, FilterChoice } from '#cloud/web/parts/filter-bar.tsx'
import { OfRestaurant } from '#cloud/web/parts/of-restaurant.tsx'
import { type Filters, useFilters } from '#cloud/web/parts/use-filters.ts'
import { type PagesOf, usePages } from '#cloud/web/parts/use-pages.ts'
import { eventTypeOf } from '#cloud/web/parts/webhooks/webhook-words.ts'
import { usePlace } from '#cloud/web/place.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { Page } from '#shared/ui/parts/page.tsx'
import { WEBHOOK_EVENT_TYPES } from '#shared/wire/webhook-event-names.ts'
import './webhooks.css'

const FILTERS = ['type', 'subject'] as const

const PAGES: PagesOf<'events.list', EventRowAnswer> = {
  page: ({ data, nextCursor }) => ({ rows: data, next: nextCursor }),
  after: (cursor) => ({ cursor }),
  keyOf: ({ eventId }) => eventId,
}

export function EventsPage() {
  const { t: frame } = useSpeech()
  return (
    <Page title={frame.nav.pages.events}>
      <OfRestaurant>{(merchantId) => <Events merchantId={merchantId} />}</OfRestaurant>
    </Page>
  )
}

function Events({ merchantId }: { merchantId: string }) {
  const t = usePageWords(webhookWords)
  const { t: frame } = useSpeech()
  const { merchant } = usePlace()
  const filters = useFilters(FILTERS)
  const { type, subject } = filters.values
  const body = useMemo(() => {
    const known = eventTypeOf(type)
    const subjectId = subject.trim()
    return { merchantId, ...(known && { type: known }), ...(subjectId !== '' && { subjectId }) }
  }, [merchantId, type, subject])
  const pages = usePages('events.list', body, PAGES)
  const columns = useColumns()
  return (
    <>
      <p className="soft">{t.eventsPage.of(merchant?.name ?? merchantId)}</p>
      <EventFilter filters={filters} />
      <Answer of={pages.answer} rows={6}>
        {() => (
          <DataList
            label={frame.nav.pages.events}
            columns={columns}
            rows={pages.rows ?? []}
            keyOf={PAGES.keyOf}
            toneOf={({ missingBefore }) => (missingBefore.length > 0 ? 'warn' : undefined)}
            empty={<Empty words={filters.isFiltered ? t.noMatch : t.eventsPage.none} />}
            pages={pages}
            file={`events-${merchantId}`}
          />
        )}
      </Answer>
    </>
  )
}

function EventFilter({ filters }: { filters: Filters<(typeof FILTERS)[number]> }) {
  const t = usePageWords(webhookWords)
  const { values, set } = filters
  return (
    <FilterBar label={t.filter.label} filters={filters} clear={t.filter.clear}>
      <FilterChoice
        label={t.filter.type}
        value={values.type}
        set={(type) => set({ type })}
        any={t.filter.anyType}
        choices={WEBHOOK_EVENT_TYPES}
      />
      <TextInput
        type="search"
        label={t.filter.subject}
        placeholder="ord_…"
        title={t.filter.subjectHint}
        maxLength={64}
        value={values.subject}
        onChange={({ currentTarget }) => set({ subject: currentTarget.value })}
      />
    </FilterBar>
  )
}

function useColumns(): readonly Column<EventRowAnswer>[] {
  const t = usePageWords(webhookWords)
  const { formats } = useSpeech()
  return [
    {
      key: 'type',
      label: t.columns.type,
      isTitle: true,
      cell: ({ eventId, type, isTest }) => (
        <>
          <Link to="/events/$id" params={{ id: eventId }} className="event-type">
            {type}
          </Link>{' '}
          {isTest && <Mark tone="idle">{t.eventsPage.test}</Mark>}
        </>
      ),
      text: ({ type }) => type,
    },
    {
      key: 'subject',
      label: t.columns.subject,
      cell: ({ subjectId, subjectName, isTest }) => (
        <>
          {subjectId.startsWith('ord_') && !isTest ? (
            <Link to="/orders/$id" params={{ id: subjectId }}>
              <bdi>{subjectName || subjectId}</bdi>
            </Link>
          ) : (
            <bdi>{subjectName || subjectId}</bdi>
          )}
          <div className="soft">
            <code className="id">{subjectId}</code>
          </div>
        </>
      ),
      text: ({ subjectId }) => subjectId,
    },
    {
      key: 'sequence',
      label: t.columns.sequence,
      isNumber: true,
      cell: ({ sequence, missingBefore }) => (
        <>
          {formats.number(sequence)}
          {missingBefore.length > 0 && (
            <div>
              <Mark tone="warn">{t.eventsPage.gap(formats.list(missingBefore.map(String)))}</Mark>
            </div>
          )}
        </>
      ),
      text: ({ sequence }) => sequence,
    },
    {
      key: 'time',
      label: t.columns.time,
      cell: ({ at }) => <Ago at={at} />,
      text: ({ at }) => at,
    },
  ]
}
