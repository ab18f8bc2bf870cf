// The state of the box at a glance: what is wrong first, then the connection to the relay, printers, the queue, the last tickets.
import { Anchor, Button, Group, Loader } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { LatencyAnswer } from '#gateway/control/answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useLive, useNow } from '#gateway/web/admin/live.tsx'
import { useRead } from '#gateway/web/admin/operations.ts'
import { BoxFiguresList } from '#gateway/web/admin/parts/box-figures.tsx'
import { FindingList } from '#gateway/web/admin/parts/finding-list.tsx'
import { HealthVerdict } from '#gateway/web/admin/parts/health-verdict.tsx'
import { latencyBars } from '#gateway/web/admin/parts/latency-bars.ts'
import { PrinterCard } from '#gateway/web/admin/parts/printer-card.tsx'
import { TicketRows } from '#gateway/web/admin/parts/ticket-rows.tsx'
import { linkStanding } from '#gateway/web/admin/parts/words.ts'
import { useIsTechnician } from '#gateway/web/admin/session.ts'
import { ChoiceField } from '#shared/ui/parts/fields.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { Page, Part } from '#shared/ui/parts/page.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'

const LAST_TICKETS = 8
const HOURS = ['1', '6', '24'] as const
const MEASURE_EVERY_MS = 30_000

export function Overview() {
  const { t } = useSpeech()
  const isTechnician = useIsTechnician()
  const { topics, hasData } = useLive()
  if (!hasData) return <Loader aria-label={t.common.loading} />
  const printers = Object.values(topics.printers)
  const findings = Object.values(topics.findings)
  const wrong = findings.filter(({ severity }) => severity !== 'advice')
  // The advice about a printer is shown once on the page.
  const told = new Set(wrong.flatMap(({ subject }) => (subject.kind === 'printer' ? [subject.id] : [])))
  const tickets = Object.values(topics.tickets).sort((a, b) => b.receivedAt.localeCompare(a.receivedAt))
  const actions = (
    <>
      <Button variant="default" component={Link} to="/test-order">
        {t.testOrder.send}
      </Button>
      {isTechnician && (
        <Button variant="default" component={Link} to="/setup">
          {t.wizard.open}
        </Button>
      )}
    </>
  )
  return (
    <Page title={t.nav.overview} actions={actions}>
      <HealthVerdict linksAdvice />
      {wrong.length > 0 && (
        <Part title={t.health.overview.wrong}>
          <FindingList findings={wrong} />
        </Part>
      )}
      <div className="two">
        <LinkCard />
        <QueueCard />
      </div>
      <Figures />
      <div className="columns even">
        <Part title={t.nav.printers}>
          {printers.length === 0 && <p className="soft">{t.printers.none}</p>}
          <div className="cards">
            {printers.map((printer) => (
              <PrinterCard key={printer.printerId} printer={printer} isBrief={told.has(printer.printerId)} />
            ))}
          </div>
        </Part>
        <Part
          title={t.overview.lastTickets}
          actions={
            <Anchor component={Link} to="/jobs">
              {t.overview.allTickets}
            </Anchor>
          }
        >
          <TicketRows tickets={tickets.slice(0, LAST_TICKETS)} />
        </Part>
      </div>
    </Page>
  )
}

/** The reason for a lost connection is in the list of what is wrong. */
function LinkCard() {
  const { t, formats } = useSpeech()
  const now = useNow()
  const link = useLive().topics.status['box']?.link
  if (!link) return null
  const { tone, words } = linkStanding(link, t, now)
  return (
    <section className="card">
      <h2>{t.link.title}</h2>
      <Mark tone={tone}>{words}</Mark>
      <p className="soft">{t.common.changed(formats.ago(link.since, now))}</p>
    </section>
  )
}

function QueueCard() {
  const { t, formats } = useSpeech()
  const queue = useLive().topics.status['box']?.queue
  if (!queue) return null
  const figures = [
    [queue.queued, t.overview.waiting],
    [queue.held, t.overview.held],
    [queue.parked, t.overview.parked],
    [queue.unreported, t.overview.unreported],
  ] as const
  return (
    <section className="card">
      <h2>{t.overview.queue}</h2>
      <dl className="figures">
        {figures.map(([count, label]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{formats.number(count)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** What the box has measured of itself. */
function Figures() {
  const { t } = useSpeech()
  const [hours, setHours] = useState<(typeof HOURS)[number]>('6')
  const figures = useRead('box.figures', { hours: Number(hours) }, { everyMs: MEASURE_EVERY_MS, keep: true })
  return (
    <div className="two">
      <section className="card">
        <Group justify="space-between">
          <h2>{t.figures.latency}</h2>
          <ChoiceField
            name="hours"
            aria-label={t.figures.lastHours}
            value={hours}
            set={setHours}
            choices={HOURS.map((one) => [one, t.figures.hours(Number(one))] as const)}
          />
        </Group>
        {figures.data && <LatencyChart latency={figures.data.latency} />}
        <Problem error={figures.error} />
      </section>
      <section className="card">
        <h2>{t.figures.box}</h2>
        {figures.data && <BoxFiguresList figures={figures.data} />}
      </section>
    </div>
  )
}

/** Units of the drawing: it is stretched to the width of its place. */
const STEP = 10
const BAR = 7
const HEIGHT = 100

/** From order to paper over the last hours, as the box measured it: half of the tickets, and 19 of 20. */
function LatencyChart({ latency }: { latency: LatencyAnswer }) {
  const { t, formats } = useSpeech()
  const { tickets, p50Ms, p95Ms, hours, slices } = latency
  if (p50Ms === null || p95Ms === null) return <p className="soft">{t.figures.nothingPrinted(hours)}</p>
  const { topMs, bars } = latencyBars(latency)
  const summary = t.figures.latencySummary(formats.duration(p50Ms), formats.duration(p95Ms), tickets)
  return (
    <figure className="chart">
      <figcaption>{summary}</figcaption>
      <div className="plot">
        <span className="soft number">{formats.duration(topMs)}</span>
        <svg
          viewBox={`0 0 ${bars.length * STEP} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${t.figures.latency}: ${summary}`}
        >
          <path className="grid" d={`M0 0.5H${bars.length * STEP}M0 50H${bars.length * STEP}`} />
          {bars.map(
            (bar, index) =>
              bar && (
                <g key={bar.from}>
                  <title>
                    {`${formats.time(bar.from)}: ${t.figures.latencySummary(formats.duration(bar.p50Ms), formats.duration(bar.p95Ms), bar.tickets)}`}
                  </title>
                  {(['p95', 'p50'] as const).map((share) => (
                    <rect
                      key={share}
                      className={share}
                      x={index * STEP + (STEP - BAR) / 2}
                      y={HEIGHT - bar[`${share}Height`]}
                      width={BAR}
                      height={bar[`${share}Height`]}
                    />
                  ))}
                </g>
              ),
          )}
        </svg>
        <span className="soft number">0</span>
      </div>
      <p className="hours soft number">
        <span>{formats.time(slices[0]?.from ?? '').slice(0, 5)}</span>
        <span>{formats.time(slices.at(-1)?.from ?? '').slice(0, 5)}</span>
      </p>
      <p className="key soft">
        <span>
          <span className="swatch p50" aria-hidden="true" /> {t.figures.half}
        </span>
        <span>
          <span className="swatch p95" aria-hidden="true" /> {t.figures.nearlyAll}
        </span>
      </p>
    </figure>
  )
}
