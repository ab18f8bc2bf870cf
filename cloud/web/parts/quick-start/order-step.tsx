// The line that sends an order, with the real key and menu in it; or it is sent from here.
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { quickStartWords } from '#cloud/web/messages/quick-start.ts'
import { useChange, useRead } from '#cloud/web/operations.ts'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { CodeBlock } from '#cloud/web/parts/code-block.tsx'
import { PressChoice } from '#cloud/web/parts/press-choice.tsx'
import { useMay, usePlace } from '#cloud/web/place.tsx'
import { randomBytes } from '#cloud/web/random.ts'
import { usePageWords } from '#cloud/web/speech.tsx'
import { type ApiError, postTo } from '#shared/ui/api.ts'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import { type FirstOrder, firstOrder, type OrderableItem, orderAsCurl, orderAsJavaScript } from './first-order.ts'
import { Step } from './step.tsx'
import type { Inspector } from './use-inspector.ts'

const LANGUAGES = ['curl', 'javascript'] as const

interface OrderStepProps {
  merchantId: string
  apiKey: string | null
  /** Of the order that was taken here; null: none was. */
  order: string | null
  taken: (serviceOrderId: string) => void
  inspector: Inspector
}

export function OrderStep(props: OrderStepProps) {
  const { merchantId, order, inspector } = props
  const t = usePageWords(quickStartWords)
  const { merchant } = usePlace()
  const menu = useRead('menu.list', { merchantId, limit: 100 })
  return (
    <Step number={2} title={t.order.title} isDone={order !== null}>
      <p>{t.order.explain(merchant?.name ?? merchantId)}</p>
      <Listening inspector={inspector} />
      <Answer of={menu}>{({ data }) => <Lines {...props} menu={data} />}</Answer>
    </Step>
  )
}

/** Whether an inspector receives the order's webhooks; a button to open one while none does. */
function Listening({ inspector: { isOpen, mayOpen, open, isOpening, error } }: Pick<OrderStepProps, 'inspector'>) {
  const { webhook: t } = usePageWords(quickStartWords)
  return (
    <div className="listening">
      <span role="status">
        {isOpen !== null && <Mark tone={isOpen ? 'ok' : 'warn'}>{isOpen ? t.listens : t.deaf}</Mark>}
      </span>
      {isOpen === false && mayOpen && (
        <Button size="xs" variant="default" loading={isOpening} onClick={() => open()}>
          {t.open}
        </Button>
      )}
      <Problem error={error} />
    </div>
  )
}

function Lines({
  merchantId,
  apiKey,
  menu,
  order,
  taken,
  inspector,
}: OrderStepProps & { menu: readonly OrderableItem[] }) {
  const t = usePageWords(quickStartWords)
  const mayOrder = useMay('serve')
  const [language, setLanguage] = useState<(typeof LANGUAGES)[number]>('curl')
  const inject = useInject(apiKey, taken)
  const first = useMemo(() => firstOrder(merchantId, 'first-1', menu), [merchantId, menu])
  if (first === null) return <p>{t.order.noMenu}</p>
  const sent = { origin: location.origin, apiKey, order: first }
  return (
    <>
      <PressChoice
        className="tabs"
        size="xs"
        label={t.order.language}
        value={language}
        set={setLanguage}
        choices={LANGUAGES}
        wordsOf={t.order.languages}
      />
      <CodeBlock label={t.order.label} text={language === 'curl' ? orderAsCurl(sent) : orderAsJavaScript(sent)} />
      <div className="filters">
        {mayOrder && (
          <Button
            variant={order === null ? 'filled' : 'default'}
            loading={inject.isPending || inspector.isOpening}
            onClick={() => inspector.open(() => inject.send({ ...first, orderId: `first-${randomBytes(6)}` }))}
          >
            {order === null ? t.order.run : t.order.again}
          </Button>
        )}
        {order !== null && (
          <span role="status">
            <Mark tone="ok">{t.order.taken}</Mark>{' '}
            <Link to="/orders/$id" params={{ id: order }}>
              {t.order.see}
            </Link>
          </span>
        )}
      </div>
      <Problem error={inject.error} />
    </>
  )
}

/** With the key, as the curl command does: the call is listed under Requests and counts. Without a key on this page, as the signed-in person. */
function useInject(apiKey: string | null, taken: (serviceOrderId: string) => void) {
  const asPerson = useChange('orders.inject', ({ serviceOrderId }) => taken(serviceOrderId))
  const withKey = useMutation<{ serviceOrderId: string }, ApiError, FirstOrder>({
    mutationFn: async (order) => {
      const answer = await postTo('/v1/order/inject', order, { authorization: `Bearer ${apiKey}` })
      return answer as { serviceOrderId: string }
    },
    onSuccess: ({ serviceOrderId }) => taken(serviceOrderId),
  })
  const { isPending, error } = apiKey === null ? asPerson : withKey
  const send = (order: FirstOrder) => (apiKey === null ? asPerson.mutate(order) : withKey.mutate(order))
  return { send, isPending, error }
}
