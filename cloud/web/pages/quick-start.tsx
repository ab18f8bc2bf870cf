// From nothing to a ticket and a webhook, in four steps on one page: a key, an order, its paper, what a server hears of it.
import { Anchor, Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { quickStartWords } from '#cloud/web/messages/quick-start.ts'
import { useChange } from '#cloud/web/operations.ts'
import { CodeBlock } from '#cloud/web/parts/code-block.tsx'
import { Empty } from '#cloud/web/parts/empty.tsx'
import { OrderStep } from '#cloud/web/parts/quick-start/order-step.tsx'
import { PaperStep } from '#cloud/web/parts/quick-start/paper-step.tsx'
import { Step } from '#cloud/web/parts/quick-start/step.tsx'
import { WebhookStep } from '#cloud/web/parts/quick-start/webhook-step.tsx'
import { useMay, usePlace } from '#cloud/web/place.tsx'
import { shownKey } from '#cloud/web/shown-key.ts'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { Page } from '#shared/ui/parts/page.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import '#cloud/web/parts/quick-start/quick-start.css'

export function QuickStart() {
  const t = usePageWords(quickStartWords)
  const { t: frame } = useSpeech()
  const { environment, go } = usePlace()
  return (
    <Page title={frame.nav.pages.quickStart}>
      {environment === 'sandbox' ? (
        <Steps />
      ) : (
        <Empty words={t.onlySandbox}>
          <Button onClick={() => go({ environment: 'sandbox' })}>{t.goSandbox}</Button>
        </Empty>
      )}
    </Page>
  )
}

function Steps() {
  const t = usePageWords(quickStartWords)
  const { t: frame } = useSpeech()
  const { account, merchantId } = usePlace()
  const [apiKey, setApiKey] = useState(() => shownKey.of(account?.accountId))
  const [order, setOrder] = useState<string | null>(null)
  if (merchantId === null) return <Empty words={frame.states.noRestaurant} />
  return (
    <>
      <p>{t.intro}</p>
      <ol className="first-steps">
        <KeyStep
          apiKey={apiKey}
          made={(key) => {
            if (account !== null) shownKey.set({ accountId: account.accountId, apiKey: key })
            setApiKey(key)
          }}
        />
        <OrderStep merchantId={merchantId} apiKey={apiKey} taken={setOrder} order={order} />
        <PaperStep merchantId={merchantId} order={order} />
        <WebhookStep merchantId={merchantId} />
      </ol>
      <section className="card">
        <h2>{t.done}</h2>
        <p className="next-links">
          <Anchor component={Link} to="/keys">
            {t.keys}
          </Anchor>
          <Anchor href="/docs">{t.docs}</Anchor>
        </p>
      </section>
    </>
  )
}

function KeyStep({ apiKey, made }: { apiKey: string | null; made: (apiKey: string) => void }) {
  const t = usePageWords(quickStartWords)
  const mayMake = useMay('build')
  const create = useChange('keys.create', ({ apiKey: key }) => made(key))
  return (
    <Step number={1} title={t.key.title} isDone={apiKey !== null}>
      <p>{apiKey === null ? t.key.explain : t.key.made}</p>
      {apiKey === null && mayMake && (
        <Button loading={create.isPending} onClick={() => create.mutate({ environment: 'sandbox' })}>
          {t.key.make}
        </Button>
      )}
      <Problem error={create.error} />
      {apiKey !== null && <CodeBlock label={t.key.label} text={apiKey} />}
    </Step>
  )
}
