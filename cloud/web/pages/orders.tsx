// Orders: open ones and all earlier ones, live; the filters are in the address.
import { Button, Textarea, TextInput } from '@mantine/core'
import { Link, useRouter } from '@tanstack/react-router'
import { memo, useCallback, useMemo, useState } from 'react'
import type { OrderRowAnswer, WaitingKitchenAnswer } from '#cloud/control/order-list.ts'
import { listTime } from '#cloud/web/list-time.ts'
import { ordersWords } from '#cloud/web/messages/orders.ts'
import type { OrdersWords } from '#cloud/web/messages/orders-en.ts'
import { useChange, useRead } from '#cloud/web/operations.ts'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { type Column, DataList } from '#cloud/web/parts/data-list.tsx'
import { Empty } from '#cloud/web/parts/empty.tsx'
import { FilterBar, FilterChoice } from '#cloud/web/parts/filter-bar.tsx'
import { OfRestaurant } from '#cloud/web/parts/of-restaurant.tsx'
import { ListClock, useListNow, useToday } from '#cloud/web/parts/orders/list-clock.tsx'
import { AskDialog, OrderActs } from '#cloud/web/parts/orders/order-acts.tsx'
import { OrderLink } from '#cloud/web/parts/orders/order-link.tsx'
import { isOpen, moneyWords, PROOF_TONES, readyWords, STATE_TONES } from '#cloud/web/parts/orders/order-words.ts'
import { type Filters, useFilters } from '#cloud/web/parts/use-filters.ts'
import { type PagesOf, usePages } from '#cloud/web/parts/use-pages.ts'
import { useMay, usePlace } from '#cloud/web/place.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { fromIso, systemClock, toIso } from '#shared/clock.ts'
import { languageFacts } from '#shared/languages.ts'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Page } from '#shared/ui/parts/page.tsx'
import './orders.css'

const FILTERS = ['state', 'source', 'text', 'since'] as const
const HOUR_MS = 3_600_000
const SPANS = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 7 * 24 * HOUR_MS, month: 30 * 24 * HOUR_MS } as const
type Span = keyof typeof SPANS
const STATES = ['open', 'accepted', 'printed', 'ready', 'completed', 'voided', 'refunded'] as const
type OrderFilters = Filters<(typeof FILTERS)[number]>

const PAGES: PagesOf<'orders.list', OrderRowAnswer> = {
  page: ({ rows, nextCursor }) => ({ rows, next: nextCursor }),
  after: (cursor) => ({ cursor }),
  keyOf: ({ serviceOrderId }) => serviceOrderId,
}

export function OrdersPage() {
  const { t: frame } = useSpeech()
  const { merchantId } = usePlace()
  const mayNote = useMay('money')
  return (
    <Page
      title={frame.nav.pages.orders}
      actions={mayNote && merchantId !== null && <NoteButton merchantId={merchantId} />}
    >
      <OfRestaurant>{(chosen) => <Orders key={chosen} merchantId={chosen} />}</OfRestaurant>
    </Page>
  )
}

function Orders({ merchantId }: { merchantId: string }) {
  const filters = useFilters(FILTERS)
  // From when it was chosen: a list that began later with every second would be another one each time.
  const { state, source, text, since } = filters.values
  const body = useMemo(
    () => bodyOf(merchantId, { state, source, text, since }, systemClock.now()),
    [merchantId, state, source, text, since],
  )
  // The list and the strips send the same request, which is answered once. It is not sent here: its answer would redraw the filters.
  return (
    <>
      <AwayStrips body={body} />
      <OrderFilter filters={filters} />
      <OrderList body={body} isFiltered={filters.isFiltered} />
    </>
  )
}

