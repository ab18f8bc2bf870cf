// How fast orders reach paper and webhooks leave, against the targets: where the time goes, over time, and by the hours of each place.

import { NativeSelect } from '@mantine/core'
import type { SlicesAnswer, StageFigure } from '#cloud/control/slice-list.ts'
import { useLocale } from '#cloud/web/locale.ts'
import { reliabilityWords } from '#cloud/web/messages/reliability.ts'
import { useRead } from '#cloud/web/operations.ts'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { Empty } from '#cloud/web/parts/empty.tsx'
import { FilterChoice } from '#cloud/web/parts/filter-bar.tsx'
import { ScrollFrame } from '#cloud/web/parts/scroll-frame.tsx'
import { SeriesChart } from '#cloud/web/parts/series-chart.tsx'
import { useFilters } from '#cloud/web/parts/use-filters.ts'
import { usePlace } from '#cloud/web/place.tsx'
import { HourMap } from '#cloud/web/reliability/hour-map.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { fromIso } from '#shared/clock.ts'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { Page, Part } from '#shared/ui/parts/page.tsx'
import '#cloud/web/reliability/reliability.css'

/** The relay counts once a minute. */
const ASK_EVERY_MS = 60_000
const DAYS = [1, 7, 30] as const

export function ReliabilityPage() {
  const t = usePageWords(reliabilityWords)
  const { t: frame, formats } = useSpeech()
  const { environment, merchants } = usePlace()
  const { values: filter, set: setFilter } = useFilters(['days', 'of'])
  const days = DAYS.find((one) => String(one) === filter.days) ?? 7
  const own = merchants.filter(({ isGranted }) => !isGranted)
  const merchantId = own.find((one) => one.merchantId === filter.of)?.merchantId
  const read = useRead(
    'slices.read',
    { environment, days, ...(merchantId && { merchantId }) },
    { everyMs: ASK_EVERY_MS, keep: true },
  )
  return (
    <Page
      title={frame.nav.pages.reliability}
      actions={
        <>
          {own.length > 1 && (
            <FilterChoice
              aria-label={t.place}
              value={merchantId ?? ''}
              set={(of) => setFilter({ of })}
              any={t.all}
              choices={own.map(({ merchantId, name }) => ({ value: merchantId, label: name }))}
            />
          )}
          <NativeSelect
            aria-label={t.range}
            value={String(days)}
            onChange={(event) => setFilter({ days: event.currentTarget.value })}
            data={DAYS.map((value) => ({ value: String(value), label: t.days[value] }))}
          />
        </>
      }
    >
      <p>
        {t.intro} <a href="/status">{t.status}</a>
      </p>
      {environment === 'sandbox' && <p>{t.simulated}</p>}
      <Answer of={read}>
        {(slices) => (
          <>
            <p className="soft">{t.counted(formats.time(read.dataUpdatedAt))}</p>
            <Slices slices={slices} days={days} />
          </>
        )}
      </Answer>
    </Page>
  )
}

function Slices({ slices, days }: { slices: SlicesAnswer; days: 1 | 7 | 30 }) {
  const t = usePageWords(reliabilityWords)
  const { formats } = useSpeech()
  const { stages, places, series, least, morePlaces } = slices
  if (stages.every(({ count }) => count === 0)) return <Empty words={t.none} />
  const few = stages.filter(({ count }) => count > 0 && count < least)
  return (
    <>
      <Part title={t.stages}>
        <Stages stages={stages} />
        {few.map(({ stage, count }) => (
          <p key={stage} className="soft">
            {t.stage[stage]}: {t.few(formats.number(count), formats.number(least))}
          </p>
        ))}
      </Part>
      {(['paper', 'webhook'] as const).map((stage) => (
        <Line
          key={stage}
          {...{ stage, series, days }}
          target={stages.find((one) => one.stage === stage)?.target ?? null}
        />
      ))}
      {places.some(({ hours }) => hours.some(({ count }) => count > 0)) && (
        <Part title={t.map}>
          <p className="soft">{t.mapHint}</p>
          <HourMap places={places} />
          {morePlaces && <p className="soft">{t.morePlaces}</p>}
        </Part>
      )}
    </>
  )
}

