// For operators: mail that was not sent and why, mail that is kept to be passed on, and what else waits to be sent.
import { Alert, Button, Modal } from '@mantine/core'
import { useState } from 'react'
import type { NoticeState, OperatorNotice, OutboxAnswer, ReadMailAnswer } from '#cloud/control/notice-list.ts'
import { useNow } from '#cloud/web/live.tsx'
import { outboxWords } from '#cloud/web/messages/outbox.ts'
import { useChange, useRead } from '#cloud/web/operations.ts'
import { MAIL_TONES, mailErrorWords } from '#cloud/web/operator/mail-words.ts'
import { Ago } from '#cloud/web/parts/ago.tsx'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { CodeBlock } from '#cloud/web/parts/code-block.tsx'
import { type Column, DataList } from '#cloud/web/parts/data-list.tsx'
import { Empty } from '#cloud/web/parts/empty.tsx'
import { FilterChoice } from '#cloud/web/parts/filter-bar.tsx'
import { LanguageField } from '#cloud/web/parts/language-field.tsx'
import { useFilters } from '#cloud/web/parts/use-filters.ts'
import { useSession } from '#cloud/web/session.ts'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { TextField } from '#shared/ui/parts/fields.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Page, Part } from '#shared/ui/parts/page.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'

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
      cell: ({ createdAt }) => <Ago at={createdAt} />,
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

function WhatElseWaits({ outbox: { webhooks, channels, pos, texts } }: { outbox: OutboxAnswer }) {
  const t = usePageWords(outboxWords)
  const { formats } = useSpeech()
  const facts = [
    [t.pending, formats.number(webhooks.pending)],
    [t.retrying, formats.number(webhooks.retrying)],
    [t.oldestDue, webhooks.oldestDueMs === 0 ? t.notDue : formats.duration(webhooks.oldestDueMs)],
    [t.texts, formats.number(texts.queued + texts.sending)],
    [t.textsUncertain, formats.number(texts.uncertain)],
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

/** A mail that is kept because no mail server is set up: the operator reads it to pass it on, after a fresh password or passkey. */
function KeptMail({ mail: { noticeId, kind, to } }: { mail: OperatorNotice }) {
  const t = usePageWords(outboxWords)
  const [shown, setShown] = useState<ReadMailAnswer | null>(null)
  const read = useChange('op.read-mail', setShown)
  return (
    <>
      <Button
        size="compact-md"
        variant="default"
        loading={read.isPending}
        aria-label={t.readLabel(t.kinds[kind] ?? kind, to ?? t.unreadable)}
        onClick={() => read.mutate({ noticeId })}
      >
        {t.read}
      </Button>
      <Problem error={read.error} />
      <Modal opened={shown !== null} onClose={() => setShown(null)} title={t.readTitle} size="lg">
        {shown !== null && (
          <div className="stack">
            <p>{t.readHint}</p>
            <dl className="facts">
              <div>
                <dt>{t.columns.to}</dt>
                <dd>
                  <bdi>{shown.to}</bdi>
                </dd>
              </div>
              <div>
                <dt>{t.subject}</dt>
                <dd>
                  <bdi>{shown.subject}</bdi>
                </dd>
              </div>
            </dl>
            <CodeBlock label={t.text} text={shown.text} />
          </div>
        )}
      </Modal>
    </>
  )
}

/** Sends a test mail. */
function TestMail() {
  const t = usePageWords(outboxWords)
  const { language: own } = useSpeech()
  const { person } = useSession()
  const say = useNotice()
  const [isOpen, setOpen] = useState(false)
  const [to, setTo] = useState(person?.email ?? '')
  const [language, setLanguage] = useState(own)
  const send = useChange('op.test-mail', () => {
    say(t.testDone)
    setOpen(false)
  })
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t.test}</Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={t.test}>
        <Form label={t.test} change={send} act={() => send.mutate({ to: to.trim(), language })}>
          <p>{t.testHint}</p>
          <TextField type="email" name="to" required data-autofocus label={t.address} value={to} set={setTo} />
          <LanguageField label={t.language} value={language} set={setLanguage} />
        </Form>
      </Modal>
    </>
  )
}
