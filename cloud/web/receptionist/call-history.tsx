// Every call of the restaurant, with how calls ended in the last week.
import { Button, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { OperationAnswers } from '#cloud/control/answers.ts'
import type { CallAnswer, CallOutcome, DayOfCalls } from '#cloud/control/call-list.ts'
import { callsWords } from '#cloud/web/messages/receptionist-calls.ts'
import type { CallsWords } from '#cloud/web/messages/receptionist-calls-en.ts'
import { Ago } from '#cloud/web/parts/ago.tsx'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { type Column, DataList } from '#cloud/web/parts/data-list.tsx'
import { Empty } from '#cloud/web/parts/empty.tsx'
import { FilterBar, FilterChoice } from '#cloud/web/parts/filter-bar.tsx'
import { OrderLink } from '#cloud/web/parts/orders/order-link.tsx'
import { useFilters } from '#cloud/web/parts/use-filters.ts'
import { usePages } from '#cloud/web/parts/use-pages.ts'
import { usePlace } from '#cloud/web/place.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { fromIso } from '#shared/clock.ts'
import { E164 } from '#shared/e164.ts'
import { Mark, type Tone } from '#shared/ui/parts/mark.tsx'
import { Part } from '#shared/ui/parts/page.tsx'
import { lasted, shownNumber } from './caller-number.tsx'
import { asE164 } from './setup-draft.ts'

const FILTERS = ['outcome', 'from'] as const

const PAGES = {
  page: ({ calls, nextCursor }: OperationAnswers['calls.list']) => ({ rows: calls, next: nextCursor }),
  after: (cursor: string) => ({ cursor, outcomesOfDays: undefined }),
  keyOf: ({ callId }: CallAnswer) => callId,
  everyMs: 15_000,
}

const BAD: readonly CallOutcome[] = ['failed', 'missed', 'not-answered', 'refused']
export const toneOfOutcome = (outcome: CallOutcome | null): Tone =>
  outcome === null ? 'idle' : BAD.includes(outcome) ? 'bad' : outcome === 'blocked' ? 'idle' : 'ok'

/** Null: it goes on. */
function lastedMs({ startedAt, endedAt }: CallAnswer): number | null {
  const [from, to] = [fromIso(startedAt), fromIso(endedAt ?? '')]
  return from === null || to === null ? null : to - from
}

export function CallHistory({ merchantId }: { merchantId: string }) {
  const t = usePageWords(callsWords)
  const { t: frame } = useSpeech()
  const { environment } = usePlace()
  const filters = useFilters(FILTERS)
  const { outcome, from } = filters.values
  const number = asE164(from)
  const known = Object.keys(t.outcomes).find((one) => one === outcome) as CallOutcome | undefined
  const body = {
    merchantId,
    outcomesOfDays: 7,
    ...(known && { outcome: known }),
    ...(E164.test(number) && { from: number }),
  }
  const pages = usePages('calls.list', body, PAGES)
  const columns = useColumns(t)
  // Where nobody has called yet there is nothing to search.
  const hasAny = filters.isFiltered || (pages.rows?.length ?? 0) > 0
  return (
    <Part title={t.calls}>
      <Week days={pages.newest?.days ?? []} />
      {hasAny && (
        <FilterBar label={t.filter} filters={filters} clear={t.clear}>
          <FilterChoice
            label={t.outcome}
            value={outcome}
            set={(to) => filters.set({ outcome: to })}
            any={t.anyOutcome}
            choices={Object.entries(t.outcomes).map(([value, label]) => ({ value, label }))}
          />
          <TextInput
            type="search"
            label={t.number}
            value={from}
            onChange={(event) => filters.set({ from: event.currentTarget.value })}
          />
        </FilterBar>
      )}
      <Answer of={pages.answer} rows={4}>
        {() => (
          <DataList
            label={t.calls}
            columns={columns}
            rows={pages.rows ?? []}
            keyOf={PAGES.keyOf}
            empty={
              <Empty words={filters.isFiltered ? frame.list.none : t.noCalls}>
                {!filters.isFiltered && environment === 'sandbox' && (
                  <Button component={Link} to="/receptionist/try">
                    {t.tryCall}
                  </Button>
                )}
              </Empty>
            }
            pages={pages}
            file={`calls-${merchantId}`}
          />
        )}
      </Answer>
    </Part>
  )
}

function Week({ days }: { days: readonly DayOfCalls[] }) {
  const t = usePageWords(callsWords)
  const totals = useMemo(() => {
    const sums = new Map<CallOutcome, number>()
    for (const { counts } of days)
      for (const [outcome, count] of Object.entries(counts) as [CallOutcome, number][])
        sums.set(outcome, (sums.get(outcome) ?? 0) + count)
    return [...sums].toSorted(([, a], [, b]) => b - a)
  }, [days])
  if (totals.length === 0) return null
  return (
    <p className="outcomes">
      <strong>{t.week}:</strong> {t.total(totals.reduce((sum, [, count]) => sum + count, 0))}
      {totals.map(([outcome, count]) => (
        <span key={outcome}>
          {' · '}
          {t.outcomes[outcome]}: {count}
        </span>
      ))}
    </p>
  )
}

function useColumns(t: CallsWords): Column<CallAnswer>[] {
  return useMemo(
    () => [
      {
        key: 'from',
        label: t.from,
        isTitle: true,
        cell: ({ callId, from }) => (
          <Link to="/receptionist/calls/$id" params={{ id: callId }}>
            <bdi dir={from === null ? 'auto' : 'ltr'}>{from === null ? t.withheld : shownNumber(from)}</bdi>
          </Link>
        ),
        text: ({ from }) => from,
      },
      {
        key: 'when',
        label: t.when,
        cell: ({ startedAt }) => <Ago at={startedAt} />,
        text: ({ startedAt }) => startedAt,
      },
      {
        key: 'outcome',
        label: t.outcome,
        cell: ({ outcome }) => (
          <Mark tone={toneOfOutcome(outcome)}>{outcome === null ? t.goesOn : t.outcomes[outcome]}</Mark>
        ),
        text: ({ outcome }) => outcome,
      },
      {
        key: 'lasted',
        label: t.lasted,
        isNumber: true,
        cell: (call) => {
          const ms = lastedMs(call)
          return ms === null ? '' : lasted(ms)
        },
        text: (call) => Math.round((lastedMs(call) ?? 0) / 1_000),
      },
      {
        key: 'order',
        label: t.order,
        cell: ({ serviceOrderId }) =>
          serviceOrderId === null ? '' : <OrderLink serviceOrderId={serviceOrderId} number={t.toOrder} isPlain />,
        text: ({ serviceOrderId }) => serviceOrderId,
      },
    ],
    [t],
  )
}
