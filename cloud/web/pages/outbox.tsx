// For operators: mail that was not sent and why, mail that is kept to be passed on, and what else waits to be sent.
import { Alert } from '@mantine/core'
import type { NoticeState, OperatorNotice, OutboxAnswer } from '#cloud/control/notice-list.ts'
import { useNow } from '#cloud/web/live.tsx'
import { outboxWords } from '#cloud/web/messages/outbox.ts'
import { useRead } from '#cloud/web/operations.ts'
import { KeptMail } from '#cloud/web/operator/kept-mail.tsx'
import { MAIL_TONES, mailErrorWords } from '#cloud/web/operator/mail-words.ts'
import { TestMail } from '#cloud/web/operator/test-mail.tsx'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { type Column, DataList } from '#cloud/web/parts/data-list.tsx'
import { Empty } from '#cloud/web/parts/empty.tsx'
import { FilterChoice } from '#cloud/web/parts/filter-bar.tsx'
import { useFilters } from '#cloud/web/parts/use-filters.ts'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { Page, Part } from '#shared/ui/parts/page.tsx'

const SHOWN = 200
const EVERY_MS = 10_000

export function OutboxPage() {
  const t = usePageWords(outboxWords)
  const { t: frame } = useSpeech()
  const { values, set } = useFilters(['state'])
  const states = Object.entries(t.states).map(([value, label]) => ({ value: value as NoticeState, label }))
  const state = states.find(({ value }) => value === values.state)?.value
  const outbox = useRead('op.outbox', { limit: SHOWN, ...(state && { state }) }, { everyMs: EVERY_MS, keep: true })
  return (
    <Page title={frame.nav.pages.outbox} actions={<TestMail />}>
      <Answer of={outbox} rows={6}>
        {(answer) => (
          <>
            <HowItStands outbox={answer} />
            <Part title={t.mail}>
              <search className="filters">
                <FilterChoice
                  label={t.state}
                  value={state ?? ''}
                  set={(to) => set({ state: to })}
                  any={t.notSent}
                  choices={states.map(({ value, label }) => ({ value, label: `${label} (${counted(answer, value)})` }))}
                />
              </search>
              {answer.notices.some((mail) => mail.state === 'uncertain') && <p className="soft">{t.stateHint}</p>}
              <Mails mails={answer.notices} isFiltered={state !== undefined} />
            </Part>
            <WhatElseWaits outbox={answer} />
          </>
        )}
      </Answer>
    </Page>
  )
}

/** Such as `12`, and `1000+` where no more are counted. */
function counted({ mail, mailCountedTo }: OutboxAnswer, state: NoticeState): string {
  return `${mail[state]}${mail[state] < mailCountedTo ? '' : '+'}`
}

function HowItStands({ outbox: { sendsMail, mailWaitsSince } }: { outbox: OutboxAnswer }) {
  const t = usePageWords(outboxWords)
  const { formats } = useSpeech()
  const now = useNow()
  if (!sendsMail)
    return (
      <Alert color="yellow" title={t.noServer}>
        {t.noServerHint}
      </Alert>
    )
  return (
    <p>
      {t.sends} {mailWaitsSince === null ? t.nothingWaits : t.waitsSince(formats.ago(mailWaitsSince, now))}
    </p>
  )
}

function Mails({ mails, isFiltered }: { mails: readonly OperatorNotice[]; isFiltered: boolean }) {
  const t = usePageWords(outboxWords)
  const columns = useColumns()
  return (
    <DataList
      label={t.mail}
      rows={mails}
      keyOf={({ noticeId }) => noticeId}
      toneOf={({ state }) =>
        state === 'failed' || state === 'dropped' ? 'bad' : state === 'uncertain' ? 'warn' : undefined
      }
      columns={columns}
      actions={(mail) => mail.state === 'kept' && <KeptMail mail={mail} />}
      empty={<Empty words={isFiltered ? t.noneOfState : t.none} />}
    />
  )
}

function useColumns(): Column<OperatorNotice>[] {
  const t = usePageWords(outboxWords)
  const { formats } = useSpeech()
  const now = useNow()
  return [
    { key: 'kind', label: t.columns.kind, isTitle: true, cell: ({ kind }) => t.kinds[kind] ?? kind },
    {
      key: 'to',
      label: t.columns.to,
      cell: ({ to }) => (to === null ? <span className="soft">{t.unreadable}</span> : <bdi>{to}</bdi>),
    },
    { key: 'state', label: t.columns.state, cell: (mail) => <HowMailStands mail={mail} /> },
    {
      key: 'written',
      label: t.columns.written,
      cell: ({ createdAt }) => (
        <time dateTime={createdAt} title={formats.dateTime(createdAt)}>
          {formats.ago(createdAt, now)}
        </time>
      ),
    },
  ]
}

/** Its state, and under it what went wrong and what comes next. */
function HowMailStands({ mail: { state, error, attempts, nextAt } }: { mail: OperatorNotice }) {
  const t = usePageWords(outboxWords)
  const { formats } = useSpeech()
  const more = [
    ...(error === null ? [] : [mailErrorWords(t, error)]),
    ...(attempts === 0 ? [] : [t.attempts(attempts)]),
    ...(nextAt === null || attempts === 0 ? [] : [t.next(formats.dateTime(nextAt))]),
  ]
  return (
    <>
      <Mark tone={MAIL_TONES[state]}>{t.states[state]}</Mark>
      {more.map((words) => (
        <span key={words} className="soft block">
          {words}
        </span>
      ))}
    </>
  )
}

function WhatElseWaits({ outbox: { webhooks, channels, pos } }: { outbox: OutboxAnswer }) {
  const t = usePageWords(outboxWords)
  const { formats } = useSpeech()
  const facts = [
    [t.pending, formats.number(webhooks.pending)],
    [t.retrying, formats.number(webhooks.retrying)],
    [t.oldestDue, webhooks.oldestDueMs === 0 ? t.notDue : formats.duration(webhooks.oldestDueMs)],
    [t.channels, formats.number(channels)],
    [t.pos, formats.number(pos)],
  ] as const
  return (
    <Part title={t.else}>
      <dl className="facts card">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="number">{value}</dd>
          </div>
        ))}
      </dl>
    </Part>
  )
}
