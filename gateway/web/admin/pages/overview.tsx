// How everything stands, at a glance: what is wrong first, then the way to the relay, printers, the queue, the last tickets.
import { Anchor, Button, Loader } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useLive, useNow } from '#gateway/web/admin/live.tsx'
import { Mark } from '#gateway/web/admin/parts/mark.tsx'
import { Page, Part } from '#gateway/web/admin/parts/page.tsx'
import { PrinterCard } from '#gateway/web/admin/parts/printer-card.tsx'
import { RepairItem } from '#gateway/web/admin/parts/repair-item.tsx'
import { TicketRows } from '#gateway/web/admin/parts/ticket-rows.tsx'
import { linkStanding } from '#gateway/web/admin/parts/words.ts'
import { useIsTechnician } from '#gateway/web/admin/session.ts'

const LAST_TICKETS = 8

export function Overview() {
  const { t } = useSpeech()
  const isTechnician = useIsTechnician()
  const { topics, hasData } = useLive()
  if (!hasData) return <Loader aria-label={t.common.loading} />
  const printers = Object.values(topics.printers)
  const repairs = Object.values(topics.repairs).filter(({ severity }) => severity !== 'info')
  const tickets = Object.values(topics.tickets).sort((a, b) => b.receivedAt.localeCompare(a.receivedAt))
  const guide = isTechnician && (
    <Button variant="default" component={Link} to="/setup">
      {t.wizard.open}
    </Button>
  )
  return (
    <Page title={t.nav.overview} actions={guide}>
      {repairs.length === 0 ? (
        <p className="all-well">
          <Mark tone="ok">{t.overview.allWell}</Mark>
        </p>
      ) : (
        <Part title={t.nav.repairs}>
          <ul className="cards">
            {repairs.map((repair) => (
              <RepairItem key={repair.id} repair={repair} />
            ))}
          </ul>
        </Part>
      )}
      <div className="two">
        <LinkCard />
        <QueueCard />
      </div>
      <Part title={t.nav.printers}>
        {printers.length === 0 && <p className="soft">{t.printers.none}</p>}
        <div className="cards">
          {printers.map((printer) => (
            <PrinterCard key={printer.printerId} printer={printer} />
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
    </Page>
  )
}

function LinkCard() {
  const { t, formats } = useSpeech()
  const now = useNow()
  const link = useLive().topics.status['box']?.link
  if (!link) return null
  const { tone, words, hint } = linkStanding(link, t)
  return (
    <section className="card">
      <h2>{t.link.title}</h2>
      <Mark tone={tone}>{words}</Mark>
      <p className="soft">{t.common.changed(formats.relative(link.since, now))}</p>
      {hint && <p>{hint}</p>}
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