/** A change of an order redraws its row only. */
function OrderList({ body, isFiltered }: { body: OrdersBody; isFiltered: boolean }) {
  const t = usePageWords(ordersWords)
  const { merchantId } = body
  const pages = usePages('orders.list', body, PAGES)
  const currency = useRead('orders.list', body).data?.currency ?? 'USD'
  const columns = useColumns(currency)
  const actions = useCallback(
    (order: OrderRowAnswer) => <OrderActs {...{ merchantId, order, currency }} isShort />,
    [merchantId, currency],
  )
  return (
    <Answer of={pages.answer} rows={6}>
      {() => (
        <div className="orders-list">
          <ListClock>
            <DataList
              label={t.columns.number}
              columns={columns}
              rows={pages.rows ?? []}
              keyOf={PAGES.keyOf}
              toneOf={toneOf}
              actions={actions}
              empty={isFiltered ? <Empty words={t.noMatch} /> : <NoOrders />}
              pages={pages}
              file={`orders-${merchantId}`}
            />
          </ListClock>
        </div>
      )}
    </Answer>
  )
}

const toneOf = ({ proof }: OrderRowAnswer) => (proof === 'failed' ? 'bad' : proof === 'uncertain' ? 'warn' : undefined)

type OrdersBody = ReturnType<typeof bodyOf>

/** What cannot be a filter is none. */
function bodyOf(merchantId: string, { state, source, text, since }: OrderFilters['values'], nowMs: number) {
  const known = STATES.find((one) => one === state)
  const span = Object.hasOwn(SPANS, since) ? SPANS[since as Span] : null
  return {
    merchantId,
    ...(known && { state: known }),
    ...(source.trim() !== '' && { source: source.trim() }),
    ...(text.trim() !== '' && { text: text.trim() }),
    ...(span !== null && { from: toIso(nowMs - span) }),
  }
}

function OrderFilter({ filters }: { filters: OrderFilters }) {
  const t = usePageWords(ordersWords)
  const { values, set } = filters
  return (
    <FilterBar label={t.filter.label} filters={filters} clear={t.filter.clear}>
      <FilterChoice
        label={t.filter.state}
        value={values.state}
        set={(state) => set({ state })}
        any={t.filter.anyState}
        choices={STATES.map((state) => ({ value: state, label: t.states[state] }))}
      />
      <TextInput
        type="search"
        label={t.filter.text}
        placeholder="ord_…"
        title={t.filter.textHint}
        value={values.text}
        onChange={({ currentTarget }) => set({ text: currentTarget.value })}
      />
      <TextInput
        label={t.filter.source}
        value={values.source}
        onChange={({ currentTarget }) => set({ source: currentTarget.value })}
      />
      <FilterChoice
        label={t.filter.since}
        value={values.since}
        set={(since) => set({ since })}
        any={t.filter.anyTime}
        choices={Object.keys(SPANS).map((span) => ({ value: span, label: t.filter.spans[span as Span] }))}
      />
    </FilterBar>
  )
}

function useColumns(currency: string): readonly Column<OrderRowAnswer>[] {
  const t = usePageWords(ordersWords)
  const { language } = useSpeech()
  return useMemo(() => columnsOf({ t, currency, locale: languageFacts(language).locale }), [t, currency, language])
}

interface RowWords {
  t: OrdersWords
  currency: string
  locale: string
}

