// Tries everything by one click: an order of the box itself, followed live to every printer and screen, and its tickets as they stand on paper.
import { Button, Group, NativeSelect } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { TestOrderAnswer } from '#gateway/control/answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useLive, useNow } from '#gateway/web/admin/live.tsx'
import { useChange, useRead } from '#gateway/web/admin/operations.ts'
import { TicketDrawing } from '#gateway/web/admin/parts/ticket-drawing.tsx'
import { fromIso } from '#shared/clock.ts'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import { testOrderVerdict } from './test-order-lines.ts'

const ASK_EVERY_MS = 1_000
/** Then the screens have let it go. */
const FOLLOWED_FOR_MS = 30 * 60_000

export function TestOrder() {
  const { t } = useSpeech()
  const [printJobId, setPrintJobId] = useState<string | null>(null)
  const place = useChange('orders.test', (placed) => setPrintJobId(placed.printJobId))
  return (
    <div className="stack">
      <p>{t.testOrder.explain}</p>
      <Group>
        <Button
          variant={printJobId === null ? 'filled' : 'default'}
          loading={place.isPending}
          onClick={() => place.mutate({})}
        >
          {printJobId === null ? t.testOrder.send : t.testOrder.again}
        </Button>
      </Group>
      <Problem error={place.error} />
      {printJobId !== null && <Followed key={printJobId} printJobId={printJobId} />}
    </div>
  )
}

function Followed({ printJobId }: { printJobId: string }) {
  const { t, formats } = useSpeech()
  const { topics } = useLive()
  const now = useNow()
  const [isOver, setOver] = useState(false)
  const progress = useRead('orders.progress', { printJobId }, { everyMs: isOver ? false : ASK_EVERY_MS })
  const { refetch } = progress
  // biome-ignore lint/correctness/useExhaustiveDependencies: another ticket on the live feed may be one of these
  useEffect(() => void refetch(), [topics.tickets, refetch])
  const order = progress.data
  if (!order) return <Problem error={progress.error} />
  const { lines, isGreen } = testOrderVerdict(order, topics.printers, t, formats.duration)
  if (!isOver && (isGreen || now - (fromIso(order.receivedAt) ?? now) > FOLLOWED_FOR_MS)) setOver(true)
  return (
    <>
      <p role="status">
        {isGreen ? (
          <Mark tone="ok">{t.testOrder.green}</Mark>
        ) : (
          <>
            {t.testOrder.sent(order.number)} {t.testOrder.notYet}
          </>
        )}
      </p>
      <dl className="facts">
        {lines.map(({ key, name, tone, words, hint }) => (
          <div key={key}>
            <dt>{name}</dt>
            <dd>
              <Mark tone={tone}>{words}</Mark>
              {hint !== '' && <p className="soft">{hint}</p>}
            </dd>
          </div>
        ))}
      </dl>
      <Papers tickets={order.tickets} />
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
        <NativeSelect
          label={t.testOrder.paperOf}
          value={shown.ticketId}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
          data={drawn.map(({ ticketId, printer }, index) => ({ value: ticketId, label: `${index + 1}. ${printer}` }))}
        />
      )}
      <TicketDrawing key={shown.ticketId} ticketId={shown.ticketId} />
    </>
  )
}
