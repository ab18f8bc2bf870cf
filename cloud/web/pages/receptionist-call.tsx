// One call: what happened, what was said, and its order.
import { Link, useParams } from '@tanstack/react-router'
import type { CallDetail } from '#cloud/control/call-list.ts'
import { callsWords } from '#cloud/web/messages/receptionist-calls.ts'
import { useRead } from '#cloud/web/operations.ts'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { OfRestaurant } from '#cloud/web/parts/of-restaurant.tsx'
import { OrderLink } from '#cloud/web/parts/orders/order-link.tsx'
import { toneOfOutcome } from '#cloud/web/receptionist/call-history.tsx'
import { shownNumber } from '#cloud/web/receptionist/caller-number.tsx'
import { Talk } from '#cloud/web/receptionist/talk.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { Page, Part } from '#shared/ui/parts/page.tsx'
import '#cloud/web/receptionist/receptionist.css'

/** While it goes on. */
const ASK_EVERY_MS = 2_000

export function ReceptionistCall() {
  const { id } = useParams({ strict: false }) as { id: string }
  return <OfRestaurant>{(merchantId) => <Call key={id} merchantId={merchantId} callId={id} />}</OfRestaurant>
}

function Call({ merchantId, callId }: { merchantId: string; callId: string }) {
  const t = usePageWords(callsWords)
  const first = useRead('calls.get', { merchantId, callId: callId as never }, { everyMs: ASK_EVERY_MS })
  const from = first.data?.from ?? null
  return (
    <Page
      title={t.call(from === null ? t.withheld : shownNumber(from))}
      actions={
        <Link to="/receptionist" className="soft">
          {t.back}
        </Link>
      }
    >
      <Answer of={first}>{(call) => <Detail call={call} />}</Answer>
    </Page>
  )
}

function Detail({ call }: { call: CallDetail }) {
  const t = usePageWords(callsWords)
  const { formats } = useSpeech()
  const { outcome, serviceOrderId, turns, notOrdered, textDeletedAt } = call
  const steps = [
    { at: call.startedAt, words: t.began },
    { at: call.answeredAt, words: t.answered },
    {
      at: call.transferredTo === null ? null : call.answeredAt,
      words: t.passed(shownNumber(call.transferredTo ?? '')),
    },
    { at: call.endedAt, words: t.ended },
  ]
  return (
    <>
      <p>
        <Mark tone={toneOfOutcome(outcome)}>{outcome === null ? t.goesOn : t.outcomes[outcome]}</Mark>{' '}
        {serviceOrderId !== null && <OrderLink serviceOrderId={serviceOrderId} number={t.toOrder} isPlain />}
      </p>
      <Part title={t.timeline}>
        <ol className="plain card">
          {steps.flatMap(({ at, words }) =>
            at === null
              ? []
              : [
                  <li key={words}>
                    <time dateTime={at}>{formats.time(at)}</time> {words}
                  </li>,
                ],
          )}
        </ol>
      </Part>
      {notOrdered.length > 0 && (
        <Part title={t.notOrdered}>
          <ul className="plain card">
            {notOrdered.map((line, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the same line may be there twice
              <li key={at}>
                <bdi>{line}</bdi>
              </li>
            ))}
          </ul>
        </Part>
      )}
      <Part title={t.conversation}>
        {turns === null && <p className="soft">{t.hiddenWords}</p>}
        {textDeletedAt !== null && <p className="soft">{t.deleted(formats.dateTime(textDeletedAt))}</p>}
        {turns?.length === 0 && textDeletedAt === null && <p className="soft">{t.noWords}</p>}
        {turns !== null && turns.length > 0 && <Talk turns={turns} />}
      </Part>
    </>
  )
}
