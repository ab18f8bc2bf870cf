// What the inspector of the restaurant received last, newest first, and whether each signature is right; the newest one as it came.
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { OperationAnswers } from '#cloud/control/answers.ts'
import { quickStartWords } from '#cloud/web/messages/quick-start.ts'
import { useRead } from '#cloud/web/operations.ts'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { CodeBlock } from '#cloud/web/parts/code-block.tsx'
import { pretty } from '#cloud/web/parts/webhooks/webhook-words.ts'
import { usePageWords } from '#cloud/web/speech.tsx'
import type { ApiError } from '#shared/ui/api.ts'
import { Mark } from '#shared/ui/parts/mark.tsx'

const EVERY_MS = 2_000
/** An order has two or three events before the kitchen does anything. */
const SHOWN = 4

type Received = UseQueryResult<OperationAnswers['inspector.list'], ApiError>

export function useReceived(merchantId: string, isOpen: boolean): Received {
  return useRead('inspector.list', { merchantId, limit: SHOWN }, { enabled: isOpen, everyMs: EVERY_MS })
}

export function Webhooks({ received }: { received: Received }) {
  const { webhook: t } = usePageWords(quickStartWords)
  return (
    <Answer of={received} rows={1}>
      {({ data }) => {
        const [newest] = data
        if (newest === undefined)
          return (
            <p className="soft" role="status">
              {t.waiting}
            </p>
          )
        return (
          <>
            <ul className="plain">
              {data.map(({ deliveryId, type, steps }) => (
                <li key={deliveryId}>
                  <strong>{t.received(type)}</strong>{' '}
                  {steps.every(({ ok }) => ok) ? <Mark tone="ok">{t.signed}</Mark> : <Mark tone="bad">{t.wrong}</Mark>}
                </li>
              ))}
            </ul>
            <CodeBlock label={t.label} text={pretty(newest.body)} />
            <p>
              <Link to="/webhooks/inspector">{t.next}</Link>
            </p>
          </>
        )
      }}
    </Answer>
  )
}
