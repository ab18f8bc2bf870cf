// The history of an object, step by step, with the time of each; also as text, for support.
import { Button, Group, Textarea } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import { copyFrom } from '#shared/ui/page-browser.ts'
import { useSpeech } from '#shared/ui/speech.tsx'
import { useNotice } from './notices.tsx'

export interface TimelineStep {
  /** ISO 8601. */
  at: string
  /** Milliseconds since the first step. */
  afterMs: number
  /** The event, in words. */
  name: string
  /** The reason or cause; empty if unknown. */
  why: string
  /** Such as `2nd try`; empty if there is nothing to show. */
  attempt: string
  isTrouble: boolean
}

export interface TimelineWords {
  asText: string
  copy: string
  copied: string
  copyFailed: string
}

interface TimelineProps {
  steps: readonly TimelineStep[]
  /** The whole timeline as English text, for support. */
  text: string
  words: TimelineWords
  /** Shown below the steps. */
  children?: ReactNode
}

export function StepTimeline({ steps, text, words, children }: TimelineProps) {
  const { formats } = useSpeech()
  const say = useNotice()
  const [isText, setText] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const copy = () => say(field.current && copyFrom(field.current) ? words.copied : words.copyFailed)
  /** The time since the previous step, to show where the time went. */
  const sincePrevious = (step: TimelineStep, before: TimelineStep | undefined) =>
    before === undefined ? '' : `+${formats.duration(step.afterMs - before.afterMs)}`
  return (
    <div className="stack">
      <ol className="timeline">
        {steps.map((step, index, all) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps are only added at the end
          <li key={index} className={step.isTrouble ? 'trouble' : ''}>
            <bdi dir="ltr" className="number">
              +{formats.duration(step.afterMs)}
            </bdi>
            <span>
              <strong>{step.name}</strong>{' '}
              <bdi dir="ltr" className="soft number">
                {sincePrevious(step, all[index - 1])}
              </bdi>{' '}
              {step.why}
              {step.attempt !== '' && <span className="soft"> {step.attempt}</span>}
            </span>
            <time className="soft number" dateTime={step.at}>
              {formats.exactTime(step.at)}
            </time>
          </li>
        ))}
      </ol>
      {children}
      <Group>
        <Button variant="default" aria-expanded={isText} onClick={() => setText(!isText)}>
          {words.asText}
        </Button>
        {isText && <Button onClick={copy}>{words.copy}</Button>}
      </Group>
      {isText && (
        <Textarea
          ref={field}
          aria-label={words.asText}
          readOnly
          autosize={false}
          rows={10}
          value={text}
          onFocus={(event) => event.currentTarget.select()}
        />
      )}
    </div>
  )
}
