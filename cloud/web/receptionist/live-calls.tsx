// Calls that go on now, as the live feed tells them.
import { Link } from '@tanstack/react-router'
import { useLive } from '#cloud/web/live.tsx'
import { callsWords } from '#cloud/web/messages/receptionist-calls.ts'
import { Ago } from '#cloud/web/parts/ago.tsx'
import { usePageWords } from '#cloud/web/speech.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { Part } from '#shared/ui/parts/page.tsx'
import { shownNumber } from './caller-number.tsx'

export function LiveCalls() {
  const t = usePageWords(callsWords)
  const { topics } = useLive()
  const now = Object.values(topics.calls).toSorted((a, b) => (a.startedAt < b.startedAt ? 1 : -1))
  return (
    <Part title={t.live}>
      {/* Told to a screen reader as calls come and go. */}
      <div role="status">
        {now.length === 0 ? (
          <p className="soft">{t.noLive}</p>
        ) : (
          <ul className="row-cards">
            {now.map((call) => (
              <li key={call.callId} className="card stack live-call">
                <Link to="/receptionist/calls/$id" params={{ id: call.callId }}>
                  {t.callFrom(call.callerName ?? (call.from === null ? t.withheld : shownNumber(call.from)))}
                </Link>
                <span>
                  <Mark tone={call.status === 'ringing' ? 'warn' : 'ok'}>{t.statuses[call.status]}</Mark>{' '}
                  <Ago at={call.startedAt} className="soft" />
                </span>
                {call.lastUtterance !== null && <bdi>{t.said(call.lastUtterance)}</bdi>}
              </li>
            ))}
          </ul>
        )}
      </div>
    </Part>
  )
}
