// One box of the list: its state in words, what to do about it, its printers, its figures, and what can be changed.
import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import type { OperationAnswers } from '#cloud/control/answers.ts'
import type { KitchenAnswer } from '#cloud/control/kitchen-list.ts'
import { useNow } from '#cloud/web/live.tsx'
import { findingWords } from '#cloud/web/messages/findings.ts'
import { kitchensWords } from '#cloud/web/messages/kitchens.ts'
import { useMay } from '#cloud/web/place.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { BoxChanges } from './box-changes.tsx'
import { KitchenPrinters } from './kitchen-printers.tsx'
import { conditionHint, conditionTone, conditionWords, versionOf } from './kitchen-words.ts'

interface RowProps {
  merchantId: string
  kitchen: KitchenAnswer
  fleet: OperationAnswers['kitchens.list']
}

export function KitchenRow({ merchantId, kitchen, fleet }: RowProps) {
  const t = usePageWords(kitchensWords)
  const { formats } = useSpeech()
  const now = useNow()
  const { condition, name, locationName, simulated } = kitchen
  const findings = usePageWords(findingWords)
  const hint = conditionHint(condition, t, findings)
  return (
    <li className={`card box ${condition.severity}`}>
      <header>
        <h2>
          <bdi>{name}</bdi>
        </h2>
        <bdi className="soft">{locationName}</bdi>
        <Mark tone={conditionTone(condition)}>{conditionWords(condition, { t, findings, formats, nowMs: now })}</Mark>
        {kitchen.rotating && <span className="soft">{t.rotating}</span>}
      </header>
      <KitchenPrinters merchantId={merchantId} kitchen={kitchen} />
      <Figures kitchen={kitchen} />
      <div className="row-actions">{!simulated && <ChangeButton {...{ merchantId, kitchen, fleet }} />}</div>
      {hint !== null && (
        <details className="hint" open={condition.severity === 'critical'}>
          <summary>{t.whatToDo}</summary>
          <p>{hint}</p>
        </details>
      )}
    </li>
  )
}

function Figures({ kitchen }: { kitchen: KitchenAnswer }) {
  const t = usePageWords(kitchensWords)
  const { t: frame, formats } = useSpeech()
  const now = useNow()
  const { lastPrintAt, waiting, open, version, clockSkewMs, simulated } = kitchen
  const figures: [name: string, words: string][] = [
    [t.facts.lastPrint, lastPrintAt === null ? frame.common.never : formats.ago(lastPrintAt, now)],
    [t.facts.waiting, t.tickets(waiting)],
  ]
  if (open > 0) figures.push([t.facts.open, t.tickets(open)])
  if (!simulated) figures.push([t.version, versionOf(version)])
  if (clockSkewMs !== null && Math.abs(clockSkewMs) >= 1_000) {
    const span = formats.span(Math.abs(clockSkewMs))
    figures.push([t.facts.skew, clockSkewMs > 0 ? t.ahead(span) : t.behind(span)])
  }
  return (
    <dl className="box-figures">
      {figures.map(([label, words]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{words}</dd>
        </div>
      ))}
    </dl>
  )
}

function ChangeButton({ merchantId, kitchen, fleet }: RowProps) {
  const t = usePageWords(kitchensWords)
  const mayChange = useMay('kitchen')
  const [isOpen, setOpen] = useState(false)
  if (!mayChange) return null
  return (
    <>
      <Button variant="default" aria-label={t.changeOf(kitchen.name)} onClick={() => setOpen(true)}>
        {t.change}
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={t.changeOf(kitchen.name)}>
        <BoxChanges merchantId={merchantId} kitchen={kitchen} places={fleet.locations} close={() => setOpen(false)} />
      </Modal>
    </>
  )
}
