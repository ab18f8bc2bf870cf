// One finding, in the page's language if the page has a sentence for it: its effect, since when, and the one action that resolves it.
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { FindingAnswer } from '#gateway/control/health-answers.ts'
import { post } from '#gateway/web/admin/api.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useNow } from '#gateway/web/admin/live.tsx'
import { useIsTechnician } from '#gateway/web/admin/session.ts'
import { fromIso } from '#shared/clock.ts'
import type { ApiError } from '#shared/ui/api.ts'
import { Mark, type Tone } from '#shared/ui/parts/mark.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { focusHeading } from '#shared/ui/parts/page.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import { actWords, costWords, findingWords } from './finding-words.ts'

const TONES: Readonly<Record<FindingAnswer['severity'], Tone>> = { critical: 'bad', warning: 'warn', advice: 'idle' }

/** Its sentences follow the page's text direction, whatever name they begin with, and each name in them is isolated. @param children shown below its action */
export function FindingItem({ finding, children }: { finding: FindingAnswer; children?: ReactNode }) {
  const speech = useSpeech()
  const now = useNow()
  const isTechnician = useIsTechnician()
  const { t, formats } = speech
  const { severity, since, act } = finding
  const { title, text } = findingWords(finding, speech)
  const cost = costWords(finding, speech)
  return (
    <li className={`card finding ${severity}`}>
      <h3>
        <Mark tone={TONES[severity]}>
          <span className="hidden">{t.health.severities[severity]}: </span>
          {title}
        </Mark>
      </h3>
      {cost !== '' && <p className="cost">{cost}</p>}
      <p>{text}</p>
      {since !== null && <p className="soft">{t.health.overview.lasts(formats.span(lengthMs(since, now)))}</p>}
      {act && (isTechnician || act.role === 'manager') && <Act act={act} title={title} />}
      {children}
    </li>
  )
}

/** Two clocks do not make it begin in the future. */
function lengthMs(since: string, nowMs: number): number {
  return Math.max(0, nowMs - (fromIso(since) ?? nowMs))
}

type Act = NonNullable<FindingAnswer['act']>

function Act({ act, title }: { act: Act; title: string }) {
  const speech = useSpeech()
  const words = actWords(act, speech)
  if (act.kind === 'do') return <DoButton act={act} words={words} />
  return (
    <Button variant="default" component={Link} to={act.to as '/'}>
      {words}
      <span className="hidden"> ({title})</span>
    </Button>
  )
}

function DoButton({ act, words }: { act: Extract<Act, { kind: 'do' }>; words: string }) {
  const { t } = useSpeech()
  const say = useNotice()
  const navigate = useNavigate()
  const mend = useMutation<unknown, ApiError>({
    mutationFn: () => post(act.operation, { ...act.input, ...filledHere(act) }),
    onSuccess: () => {
      say(t.common.done)
      focusHeading()
      // What is found shows up there.
      if (act.operation === 'discover.start') void navigate({ to: '/printers/add' })
    },
  })
  return (
    <>
      <Problem error={mend.error} />
      <Button variant="default" loading={mend.isPending} onClick={() => mend.mutate()}>
        {words}
      </Button>
    </>
  )
}

/** Values that only the browser has. */
function filledHere({ fill }: { fill?: 'time-zone' | undefined }): Record<string, string> {
  return fill === 'time-zone' ? { timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone } : {}
}
