// Checks a kitchen by one click: an order of the box itself, followed live until each printer, station and screen is proved or left out by a named person.
import { Button, Group } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { TestOrderAnswer } from '#gateway/control/answers.ts'
import type { CheckFinding } from '#gateway/control/check-answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useLive } from '#gateway/web/admin/live.tsx'
import { useChange } from '#gateway/web/admin/operations.ts'
import { FindingItem } from '#gateway/web/admin/parts/finding-item.tsx'
import { findingWords } from '#gateway/web/admin/parts/finding-words.ts'
import { TicketDrawing } from '#gateway/web/admin/parts/ticket-drawing.tsx'
import { ChoiceField } from '#shared/ui/parts/fields.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { Part } from '#shared/ui/parts/page.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import { CHECK_KINDS } from './check-lines.ts'
import { CheckList } from './check-list.tsx'
import { keepTestOrder, lastTestOrder, useFollowed } from './followed-order.ts'
import { LeaveOut } from './leave-out.tsx'
import { useGuide } from './use-guide.ts'

export function TestOrder() {
  const { t } = useSpeech()
  const [printJobId, setPrintJobId] = useState(lastTestOrder)
  const place = useChange('orders.test', (placed) => {
    keepTestOrder(placed.printJobId)
    setPrintJobId(placed.printJobId)
  })
  return (
    <div className="stack">
      <p>{t.check.explain}</p>
      <Group>
        <Button size="md" loading={place.isPending} onClick={() => place.mutate({})}>
          {t.testOrder.send}
        </Button>
      </Group>
      <Problem error={place.error} />
      {printJobId !== '' && <Followed key={printJobId} printJobId={printJobId} />}
    </div>
  )
}

function Followed({ printJobId }: { printJobId: string }) {
  const { topics } = useLive()
  const { isKnown, pass } = useGuide()
  const { order, error, refetch } = useFollowed(printJobId)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another ticket on the live feed may be one of these
  useEffect(() => void refetch(), [topics.tickets, refetch])
  const isGreen = order?.check.isGreen === true
  // biome-ignore lint/correctness/useExhaustiveDependencies: once it is green, the step is done
  useEffect(() => {
    if (isGreen && isKnown) pass('check')
  }, [isGreen, isKnown])
  if (!order) return error && error.code !== 'not-found' ? <Problem error={error} /> : null
  return <Verdict order={order} />
}

function Verdict({ order }: { order: TestOrderAnswer }) {
  const { t } = useSpeech()
  const { lines, health, isGreen } = order.check
  const proved = lines.filter(({ state, leftOutBy }) => state === 'proved' || leftOutBy !== null).length
  const isWarned = health.some(({ leftOutBy }) => leftOutBy === null)
  return (
    <>
      <p role="status" className="verdict">
        {isGreen ? (
          <Mark tone="ok">{t.check.green}</Mark>
        ) : (
          <Mark tone="warn">
            {t.check.notGreen} {t.check.count(proved, lines.length)} {isWarned && t.check.healthWarns}
          </Mark>
        )}
      </p>
      {!order.canTypeNumbers && <p>{t.check.over}</p>}
      <CheckHealth health={health} />
      <div className="checks">
        {CHECK_KINDS.map((kind) => (
          <CheckList key={kind} kind={kind} order={order} />
        ))}
      </div>
      <details>
        <summary>{t.check.papers}</summary>
        <Papers tickets={order.tickets} />
      </details>
    </>
  )
}

/** One ticket at a time, drawn from its very bytes. */
function Papers({ tickets }: { tickets: TestOrderAnswer['tickets'] }) {
  const { t } = useSpeech()
  const [chosen, setChosen] = useState('')
  const drawn = tickets.filter(({ printerId }) => printerId !== '')
  const shown = drawn.find(({ ticketId }) => ticketId === chosen) ?? drawn[0]
  if (!shown) return null
  return (
    <>
      {drawn.length > 1 && (
        <ChoiceField
          name="item"
          label={t.testOrder.paperOf}
          value={shown.ticketId}
          set={setChosen}
          choices={drawn.map(({ ticketId, printer }, index) => [ticketId, `${index + 1}. ${printer}`] as const)}
        />
      )}
      <TicketDrawing key={shown.ticketId} ticketId={shown.ticketId} />
    </>
  )
}

// What Health says of this box within the last check: each fault and warning with the act that mends it, or left out by name.
function CheckHealth({ health }: { health: readonly CheckFinding[] }) {
  const speech = useSpeech()
  const { t } = speech
  if (health.length === 0) return null
  return (
    <Part title={t.check.health}>
      <ul className="cards">
        {health.map(({ finding, leftOutBy }) => (
          <FindingItem key={finding.id} finding={finding}>
            {leftOutBy !== null && <p className="soft">{t.check.leftOut(leftOutBy)}</p>}
            <LeaveOut line={{ kind: 'health', id: finding.id, leftOutBy }} name={findingWords(finding, speech).title} />
          </FindingItem>
        ))}
      </ul>
    </Part>
  )
}
