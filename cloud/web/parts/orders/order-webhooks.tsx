// The deliveries of an order's events: the state of each, and a button to resend one.
import { Button } from '@mantine/core'
import type { TraceAnswer } from '#cloud/control/order-list.ts'
import { ordersWords } from '#cloud/web/messages/orders.ts'
import { useChange } from '#cloud/web/operations.ts'
import { useMay } from '#cloud/web/place.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { Mark, type Tone } from '#shared/ui/parts/mark.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'

const DELIVERY_TONES: Readonly<Record<string, Tone>> = {
  pending: 'idle',
  retrying: 'warn',
  delivered: 'ok',
  failed: 'bad',
}

export function OrderWebhooks({ merchantId, trace }: { merchantId: string; trace: TraceAnswer }) {
  const t = usePageWords(ordersWords)
  const { formats } = useSpeech()
  const mayBuild = useMay('build')
  const { deliveries } = trace
  if (deliveries.length === 0) return <p className="soft">{t.order.noWebhooks}</p>
  const taken = deliveries.filter(({ state }) => state === 'delivered').length
  return (
    <>
      <p>{t.order.webhooksTaken(taken, deliveries.length)}</p>
      <ul className="delivery-rows">
        {deliveries.map((delivery) => (
          <li key={delivery.deliveryId}>
            <span>
              <strong>{delivery.type}</strong>{' '}
              <bdi className="soft">
                {[delivery.site ?? t.inspector, t.order.tries(delivery.attempts)].filter(Boolean).join(' · ')}
              </bdi>
              {delivery.nextAttemptAt !== null && (
                <span className="soft"> {t.order.next(formats.time(delivery.nextAttemptAt))}</span>
              )}
            </span>
            <Mark tone={DELIVERY_TONES[delivery.state] ?? 'idle'}>
              {t.order.deliveryStates[delivery.state]}
              {delivery.lastStatus === null ? '' : ` ${delivery.lastStatus}`}
            </Mark>
            {mayBuild && <Resend merchantId={merchantId} deliveryId={delivery.deliveryId} type={delivery.type} />}
          </li>
        ))}
      </ul>
    </>
  )
}

function Resend({
  merchantId,
  deliveryId,
  type,
}: {
  merchantId: string
  deliveryId: TraceAnswer['deliveries'][number]['deliveryId']
  type: string
}) {
  const { order } = usePageWords(ordersWords)
  const say = useNotice()
  const change = useChange('deliveries.resend', () => say(order.resent))
  return (
    <>
      <Button
        variant="default"
        size="compact-md"
        loading={change.isPending}
        onClick={() => change.mutate({ merchantId, deliveryId })}
      >
        {order.resend}
        <span className="hidden"> {type}</span>
      </Button>
      <Problem error={change.error} />
    </>
  )
}
