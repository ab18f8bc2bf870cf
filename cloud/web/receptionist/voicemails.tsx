// Voicemails: heard in the page, read as text, settled by whoever called back, and deleted.
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { OperationAnswers } from '#cloud/control/answers.ts'
import type { VoicemailAnswer } from '#cloud/control/voicemail-list.ts'
import { callsWords } from '#cloud/web/messages/receptionist-calls.ts'
import { useChange } from '#cloud/web/operations.ts'
import { Ago } from '#cloud/web/parts/ago.tsx'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { usePages } from '#cloud/web/parts/use-pages.ts'
import { useMay, usePlace } from '#cloud/web/place.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { AskButton } from '#shared/ui/parts/ask-button.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Part } from '#shared/ui/parts/page.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import { CallBack, lasted, shownNumber } from './caller-number.tsx'

const PAGES = {
  page: ({ voicemails, next }: OperationAnswers['voicemails.list']) => ({ rows: voicemails, next }),
  after: (before: string) => ({ before: before as VoicemailAnswer['voicemailId'] }),
  keyOf: ({ voicemailId }: VoicemailAnswer) => voicemailId,
  everyMs: 5_000,
}

export function Voicemails({ merchantId }: { merchantId: string }) {
  const t = usePageWords(callsWords)
  const { t: frame } = useSpeech()
  const pages = usePages('voicemails.list', { merchantId }, PAGES)
  const rows = pages.rows ?? []
  return (
    <Part title={t.voicemails}>
      <Answer of={pages.answer} rows={2}>
        {() => (
          <>
            {rows.length === 0 && <p className="soft">{t.noVoicemails}</p>}
            <ul className="row-cards">
              {rows.map((voicemail) => (
                <li key={voicemail.voicemailId} className="card stack">
                  <Voicemail merchantId={merchantId} voicemail={voicemail} />
                </li>
              ))}
            </ul>
            <Problem error={pages.moreError} />
            {pages.more && (
              <p>
                <Button variant="default" loading={pages.isLoadingMore} onClick={pages.more}>
                  {frame.list.more}
                </Button>
              </p>
            )}
          </>
        )}
      </Answer>
    </Part>
  )
}

function Voicemail({ merchantId, voicemail }: { merchantId: string; voicemail: VoicemailAnswer }) {
  const t = usePageWords(callsWords)
  const say = useNotice()
  const mayChange = useMay('serve')
  const mayDelete = useMay('audit')
  const { account } = usePlace()
  const settle = useChange('voicemails.done', (_, { done }) => say(done ? t.settled : t.reopened))
  const remove = useChange('voicemails.delete', () => say(t.voicemailDeleted))
  const { voicemailId, callId, from, at, seconds, state, text, isUncertain, hasSound, isDone } = voicemail
  const who = from === null ? t.withheld : shownNumber(from)
  const query = new URLSearchParams({ account: account?.accountId ?? '', merchant: merchantId, id: voicemailId })
  return (
    <>
      <strong>{from === null ? who : <CallBack number={from} label={t.callBack(who)} />}</strong>
      <span className="soft">
        <Ago at={at} /> · {lasted(seconds * 1_000)} {isDone && <Mark tone="ok">{t.done}</Mark>}
      </span>
      {text !== null && <bdi>{t.said(text)}</bdi>}
      {text !== null && isUncertain && <Mark tone="warn">{t.mayBeWrong}</Mark>}
      {state === 'waits' && <span className="soft">{t.waits}</span>}
      {state === 'no-text' && <span className="soft">{t.noText}</span>}
      {hasSound && (
        // biome-ignore lint/a11y/useMediaCaption: its text stands beside it where there is one
        <audio
          controls
          preload="none"
          aria-label={t.voicemailOf(who)}
          src={`/dashboard/api/voicemails/sound?${query}`}
        />
      )}
      <div className="row-actions">
        {mayChange && (
          <Button
            variant="default"
            size="compact-md"
            aria-label={isDone ? t.againOf(who) : t.doneOf(who)}
            onClick={() => settle.mutate({ merchantId, voicemailId, done: !isDone })}
          >
            {isDone ? t.again : t.done}
          </Button>
        )}
        {callId !== null && (
          <Button variant="subtle" size="compact-md" component={Link} to={`/receptionist/calls/${callId}`}>
            {t.toCall}
          </Button>
        )}
        {mayDelete && (
          <AskButton
            variant="subtle"
            color="red"
            size="compact-md"
            label={t.deleteVoicemail}
            aria-label={t.deleteVoicemailOf(who)}
            question={t.deleteVoicemailQuestion(who)}
            loading={remove.isPending}
            act={() => remove.mutate({ merchantId, voicemailId })}
          />
        )}
      </div>
      <Problem error={settle.error ?? remove.error} />
    </>
  )
}
