// Tables that callers asked for: a person of the restaurant answers them, and settles the request.
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { TableRequestAnswer } from '#cloud/control/call-list.ts'
import { callsWords } from '#cloud/web/messages/receptionist-calls.ts'
import { useChange, useRead } from '#cloud/web/operations.ts'
import { Ago } from '#cloud/web/parts/ago.tsx'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { useMay } from '#cloud/web/place.tsx'
import { usePageWords } from '#cloud/web/speech.tsx'
import { Fold } from '#shared/ui/parts/fold.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Part } from '#shared/ui/parts/page.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import { CallBack, shownNumber } from './caller-number.tsx'

/** A call may ask for one at any moment. */
const ASK_EVERY_MS = 10_000

export function TableRequests({ merchantId }: { merchantId: string }) {
  const t = usePageWords(callsWords)
  const open = useRead('tables.list', { merchantId }, { everyMs: ASK_EVERY_MS })
  return (
    <Part title={t.tables}>
      <Answer of={open} rows={1}>
        {(rows) => (rows.length === 0 ? <p className="soft">{t.noTables}</p> : <Requests {...{ merchantId, rows }} />)}
      </Answer>
      <Fold id="settled-tables" icon="clock" title={t.showDone} state="">
        <Settled merchantId={merchantId} />
      </Fold>
    </Part>
  )
}

function Settled({ merchantId }: { merchantId: string }) {
  const t = usePageWords(callsWords)
  const done = useRead('tables.list', { merchantId, done: true })
  return (
    <Answer of={done} rows={1}>
      {(rows) => (rows.length === 0 ? <p className="soft">{t.noTables}</p> : <Requests {...{ merchantId, rows }} />)}
    </Answer>
  )
}

function Requests({ merchantId, rows }: { merchantId: string; rows: readonly TableRequestAnswer[] }) {
  const t = usePageWords(callsWords)
  const say = useNotice()
  const mayChange = useMay('serve')
  const settle = useChange('tables.done', (_, { done }) => say(done ? t.settled : t.reopened))
  return (
    <>
      <ul className="row-cards">
        {rows.map(({ requestId, callId, name, party, wanted, phone, at, isDone }) => (
          <li key={requestId} className="card stack">
            <strong>
              <bdi>{name ?? t.hidden}</bdi>, {t.party(party)}
            </strong>
            <bdi>{wanted ?? t.hidden}</bdi>
            <span className="soft">
              {phone !== null && <CallBack number={phone} label={t.callBack(shownNumber(phone))} />} <Ago at={at} />
            </span>
            <div className="row-actions">
              {mayChange && (
                <Button
                  variant="default"
                  size="compact-md"
                  aria-label={isDone ? t.againOf(name ?? t.hidden) : t.doneOf(name ?? t.hidden)}
                  onClick={() => settle.mutate({ merchantId, requestId, done: !isDone })}
                >
                  {isDone ? t.again : t.done}
                </Button>
              )}
              <Button variant="subtle" size="compact-md" component={Link} to={`/receptionist/calls/${callId}`}>
                {t.toCall}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      <Problem error={settle.error} />
    </>
  )
}
