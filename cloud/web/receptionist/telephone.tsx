// The telephone: what both say, what the caller can do now, and what came of it. Everything that is read aloud is also shown.
import { Button, Checkbox, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { SimulateAnswer } from '#cloud/control/number-list.ts'
import type { OperationBody } from '#cloud/control/operations.ts'
import { callsWords } from '#cloud/web/messages/receptionist-calls.ts'
import { tryWords } from '#cloud/web/messages/receptionist-try.ts'
import { useChange, useRead } from '#cloud/web/operations.ts'
import { OrderLink } from '#cloud/web/parts/orders/order-link.tsx'
import { usePageWords } from '#cloud/web/speech.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { Part } from '#shared/ui/parts/page.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import { toneOfOutcome } from './call-history.tsx'
import { shownNumber } from './caller-number.tsx'
import { canSpeak, useEar, useVoice } from './say-aloud.ts'
import { Talk } from './talk.tsx'

type Act = OperationBody<'receptionist.simulate'>['act']
interface Line {
  who: 'caller' | 'receptionist' | 'event'
  text: string
}

const KEYS = [...'123456789*0#']

export function Telephone({ merchantId, number }: { merchantId: string; number: string }) {
  const t = usePageWords(tryWords)
  const [lines, setLines] = useState<readonly Line[]>([])
  const [isAloud, setAloud] = useState(false)
  const voice = useVoice()
  const turn = useChange('receptionist.simulate', ({ heard, language }) => {
    setLines((before) => [...before, ...heard.map((text) => ({ who: 'receptionist' as const, text }))])
    if (isAloud) voice.speak(heard, language)
  })
  const phone = turn.data
  const isOn = phone !== undefined && phone.now !== 'over'
  const act = (what: Act, line: Line | null) => {
    voice.stop()
    const before = what.do === 'dial' ? [] : lines
    setLines(line === null ? before : [...before, line])
    turn.mutate({ merchantId, call: what.do === 'dial' ? null : (phone?.call ?? null), act: what })
  }
  return (
    <div className="telephone-page">
      <Part title={t.telephone}>
        <div className="card stack telephone">
          <div className="row-actions">
            {isOn ? (
              <Button
                color="red"
                loading={turn.isPending}
                onClick={() => act({ do: 'hang-up' }, { who: 'event', text: t.hungUp })}
              >
                {t.hangUp}
              </Button>
            ) : (
              <Button loading={turn.isPending} onClick={() => act({ do: 'dial' }, null)}>
                {t.dial(shownNumber(number))}
              </Button>
            )}
            {canSpeak() && (
              <Checkbox
                label={t.aloud}
                checked={isAloud}
                onChange={({ currentTarget }) => {
                  setAloud(currentTarget.checked)
                  if (!currentTarget.checked) voice.stop()
                }}
              />
            )}
          </div>
          <Conversation lines={lines} language={phone?.language ?? 'en'} />
          {phone?.now === 'over' && <p>{t.over}</p>}
          {isOn && <Doing phone={phone} isBusy={turn.isPending} act={act} />}
          <Problem error={turn.error} />
        </div>
      </Part>
      <Part title={t.happened}>
        <Outcome merchantId={merchantId} callId={phone?.callId ?? null} />
      </Part>
    </div>
  )
}

function Conversation({ lines, language }: { lines: readonly Line[]; language: string }) {
  const t = usePageWords(tryWords)
  const end = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the newest line is in sight whenever one comes
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'nearest' })
  }, [lines.length])
  return (
    // A screen reader says what comes; the keyboard scrolls it.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached without a mouse
    <div role="log" lang={language} className="conversation" tabIndex={0} aria-label={t.telephone}>
      {lines.length === 0 ? <p className="soft">{t.empty}</p> : <Talk turns={lines} />}
      <div ref={end} />
    </div>
  )
}

interface DoingProps {
  phone: SimulateAnswer
  isBusy: boolean
  act: (what: Act, line: Line | null) => void
}

