// Proves a kitchen by one click: an order of the box itself, followed live until each printer, station and screen is proved or left out by name.
import { Button, Group } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { TestOrderAnswer } from '#gateway/control/answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useLive, useNow } from '#gateway/web/admin/live.tsx'
import { useChange, useRead } from '#gateway/web/admin/operations.ts'
import { TicketDrawing } from '#gateway/web/admin/parts/ticket-drawing.tsx'
import { fromIso } from '#shared/clock.ts'
import { remember, remembered } from '#shared/ui/browser.ts'
import { ChoiceField } from '#shared/ui/parts/fields.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import { CHECK_KINDS } from './check-lines.ts'
import { CheckList } from './check-list.tsx'
import { useGuide } from './use-guide.ts'

const ASK_EVERY_MS = 1_000
/** Then the screens have let it go. */
const FOLLOWED_FOR_MS = 30 * 60_000
const KEY = 'ticketrail.test-order'

export function TestOrder() {
  const { t } = useSpeech()
  // A page that was loaded anew goes on with the numbers of the same paper.
  const [printJobId, setPrintJobId] = useState(() => remembered(KEY) ?? '')
  const place = useChange('orders.test', (placed) => {
    remember(KEY, placed.printJobId)
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
  const now = useNow()
  const { isKnown, pass } = useGuide()
  const [isOver, setOver] = useState(false)
  const progress = useRead('orders.progress', { printJobId }, { everyMs: isOver ? false : ASK_EVERY_MS })
  const { refetch } = progress
  // biome-ignore lint/correctness/useExhaustiveDependencies: another ticket on the live feed may be one of these
  useEffect(() => void refetch(), [topics.tickets, refetch])
  const order = progress.data
  const isGreen = order?.check.isGreen === true
  // biome-ignore lint/correctness/useExhaustiveDependencies: once it is green, the step is done
  useEffect(() => {
    if (isGreen && isKnown) pass('check')
  }, [isGreen, isKnown])
  if (!order) return progress.error && progress.error.code !== 'not-found' ? <Problem error={progress.error} /> : null
  const isOld = now - (fromIso(order.receivedAt) ?? now) > FOLLOWED_FOR_MS
  if (!isOver && (isGreen || isOld)) setOver(true)
  return isOld ? null : <Verdict order={order} />
}

function Verdict({ order }: { order: TestOrderAnswer }) {
  const { t } = useSpeech()
  const { lines, isGreen } = order.check
  const proved = lines.filter(({ state, leftOutBy }) => state === 'proved' || leftOutBy !== null).length
  return (
    <>
      <p role="status" className="verdict">
        {isGreen ? (
          <Mark tone="ok">{t.check.green}</Mark>
        ) : (
          <Mark tone="warn">
            {t.check.notGreen} {t.check.count(proved, lines.length)}
          </Mark>
        )}
      </p>
      {!order.canTypeNumbers && <p>{t.check.over}</p>}
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
