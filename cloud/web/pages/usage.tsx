// What the account has called and what it pays: the month as a line, room of the rates, bill, invoices, plans.
import { Button, NativeSelect, Textarea } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { OperationAnswers } from '#cloud/control/answers.ts'
import type { UsageAnswer } from '#cloud/control/usage-list.ts'
import { useNow } from '#cloud/web/live.tsx'
import { useLocale } from '#cloud/web/locale.ts'
import { usageWords } from '#cloud/web/messages/usage.ts'
import { useChange, useRead } from '#cloud/web/operations.ts'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { DataList } from '#cloud/web/parts/data-list.tsx'
import { Empty } from '#cloud/web/parts/empty.tsx'
import { type ChartLine, SeriesChart } from '#cloud/web/parts/series-chart.tsx'
import { useFilters } from '#cloud/web/parts/use-filters.ts'
import { useMay, useMayRead, usePlace } from '#cloud/web/place.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { BillLines } from '#cloud/web/usage/bill-lines.tsx'
import { dollars, lastMonths, monthName } from '#cloud/web/usage/money.ts'
import { PlanTable } from '#cloud/web/usage/plan-table.tsx'
import { usageLines } from '#cloud/web/usage/usage-lines.ts'
import { ChoiceField } from '#shared/ui/parts/fields.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { Page, Part } from '#shared/ui/parts/page.tsx'
import { PAID_PLANS, type PaidPlan } from '#shared/wire/paid-plans.ts'
import '#cloud/web/usage/usage.css'

/** Calls arrive all the time; these figures may be some seconds old. */
const ASK_EVERY_MS = 15_000

export function UsagePage() {
  const t = usePageWords(usageWords)
  const { t: frame } = useSpeech()
  const locale = useLocale()
  const { environment } = usePlace()
  const mayRead = useMayRead()
  const {
    values: { month },
    set: setFilter,
  } = useFilters(['month'])
  const months = lastMonths(useNow())
  const chosen = months.includes(month) ? month : (months[0] ?? '')
  const usage = useRead('usage.get', { environment, month: chosen }, { everyMs: ASK_EVERY_MS, keep: true })
  return (
    <Page
      title={frame.nav.pages.usage}
      actions={
        <NativeSelect
          aria-label={t.month}
          value={chosen}
          onChange={(event) => setFilter({ month: event.currentTarget.value })}
          data={months.map((value) => ({ value, label: monthName(value, locale) }))}
        />
      }
    >
      {environment === 'sandbox' && <p>{t.sandbox}</p>}
      <Answer of={usage}>{(answer) => <Month usage={answer} />}</Answer>
      {mayRead('govern') && <Invoices />}
      <Answer of={usage} rows={2}>
        {(answer) => <Plans usage={answer} />}
      </Answer>
    </Page>
  )
}

function Month({ usage }: { usage: UsageAnswer }) {
  const t = usePageWords(usageWords)
  const { formats } = useSpeech()
  const locale = useLocale()
  const now = useNow()
  const { report, projection } = usage
  const { calls, included, invoice } = report
  const lines = usageLines(usage, now)
  const drawn: ChartLine[] = [{ key: 'soFar', label: t.sofar, values: lines.soFar, tone: 'main', isFilled: true }]
  if (projection !== null) drawn.push({ key: 'on', label: t.projection, values: lines.projected, tone: 'second' })
  if (lines.included !== null && report.environment === 'live')
    drawn.push({ key: 'plan', label: t.included, values: lines.included, tone: 'limit' })
  const money = (amount: number | null) => dollars(amount, locale, t.byContract)
  return (
    <>
      <dl className="figures usage-figures">
        <div>
          <dt>
            {t.calls}
            <small className="soft">{included === null ? t.unlimited : t.ofIncluded(formats.number(included))}</small>
          </dt>
          <dd>{formats.number(calls)}</dd>
        </div>
        {projection !== null && (
          <div>
            <dt>
              {t.projected}
              <small className="soft">{t.projectedHint}</small>
            </dt>
            <dd>{formats.number(projection.calls)}</dd>
          </div>
        )}
        {report.environment === 'live' && (
          <div>
            <dt>
              {t.overage}
              <small className="soft">{t.overageSoFar(formats.number(report.overageCalls))}</small>
            </dt>
            <dd>{money(report.overageAmount)}</dd>
          </div>
        )}
        <div>
          <dt>
            {t.webhookEvents}
            <small className="soft">{t.notBilled}</small>
          </dt>
          <dd>{formats.number(report.webhookEvents)}</dd>
        </div>
      </dl>
      {calls === 0 ? (
        <Empty words={t.noCalls} />
      ) : (
        <section className="card">
          <SeriesChart
            key={report.month}
            label={t.line(monthName(report.month, locale))}
            times={lines.times}
            lines={drawn}
            first={lines.today}
            valueWords={formats.number}
            timeWords={(ms) => dayName(ms, locale, 'full')}
            axisWords={(ms) => dayName(ms, locale, 'short')}
            axisValueWords={(value) => new Intl.NumberFormat(locale, { notation: 'compact' }).format(value)}
          />
        </section>
      )}
      <Room usage={usage} />
      {report.environment === 'live' && (
        <Part title={t.bill}>
          {invoice === null ? (
            <p>{t.noBill}</p>
          ) : (
            <>
              <p className="soft">
                {invoice.status === 'draft' ? t.draft : t.issued(formats.date(invoice.issuedAt ?? ''))}
              </p>
              <BillLines lines={invoice.lines} total={invoice.total} />
            </>
          )}
        </Part>
      )}
    </>
  )
}

