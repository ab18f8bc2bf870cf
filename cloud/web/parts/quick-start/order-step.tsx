// The line that sends an order, with the real key and menu in it; or it is sent from here.
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { quickStartWords } from '#cloud/web/messages/quick-start.ts'
import { useChange, useRead } from '#cloud/web/operations.ts'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { CodeBlock } from '#cloud/web/parts/code-block.tsx'
import { useMay, usePlace } from '#cloud/web/place.tsx'
import { randomBytes } from '#cloud/web/random.ts'
import { usePageWords } from '#cloud/web/speech.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import { firstOrder, type OrderableItem, orderAsCurl, orderAsJavaScript } from './first-order.ts'
import { Step } from './step.tsx'

const LANGUAGES = ['curl', 'javascript'] as const

interface OrderStepProps {
  merchantId: string
  apiKey: string | null
  /** Of the order that was taken here; null: none was. */
  order: string | null
  taken: (serviceOrderId: string) => void
}

export function OrderStep({ merchantId, apiKey, order, taken }: OrderStepProps) {
  const t = usePageWords(quickStartWords)
  const { merchant } = usePlace()
  const menu = useRead('menu.list', { merchantId, limit: 100 })
  return (
    <Step number={2} title={t.order.title} isDone={order !== null}>
      <p>{t.order.explain(merchant?.name ?? merchantId)}</p>
      <Answer of={menu}>
        {({ data }) => <Lines merchantId={merchantId} apiKey={apiKey} menu={data} order={order} taken={taken} />}
      </Answer>
    </Step>
  )
}

function Lines({ merchantId, apiKey, menu, order, taken }: OrderStepProps & { menu: readonly OrderableItem[] }) {
  const t = usePageWords(quickStartWords)
  const mayOrder = useMay('serve')
  const [language, setLanguage] = useState<(typeof LANGUAGES)[number]>('curl')
  const inject = useChange('orders.inject', ({ serviceOrderId }) => taken(serviceOrderId))
  const first = useMemo(() => firstOrder(merchantId, 'first-1', menu), [merchantId, menu])
  if (first === null) return <p>{t.order.noMenu}</p>
  const sent = { origin: location.origin, apiKey, order: first }
  return (
    <>
      <fieldset className="tabs" aria-label={t.order.language}>
        {LANGUAGES.map((one) => (
          <Button
            key={one}
            size="xs"
            variant={one === language ? 'filled' : 'default'}
            aria-pressed={one === language}
            onClick={() => setLanguage(one)}
          >
            {t.order.languages[one]}
          </Button>
        ))}
      </fieldset>
      <CodeBlock label={t.order.label} text={language === 'curl' ? orderAsCurl(sent) : orderAsJavaScript(sent)} />
      <div className="filters">
        {mayOrder && (
          <Button
            variant={order === null ? 'filled' : 'default'}
            loading={inject.isPending}
            onClick={() => inject.mutate({ ...first, orderId: `first-${randomBytes(6)}` })}
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
