// From nothing to a ticket and a webhook, in three steps from top to bottom: a key, an order, what comes of it. The inspector listens before the order leaves.
import { Anchor, Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { quickStartWords } from '#cloud/web/messages/quick-start.ts'
import { useChange } from '#cloud/web/operations.ts'
import { CodeBlock } from '#cloud/web/parts/code-block.tsx'
import { Empty } from '#cloud/web/parts/empty.tsx'
import { OfRestaurant } from '#cloud/web/parts/of-restaurant.tsx'
import { OrderStep } from '#cloud/web/parts/quick-start/order-step.tsx'
import { OutcomeStep } from '#cloud/web/parts/quick-start/outcome-step.tsx'
import { Step } from '#cloud/web/parts/quick-start/step.tsx'
import { useInspector } from '#cloud/web/parts/quick-start/use-inspector.ts'
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
        <OfRestaurant>{(merchantId) => <Steps key={merchantId} merchantId={merchantId} />}</OfRestaurant>
      ) : (
        <Empty words={t.onlySandbox}>
          <Button onClick={() => go({ environment: 'sandbox' })}>{t.goSandbox}</Button>
        </Empty>
      )}
    </Page>
  )
}

function Steps({ merchantId }: { merchantId: string }) {
  const t = usePageWords(quickStartWords)
  const { account } = usePlace()
  const [apiKey, setApiKey] = useState(() => shownKey.of(account?.accountId))
  const [order, setOrder] = useState<string | null>(null)
  const inspector = useInspector(merchantId)
  return (
    <>
      <p>{t.intro}</p>
      <ol className="first-steps">
        <KeyStep
          apiKey={apiKey}
          made={(key) => {
            if (account !== null) shownKey.set({ accountId: account.accountId, apiKey: key })
            setApiKey(key)
            inspector.open()
          }}
        />
        <OrderStep {...{ merchantId, apiKey, order, inspector }} taken={setOrder} />
        <OutcomeStep {...{ merchantId, order, inspector }} />
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