function dayName(ms: number, locale: string, kind: 'full' | 'short'): string {
  const options =
    kind === 'full' ? { dateStyle: 'medium' as const } : { day: 'numeric' as const, month: 'short' as const }
  return new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(ms)
}

/** What may come now. */
function Room({ usage: { rates, webhooks } }: { usage: UsageAnswer }) {
  const t = usePageWords(usageWords)
  const { formats } = useSpeech()
  const { steadyPerMinute, burstPerMinute, withinMinute } = rates
  const { perHour, sentThisHour } = webhooks
  const atOnce = burstPerMinute - steadyPerMinute
  const isLow = withinMinute !== null && withinMinute - steadyPerMinute < atOnce / 10
  const isFull = perHour !== null && sentThisHour >= perHour * 0.8
  const burst =
    withinMinute === null
      ? t.burstUnseen(formats.number(burstPerMinute))
      : t.burstLeft(formats.number(withinMinute), formats.number(burstPerMinute))
  return (
    <Part title={t.room}>
      <dl className="facts card usage-room">
        <div>
          <dt>{t.burst}</dt>
          <dd>
            <Mark tone={isLow ? 'warn' : 'ok'}>{burst}</Mark>
            <meter aria-label={t.burst} max={burstPerMinute} value={withinMinute ?? burstPerMinute} />
          </dd>
        </div>
        <div>
          <dt>{t.steady}</dt>
          <dd>
            <Mark tone="ok">{formats.number(steadyPerMinute)}</Mark>
          </dd>
        </div>
        <div>
          <dt>{t.webhooksHour}</dt>
          <dd>
            <Mark tone={isFull ? 'warn' : 'ok'}>
              {perHour === null
                ? t.webhooksOpen(formats.number(sentThisHour))
                : t.webhooksOf(formats.number(sentThisHour), formats.number(perHour))}
            </Mark>
            {perHour !== null && (
              <meter aria-label={t.webhooksHour} max={perHour} value={Math.min(sentThisHour, perHour)} />
            )}
          </dd>
        </div>
      </dl>
    </Part>
  )
}

type Invoice = OperationAnswers['invoices.list'][number]

function Invoices() {
  const t = usePageWords(usageWords)
  const { formats } = useSpeech()
  const locale = useLocale()
  const invoices = useRead('invoices.list', {})
  const money = ({ totalCents }: Invoice) =>
    dollars(totalCents === null ? null : totalCents / 100, locale, t.byContract)
  return (
    <Part title={t.invoices}>
      <Answer of={invoices}>
        {(all) => (
          <DataList
            label={t.invoices}
            rows={all}
            keyOf={({ invoiceId }) => invoiceId}
            empty={<Empty words={t.noInvoices} />}
            file={t.invoices}
            columns={[
              {
                key: 'month',
                label: t.month,
                isTitle: true,
                cell: ({ month, invoiceId }) => (
                  <Link to="/usage/$id" params={{ id: invoiceId }}>
                    {monthName(month, locale)}
                  </Link>
                ),
                text: ({ month }) => month,
              },
              { key: 'plan', label: t.plan, cell: ({ plan }) => planName(plan, t.plans), text: ({ plan }) => plan },
              {
                key: 'issued',
                label: t.issuedAt,
                cell: ({ issuedAt }) => formats.date(issuedAt),
                text: ({ issuedAt }) => issuedAt,
              },
              {
                key: 'total',
                label: t.total,
                isNumber: true,
                cell: money,
                text: ({ totalCents }) => (totalCents === null ? t.byContract : totalCents / 100),
              },
            ]}
          />
        )}
      </Answer>
    </Part>
  )
}

function planName(plan: string, names: Readonly<Record<string, string>>): string {
  return names[plan] ?? plan
}

/** What there is, and how to ask for another one. */
function Plans({ usage }: { usage: UsageAnswer }) {
  const t = usePageWords(usageWords)
  const { formats } = useSpeech()
  const now = useNow()
  const { account } = usePlace()
  const mayAsk = useMay('govern') && account?.isLive === true
  const plans = useRead('plans.list', {})
  const { asked } = usage
  const own = account?.plan ?? usage.report.plan
  return (
    <Part title={t.plan}>
      <Answer of={plans}>{(all) => <PlanTable plans={all} own={own} />}</Answer>
      {asked !== null && asked.wants !== 'live' && (
        <p>
          <Mark tone="warn">{t.asked(t.plans[asked.wants], formats.ago(asked.askedAt, now))}</Mark>
        </p>
      )}
      {mayAsk && <AskForPlan own={own} />}
    </Part>
  )
}

function AskForPlan({ own }: { own: string }) {
  const t = usePageWords(usageWords)
  const [isOpen, setOpen] = useState(false)
  const others = PAID_PLANS.filter((plan) => plan !== own)
  const [plan, setPlan] = useState<PaidPlan>(others[0] ?? 'growth')
  const [text, setText] = useState('')
  const change = useChange('plans.ask', () => setOpen(false))
  if (!isOpen)
    return (
      <p>
        <Button variant="default" onClick={() => setOpen(true)}>
          {t.ask}
        </Button>
      </p>
    )
  return (
    <Form label={t.send} change={change} act={() => change.mutate({ plan, ...(text.trim() && { text: text.trim() }) })}>
      <ChoiceField
        name="plan"
        label={t.want}
        value={plan}
        set={setPlan}
        choices={others.map((value) => [value, t.plans[value]] as const)}
      />
      <Textarea
        name="text"
        label={t.why}
        maxLength={1_000}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </Form>
  )
}