function columnsOf({ t, currency, locale }: RowWords): readonly Column<OrderRowAnswer>[] {
  const itemsOf = ({ items, lines }: OrderRowAnswer) => [
    ...items.map(({ qty, name }) => `${qty} × ${name}`),
    ...(lines > items.length ? [t.moreLines(lines - items.length)] : []),
  ]
  return [
    {
      key: 'number',
      label: t.columns.number,
      isTitle: true,
      cell: ({ serviceOrderId, number }) => <OrderLink serviceOrderId={serviceOrderId} number={number} />,
      text: ({ number }) => number,
    },
    {
      key: 'time',
      label: t.columns.time,
      cell: ({ queuedAt }) => <TakenAt at={queuedAt} />,
      text: ({ queuedAt }) => queuedAt,
    },
    {
      key: 'source',
      label: t.columns.source,
      cell: ({ source, table, customerName }) => (
        <>
          <bdi>{source}</bdi>
          {(table !== null || customerName !== null) && (
            <div className="soft">
              <bdi>{[table === null ? null : t.table(table), customerName].filter(Boolean).join(' · ')}</bdi>
            </div>
          )}
        </>
      ),
      text: ({ source }) => source,
    },
    {
      key: 'items',
      label: t.columns.items,
      cell: (row) => (
        <ul className="order-items">
          {itemsOf(row).map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of an order never change
            <li key={index}>
              <bdi>{line}</bdi>
            </li>
          ))}
        </ul>
      ),
      text: (row) => itemsOf(row).join('; '),
    },
    {
      key: 'total',
      label: t.columns.total,
      isNumber: true,
      cell: ({ total }) => moneyWords(total, currency, locale),
      text: ({ total }) => total,
    },
    {
      key: 'state',
      label: `${t.columns.state}, ${t.columns.proof}`,
      cell: ({ status, proof }) => (
        <span className="order-states">
          <Mark tone={STATE_TONES[status]}>{t.states[status]}</Mark>
          <Mark tone={PROOF_TONES[proof]}>{t.proofs[proof]}</Mark>
        </span>
      ),
      text: ({ status, proof }) => `${status}, ${proof}`,
    },
    {
      key: 'ready',
      label: t.columns.ready,
      cell: (row) => <ReadyIn row={row} />,
      text: ({ estimatedReadyAt, status }) => (isOpen(status) ? estimatedReadyAt : null),
    },
  ]
}

const TakenAt = memo(function TakenAt({ at }: { at: string }) {
  const { formats } = useSpeech()
  const today = useToday()
  return (
    <time dateTime={at} className="number">
      {listTime(formats, at, today)}
    </time>
  )
})

function ReadyIn({ row }: { row: OrderRowAnswer }) {
  const t = usePageWords(ordersWords)
  const { formats } = useSpeech()
  const nowMs = useListNow()
  const ready = readyWords(row, { t, formats, nowMs })
  if (ready === null) return row.readyAt === null ? null : <span className="soft">{formats.time(row.readyAt)}</span>
  return ready.isLate ? <Mark tone="warn">{ready.words}</Mark> : <span>{ready.words}</span>
}

function AwayStrips({ body }: { body: OrdersBody }) {
  const waiting = useRead('orders.list', body).data?.waiting ?? []
  return waiting.map((kitchen) => <AwayStrip key={kitchen.locationId} kitchen={kitchen} />)
}

function AwayStrip({ kitchen: { name, tickets, more, since } }: { kitchen: WaitingKitchenAnswer }) {
  const t = usePageWords(ordersWords)
  const { formats } = useSpeech()
  return (
    <p className="away-strip" role="status">
      <Mark tone="bad">
        {t.kitchenAway(
          name,
          { count: tickets, more, shown: formats.number(tickets) },
          formats.time(fromIso(since) ?? since),
        )}
      </Mark>
    </p>
  )
}

function NoOrders() {
  const t = usePageWords(ordersWords)
  const { routesByPath } = useRouter()
  const has = Object.hasOwn(routesByPath, '/quick-start')
  return (
    <Empty words={`${t.none} ${t.noneHint}`}>
      {has && (
        <Button component={Link} to={'/quick-start' as '/'}>
          {t.noneLink}
        </Button>
      )}
    </Empty>
  )
}

function NoteButton({ merchantId }: { merchantId: string }) {
  const { note } = usePageWords(ordersWords)
  const say = useNotice()
  const [isOpenDialog, setOpen] = useState(false)
  const [text, setText] = useState('')
  const change = useChange('notes.print', ({ isOffline }) => {
    setOpen(false)
    setText('')
    say(isOffline ? note.waits : note.printed)
  })
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {note.open}
      </Button>
      <AskDialog
        title={note.open}
        why={note.why}
        go={note.print}
        isOpen={isOpenDialog}
        close={() => setOpen(false)}
        change={change}
        act={() => change.mutate({ merchantId, text })}
      >
        <Textarea
          name="text"
          label={note.text}
          required
          maxLength={2_000}
          rows={4}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
      </AskDialog>
    </>
  )
}
