// What needs attention, worst first: in words, with a link to the page where it can be resolved; or that nothing does.
import { Link, useRouter } from '@tanstack/react-router'
import type { AlertAnswer } from '#cloud/control/alert-list.ts'
import { useLiveState, useNow } from '#cloud/web/live.tsx'
import { homeWords } from '#cloud/web/messages/home.ts'
import { useRead } from '#cloud/web/operations.ts'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { usePlace } from '#cloud/web/place.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'

/** Alerts begin and end at the relay without an event: they are requested every 15 s. */
const EVERY_MS = 15_000

export function Alerts() {
  const { language } = useSpeech()
  const { environment } = usePlace()
  const alerts = useRead('alerts.list', { language }, { everyMs: EVERY_MS, keep: true })
  return (
    <Answer of={alerts} rows={2}>
      {(all) => (
        <Verdict alerts={all.filter((alert) => alert.environment === null || alert.environment === environment)} />
      )}
    </Answer>
  )
}

function Verdict({ alerts }: { alerts: readonly AlertAnswer[] }) {
  const t = usePageWords(homeWords)
  const state = useLiveState()
  const { merchants } = usePlace()
  const isCritical = alerts.some(({ severity }) => severity === 'critical')
  // Where there is no restaurant, nothing prints.
  if (alerts.length === 0 && merchants.length === 0) return null
  if (alerts.length === 0)
    return (
      <section className={state === 'silent' ? 'card verdict' : 'card verdict ok'} role="status">
        <h2>{state === 'silent' ? <Mark tone="idle">{t.notKnown}</Mark> : <Mark tone="ok">{t.allPrints}</Mark>}</h2>
        {state !== 'silent' && <p className="soft">{t.allPrintsHint}</p>}
      </section>
    )
  return (
    <section className={isCritical ? 'card verdict bad' : 'card verdict warn'} role="status">
      <h2>
        <Mark tone={isCritical ? 'bad' : 'warn'}>{t.needsYou(alerts.length)}</Mark>
      </h2>
      <ul className="alert-rows">
        {alerts.map((alert) => (
          <Alert key={alert.alertId} alert={alert} />
        ))}
      </ul>
    </section>
  )
}

function Alert({ alert }: { alert: AlertAnswer }) {
  const { severity, title, act, page, merchantName, since } = alert
  const t = usePageWords(homeWords)
  const { formats } = useSpeech()
  const { routesByPath } = useRouter()
  const now = useNow()
  const { to, params } = thingOf(alert)
  const isThere = Object.hasOwn(routesByPath, to)
  const search = (before: object) => ({ ...before, ...(alert.merchantId !== null && { merchant: alert.merchantId }) })
  return (
    <li className={isThere ? 'opens' : ''}>
      <Mark tone={severity === 'critical' ? 'bad' : 'warn'}>{t.severities[severity]}</Mark>
      <div>
        {isThere ? (
          <Link className="row-link" to={to} params={params} search={search}>
            {title}
          </Link>
        ) : (
          <strong>{title}</strong>
        )}
        <p>{act}</p>
        <p className="soft">
          {merchantName !== null && <bdi>{merchantName}</bdi>} {t.since(formats.ago(since, now))}
        </p>
      </div>
      {isThere && (
        <span className="row-go" aria-hidden="true">
          {t.goTo[page]} ›
        </span>
      )}
    </li>
  )
}

/** The page of the thing itself, if it has one; otherwise the page that lists it. */
function thingOf({ page, subject }: AlertAnswer): { to: string; params: Record<string, string> } {
  if (page === 'webhooks' && subject.startsWith('we_')) return { to: '/webhooks/$id', params: { id: subject } }
  return { to: page === 'outbox' ? '/operator/outbox' : `/${page}`, params: {} }
}
