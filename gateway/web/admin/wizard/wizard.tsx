// The guide from an empty box to a kitchen that works: one question a step; each can be left out by name and come back to.
import '#gateway/web/admin/stations.css'
import { Button, Group } from '@mantine/core'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { PairingForm } from '#gateway/web/admin/parts/pairing-form.tsx'
import { StationMatrix } from '#gateway/web/admin/parts/station-matrix.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Page } from '#shared/ui/parts/page.tsx'
import { BackupsStep } from './backups-step.tsx'
import { CheckStep } from './check-step.tsx'
import { DisplayStep } from './display-step.tsx'
import { IdentifyStep } from './identify-step.tsx'
import { NameStep, TimeZoneStep } from './place-steps.tsx'
import { PrintersStep } from './printers-step.tsx'
import { STEPS, type Step, type StepMark } from './steps.ts'
import { type Guide, useGuide } from './use-guide.ts'

const SIGNS: Readonly<Record<StepMark, string>> = { done: '✓', skipped: '–', open: '' }

export function Wizard() {
  const { t } = useSpeech()
  const navigate = useNavigate()
  const guide = useGuide()
  const { step: asked } = useParams({ strict: false }) as { step?: string }
  const step = STEPS.find((one) => one === asked) ?? STEPS[0]
  const say = useNotice()
  // What was done in one step is no word about the next one.
  useEffect(() => {
    if (step) say('')
  }, [step, say])
  const at = STEPS.indexOf(step)
  const [before, next] = [STEPS[at - 1], STEPS[at + 1]]
  const go = (to: Step) => void navigate({ to: '/setup/$step', params: { step: to } as never })
  const goOn = () => {
    guide.pass(step)
    if (next) go(next)
  }
  const isDone = guide.marks[step] === 'done'
  return (
    <div className="guide">
      <Progress step={step} guide={guide} />
      <Page key={step} title={t.wizard.questions[step]}>
        <p className="lead">{t.wizard.explain[step]}</p>
        <StepBody step={step} goOn={goOn} />
      </Page>
      <Group justify="space-between" className="wizard-foot">
        {before ? (
          <Button variant="default" size="md" onClick={() => go(before)}>
            {t.wizard.back}
          </Button>
        ) : (
          <span />
        )}
        {next ? (
          <Button size="md" variant={isDone ? 'filled' : 'default'} onClick={goOn}>
            {isDone ? t.wizard.next : t.wizard.skip[step]}
          </Button>
        ) : (
          <Button size="md" variant={isDone ? 'filled' : 'default'} component={Link} to="/">
            {isDone ? t.wizard.finish : t.wizard.skip[step]}
          </Button>
        )}
      </Group>
    </div>
  )
}

function Progress({ step, guide }: { step: Step; guide: Guide }) {
  const { t } = useSpeech()
  const at = STEPS.indexOf(step) + 1
  return (
    <nav aria-label={t.wizard.title}>
      <p className="progress">
        <progress value={at} max={STEPS.length} aria-label={t.wizard.at(at, STEPS.length)} />
        <span>{t.wizard.at(at, STEPS.length)}</span>
      </p>
      <ol className="steps">
        {STEPS.map((one, index) => {
          const mark = guide.marks[one]
          const sign = SIGNS[mark] || String(index + 1)
          return (
            <li key={one} className={mark}>
              <Link
                to="/setup/$step"
                params={{ step: one } as never}
                activeProps={{ 'aria-current': 'step' }}
                aria-label={`${sign} ${t.wizard.steps[one]}: ${t.wizard.marks[mark]}`}
              >
                <span>{sign}</span> {t.wizard.steps[one]}
              </Link>
            </li>
          )
        })}
      </ol>
    </nav>
  )
}

function StepBody({ step, goOn }: { step: Step; goOn: () => void }): ReactNode {
  switch (step) {
    case 'name':
      return <NameStep saved={goOn} />
    case 'clock':
      return <TimeZoneStep saved={goOn} />
    case 'pairing':
      return <PairingForm />
    case 'printers':
      return <PrintersStep />
    case 'identify':
      return <IdentifyStep />
    case 'displays':
      return <DisplayStep />
    case 'stations':
      return <StationMatrix />
    case 'backups':
      return <BackupsStep />
    case 'check':
      return <CheckStep />
  }
}
