// The guide from an empty box to a kitchen that works, step by step; each can be left out and come back to.
import { Button, Group } from '@mantine/core'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useLive } from '#gateway/web/admin/live.tsx'
import { AddByAddress } from '#gateway/web/admin/parts/add-by-address.tsx'
import { BoxSettingsForm } from '#gateway/web/admin/parts/box-settings-form.tsx'
import { FindPrinters } from '#gateway/web/admin/parts/find-printers.tsx'
import { PairingForm } from '#gateway/web/admin/parts/pairing-form.tsx'
import { PrinterCard } from '#gateway/web/admin/parts/printer-card.tsx'
import { Page, Part } from '#shared/ui/parts/page.tsx'
import { CheckStep } from './check-step.tsx'
import { DisplayStep } from './display-step.tsx'
import { IdentifyStep } from './identify-step.tsx'
import { RolesStep } from './roles-step.tsx'

const STEPS = ['box', 'pairing', 'printers', 'identify', 'roles', 'displays', 'check'] as const
type Step = (typeof STEPS)[number]

export function Wizard() {
  const { t } = useSpeech()
  const navigate = useNavigate()
  const { step: asked } = useParams({ strict: false }) as { step?: string }
  const step = STEPS.find((one) => one === asked) ?? 'box'
  const at = STEPS.indexOf(step)
  const [before, next] = [STEPS[at - 1], STEPS[at + 1]]
  const isPaired = (useLive().topics.status['box']?.link.state ?? 'unpaired') !== 'unpaired'
  const go = (to: Step) => void navigate({ to: '/setup/$step', params: { step: to } as never })
  return (
    <Page key={step} title={t.wizard.steps[step]}>
      <nav aria-label={t.wizard.title}>
        <ol className="steps">
          {STEPS.map((one, index) => (
            <li key={one}>
              <Link to="/setup/$step" params={{ step: one } as never} activeProps={{ 'aria-current': 'step' }}>
                {index + 1}. {t.wizard.steps[one]}
              </Link>
            </li>
          ))}
        </ol>
      </nav>
      <p>{t.wizard.explain[step]}</p>
      <StepBody step={step} next={() => next && go(next)} />
      <Group justify="space-between" className="wizard-foot">
        {before ? (
          <Button variant="default" onClick={() => go(before)}>
            {t.wizard.back}
          </Button>
        ) : (
          <span />
        )}
        {next ? (
          <Button variant={step === 'box' ? 'default' : 'filled'} onClick={() => go(next)}>
            {step === 'pairing' && !isPaired ? t.wizard.continueOrLater : t.wizard.next}
          </Button>
        ) : (
          <Button component={Link} to="/">
            {t.wizard.finish}
          </Button>
        )}
      </Group>
    </Page>
  )
}

function StepBody({ step, next }: { step: Step; next: () => void }): ReactNode {
  switch (step) {
    case 'box':
      return <BoxSettingsForm saved={next} />
    case 'pairing':
      return <PairingForm />
    case 'printers':
      return <PrintersStep />
    case 'identify':
      return <IdentifyStep />
    case 'roles':
      return <RolesStep />
    case 'displays':
      return <DisplayStep />
    case 'check':
      return <CheckStep />
  }
}

function PrintersStep() {
  const { t } = useSpeech()
  const printers = Object.values(useLive().topics.printers)
  return (
    <>
      <Part title={t.find.title}>
        <FindPrinters />
      </Part>
      <Part title={t.find.byAddress}>
        <AddByAddress />
      </Part>
      {printers.length > 0 && (
        <Part title={t.nav.printers}>
          <div className="cards">
            {printers.map((printer) => (
              <PrinterCard key={printer.printerId} printer={printer} />
            ))}
          </div>
        </Part>
      )}
    </>
  )
}