/** What the caller can do now, or the person to whom the call is passed. */
function Doing({ phone, isBusy, act }: DoingProps) {
  const t = usePageWords(tryWords)
  const event = (text: string): Line => ({ who: 'event', text })
  switch (phone.now) {
    case 'listens':
      return <Speaking phone={phone} isBusy={isBusy} act={act} />
    case 'records':
      return (
        <Words
          label={t.message}
          go={t.leave}
          language={phone.language}
          isBusy={isBusy}
          send={(words) => act({ do: 'message', words }, { who: 'caller', text: t.left(words) })}
        />
      )
    case 'rings':
      return (
        <div className="stack">
          <p role="status">{t.rings(shownNumber(phone.to ?? ''))}</p>
          <div className="row-actions">
            <Button disabled={isBusy} onClick={() => act({ do: 'pick-up' }, event(t.pickedUp))}>
              {t.pickUp}
            </Button>
            <Button
              variant="default"
              disabled={isBusy}
              onClick={() => act({ do: 'person-ends' }, event(t.notPickedUp))}
            >
              {t.noAnswer}
            </Button>
          </div>
        </div>
      )
    case 'talks':
      return (
        <div className="stack">
          <p role="status">{t.talks}</p>
          <p>
            <Button variant="default" disabled={isBusy} onClick={() => act({ do: 'person-ends' }, event(t.hungUp))}>
              {t.personEnds}
            </Button>
          </p>
        </div>
      )
    default:
      return null
  }
}

function Speaking({ phone, isBusy, act }: DoingProps) {
  const t = usePageWords(tryWords)
  return (
    <div className="stack">
      <Words
        label={t.say}
        hint={t.sayHint}
        go={t.send}
        language={phone.language}
        isBusy={isBusy}
        send={(words) => act({ do: 'say', words }, { who: 'caller', text: words })}
      />
      <fieldset className="keypad" disabled={isBusy || !phone.takesDigits}>
        <legend className="hidden">{t.keys}</legend>
        {KEYS.map((digits) => (
          <Button
            key={digits}
            variant="default"
            aria-label={t.key(digits)}
            onClick={() => act({ do: 'press', digits }, { who: 'caller', text: t.pressed(digits) })}
          >
            {digits}
          </Button>
        ))}
      </fieldset>
      <p>
        <Button
          variant="subtle"
          size="compact-md"
          disabled={isBusy}
          onClick={() => act({ do: 'quiet' }, { who: 'event', text: t.wasQuiet })}
        >
          {t.quiet}
        </Button>
      </p>
    </div>
  )
}

interface WordsProps {
  label: string
  hint?: string
  go: string
  language: string
  isBusy: boolean
  send: (words: string) => void
}

/** Typed, or spoken where the browser understands speech. */
function Words({ label, hint, go, language, isBusy, send }: WordsProps) {
  const t = usePageWords(tryWords)
  const [typed, setTyped] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const { isListening, listen } = useEar(send)
  // The next thing to do after what was heard is to say something.
  useEffect(() => {
    if (!isBusy) field.current?.focus({ preventScroll: true })
  }, [isBusy])
  return (
    <form
      className="try-question"
      onSubmit={(event) => {
        event.preventDefault()
        const words = typed.trim()
        if (words === '' || isBusy) return
        setTyped('')
        send(words)
      }}
    >
      <TextInput
        ref={field}
        label={label}
        {...(hint !== undefined && { placeholder: hint })}
        autoComplete="off"
        maxLength={500}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <div className="row-actions">
        <Button type="submit" loading={isBusy}>
          {go}
        </Button>
        {listen !== null && (
          <Button variant="default" disabled={isBusy || isListening} onClick={() => listen(language)}>
            {isListening ? t.listening : t.speak}
          </Button>
        )}
      </div>
    </form>
  )
}

function Outcome({ merchantId, callId }: { merchantId: string; callId: SimulateAnswer['callId'] }) {
  const t = usePageWords(tryWords)
  const calls = usePageWords(callsWords)
  const call = useRead(
    'calls.get',
    { merchantId, callId: callId ?? ('' as never) },
    { enabled: callId !== null, keep: true },
  )
  if (callId === null || call.data === undefined) return <p className="soft">{t.nothingYet}</p>
  const { outcome, serviceOrderId } = call.data
  return (
    <div className="card stack" role="status">
      <Mark tone={toneOfOutcome(outcome)}>{outcome === null ? calls.goesOn : calls.outcomes[outcome]}</Mark>
      {serviceOrderId !== null && <OrderLink serviceOrderId={serviceOrderId} number={t.toOrder} isPlain />}
      <Link to="/receptionist/calls/$id" params={{ id: callId }}>
        {t.toCall}
      </Link>
      <Link to="/receptionist">{t.toManage}</Link>
    </div>
  )
}
