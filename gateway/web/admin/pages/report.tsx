// The manager's report: how long orders took and how many were late, and what each printer printed; to read, to print, to save.
import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import type { ReportAnswer, ReportBy } from '#gateway/control/report-answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useNow } from '#gateway/web/admin/live.tsx'
import { useChange, useRead } from '#gateway/web/admin/operations.ts'
import { otherLateMinutes } from '#gateway/web/admin/parts/late-form.tsx'
import {
  type Days,
  dayOf,
  daysOf,
  dayWords,
  minutesWords,
  PERIODS,
  type Period,
  percentWords,
} from '#gateway/web/admin/parts/report-days.ts'
import { OrderReportTable, PrinterReportTable } from '#gateway/web/admin/parts/report-tables.tsx'
import { languageFacts } from '#shared/languages.ts'
import { listed } from '#shared/ui/isolation.ts'
import { saveFile } from '#shared/ui/page-browser.ts'
import { ChoiceField, TextField } from '#shared/ui/parts/fields.tsx'
import { Page } from '#shared/ui/parts/page.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import '#gateway/web/admin/orders.css'

const GROUPS = ['day', 'hour', 'weekday', 'type', 'station', 'printer'] as const satisfies readonly ReportBy[]
const AGAIN_EVERY_MS = 60_000
const A_DAY = /^\d{4}-\d{2}-\d{2}$/

export function Report() {
  const { t } = useSpeech()
  const now = useNow()
  const zone = useRead('settings.get', {}).data?.timeZone
  const [period, setPeriod] = useState<Period>('week')
  const [own, setOwn] = useState<Days>({ from: '', to: '' })
  const [by, setBy] = useState<ReportBy>('hour')
  const today = dayOf(now, zone ?? '')
  const days = daysOf(period, today, own)
  const isAsked = zone !== undefined && A_DAY.test(days.from) && A_DAY.test(days.to)
  const report = useRead('report.get', { ...days, by }, { enabled: isAsked, keep: true, everyMs: AGAIN_EVERY_MS })
  const csv = useChange('report.csv', ({ text, mediaType, fileName }) =>
    saveFile(new Blob([text], { type: mediaType }), fileName),
  )
  const choosePeriod = (chosen: Period) => {
    if (chosen === 'own') setOwn(days)
    setPeriod(chosen)
  }
  const actions = (
    <span className="no-print">
      <Group gap="xs">
        <Button
          variant="default"
          disabled={!isAsked}
          loading={csv.isPending}
          onClick={() => csv.mutate({ ...days, by })}
        >
          {t.report.csv}
        </Button>
        <Button variant="default" onClick={() => print()}>
          {t.report.print}
        </Button>
      </Group>
    </span>
  )
  return (
    <Page title={t.nav.report} actions={actions}>
      <p className="soft">{t.report.explain}</p>
      <div className="no-print stack">
        <Group align="end">
          <ChoiceField
            name="span"
            label={t.report.period}
            value={period}
            set={choosePeriod}
            choices={PERIODS.map((one) => [one, t.report.periods[one]] as const)}
          />
          {period === 'own' && (
            <>
              <TextField
                name="from"
                type="date"
                label={t.report.from}
                value={own.from}
                set={(from) => setOwn({ ...own, from })}
              />
              <TextField
                name="to"
                type="date"
                label={t.report.to}
                value={own.to}
                set={(to) => setOwn({ ...own, to })}
              />
            </>
          )}
          <ChoiceField
            name="by"
            label={t.report.by}
            value={by}
            set={setBy}
            choices={GROUPS.map((one) => [one, t.report.groups[one]] as const)}
          />
        </Group>
      </div>
      <Problem error={report.error ?? csv.error} />
      {report.data && <Told report={report.data} />}
    </Page>
  )
}

function Told({ report }: { report: ReportAnswer }) {
  const { t, language } = useSpeech()
  const { locale } = languageFacts(language)
  const { from, to, by, total, rows, printers, knownFrom } = report
  const range = t.report.range(dayWords(from, locale), dayWords(to, locale))
  const isEmpty = total.orders === 0 && rows.length + printers.length === 0
  if (isEmpty)
    return (
      <div className="card">
        <p>
          {range}: {t.report.empty}
        </p>
        {knownFrom !== null && <p className="soft">{t.report.emptyHint(dayWords(knownFrom, locale))}</p>}
      </div>
    )
  return (
    <>
      <h2>{range}</h2>
      <Figures report={report} />
      {total.orders > 0 && total.timed === 0 && <p>{t.report.noTimes}</p>}
      {total.timed > 0 && total.timed < total.orders && <p>{t.report.timesRestOn(total.timed, total.orders)}</p>}
      {by === 'printer' ? <PrinterReportTable printers={printers} /> : <OrderReportTable report={report} />}
      <p className="soft">
        {by === 'printer'
          ? t.report.printerHint
          : t.report.lateHint(
              report.thresholds.usual.lateMin,
              listed(otherLateMinutes(report.thresholds, t), t.common.comma),
            )}
      </p>
    </>
  )
}

function Figures({ report: { total } }: { report: ReportAnswer }) {
  const { t, formats, language } = useSpeech()
  const { orders, timed, p50Ms, p90Ms, late, voided } = total
  const figures: [string, string][] = [
    [t.report.orders, formats.number(orders)],
    [t.report.half, p50Ms === null ? '–' : minutesWords(p50Ms)],
    [t.report.most, p90Ms === null ? '–' : minutesWords(p90Ms)],
    [t.report.late, timed === 0 ? '–' : percentWords(late / timed, languageFacts(language).locale)],
    [t.report.voided, formats.number(voided)],
  ]
  return (
    <dl className="report-figures">
      {figures.map(([name, figure]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{figure}</dd>
        </div>
      ))}
    </dl>
  )
}