function Stages({ stages }: { stages: readonly StageFigure[] }) {
  const t = usePageWords(reliabilityWords)
  const { formats } = useSpeech()
  const time = (ms: number | null) => (ms === null ? '–' : formats.duration(ms))
  return (
    <ScrollFrame label={t.stages}>
      <table aria-label={t.stages}>
        <thead>
          <tr>
            <th scope="col">{t.name}</th>
            <th scope="col" className="number end">
              {t.count}
            </th>
            <th scope="col" className="number end">
              {t.half}
            </th>
            <th scope="col" className="number end">
              {t.most}
            </th>
            <th scope="col">{t.target}</th>
          </tr>
        </thead>
        <tbody>
          {stages.map((figure) => (
            <tr key={figure.stage}>
              <th scope="row">
                {t.stage[figure.stage]}
                <small className="soft block">{t.hint[figure.stage]}</small>
              </th>
              <td className="number end">{formats.number(figure.count)}</td>
              <td className="number end">{time(figure.p50Ms)}</td>
              <td className="number end">{time(figure.p95Ms)}</td>
              <td>
                <Target target={figure.target} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollFrame>
  )
}

function Target({ target }: { target: StageFigure['target'] }) {
  const t = usePageWords(reliabilityWords)
  const { formats } = useSpeech()
  const locale = useLocale()
  if (target === null) return <span className="soft">{t.noTarget}</span>
  const share = (value: number) =>
    // Rounded down: 98.96 % is not 99 %.
    new Intl.NumberFormat(locale, {
      style: 'percent',
      maximumFractionDigits: 1,
      roundingMode: 'floor',
    } as object).format(value)
  const words = t.targetWords(share(target.share), formats.duration(target.ms))
  if (target.isMet === null || target.reached === null)
    return (
      <>
        <span className="block">{words}</span>
        <Mark tone="idle">{t.tooFew}</Mark>
      </>
    )
  return (
    <>
      <span className="block">{words}</span>
      <Mark tone={target.isMet ? 'ok' : 'bad'}>{(target.isMet ? t.met : t.missed)(share(target.reached))}</Mark>
    </>
  )
}

interface LineProps {
  stage: 'paper' | 'webhook'
  series: SlicesAnswer['series']
  target: StageFigure['target']
  days: 1 | 7 | 30
}

function Line({ stage, series, target, days }: LineProps) {
  const t = usePageWords(reliabilityWords)
  const { formats } = useSpeech()
  const locale = useLocale()
  const figures = series.map((point) => point[stage])
  const last = figures.findLastIndex(({ p95Ms }) => p95Ms !== null)
  if (last === -1) return null
  const axis = new Intl.DateTimeFormat(
    locale,
    days === 1 ? { hour: '2-digit', minute: '2-digit' } : { day: 'numeric', month: 'short' },
  )
  return (
    <Part title={t.lines[stage]}>
      <section className="card">
        <SeriesChart
          label={t.lines[stage]}
          times={series.map(({ at }) => fromIso(at) ?? 0)}
          first={last}
          valueWords={formats.duration}
          timeWords={formats.dateTime}
          axisWords={(ms) => axis.format(ms)}
          lines={[
            { key: 'p95', label: t.p95, values: figures.map(({ p95Ms }) => p95Ms), tone: 'main', isFilled: true },
            { key: 'p50', label: t.p50, values: figures.map(({ p50Ms }) => p50Ms), tone: 'second' },
            ...(target === null
              ? []
              : [{ key: 'target', label: t.target, values: figures.map(() => target.ms), tone: 'limit' as const }]),
          ]}
        />
      </section>
    </Part>
  )
}
