// Orders, kitchens and webhooks at this moment.
import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { KitchenAnswer } from '#cloud/control/kitchen-list.ts'
import { useLive, useNow } from '#cloud/web/live.tsx'
import { findingWords } from '#cloud/web/messages/findings.ts'
import { homeWords } from '#cloud/web/messages/home.ts'
import { kitchensWords } from '#cloud/web/messages/kitchens.ts'
import { useRead } from '#cloud/web/operations.ts'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { conditionTone, conditionWords } from '#cloud/web/parts/kitchens/kitchen-words.ts'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { Mark, type Tone } from '#shared/ui/parts/mark.tsx'
import { orderFigures, webhookFigures } from './now-figures.ts'

/** More lines than this are on their own page. */
const MOST_LINES = 5
/** The feed reports changes of boxes and printers; this request finds the rest. */
const KITCHENS_EVERY_MS = 15_000

export function OrdersNow() {
  const t = usePageWords(homeWords)
  const { topics } = useLive()
  const figures = orderFigures(topics.orders, useNow())
  const shown = ['open', 'toPrint', 'ready', 'scheduled'] as const
  return (
    <NowCard title={t.orders} to="/orders">
      <dl className="figures">
        {shown.map((one) => (
          <div key={one}>
            <dt>{t[one]}</dt>
            <dd>{figures[one]}</dd>
          </div>
        ))}
      </dl>
    </NowCard>
  )
}

/** The worst first, in the words of the page of kitchens. */
export function KitchensNow({ merchantId }: { merchantId: string }) {
  const t = usePageWords(homeWords)
  const { t: frame } = useSpeech()
  const list = useRead('kitchens.list', { merchantId }, { everyMs: KITCHENS_EVERY_MS })
  return (
    <NowCard title={frame.nav.pages.kitchens} to="/kitchens">
      <Answer of={list} rows={2}>
        {({ kitchens }) => (
          <>
            {kitchens.length === 0 && <p className="soft">{t.noKitchen}</p>}
            <ul className="plain now-rows">
              {kitchens.slice(0, MOST_LINES).map((kitchen) => (
                <Kitchen key={kitchen.gatewayId} kitchen={kitchen} />
              ))}
            </ul>
          </>
        )}
      </Answer>
    </NowCard>
  )
}

function Kitchen({ kitchen: { name, condition } }: { kitchen: KitchenAnswer }) {
  const t = usePageWords(kitchensWords)
  const findings = usePageWords(findingWords)
  const { formats } = useSpeech()
  const nowMs = useNow()
  return (
    <li>
      <bdi>{name}</bdi>
      <Mark tone={conditionTone(condition)}>{conditionWords(condition, { t, findings, formats, nowMs })}</Mark>
    </li>
  )
}

export function WebhooksNow() {
  const t = usePageWords(homeWords)
  const { topics } = useLive()
  const { taking, failing, disabled } = webhookFigures(topics.deliveries)
  return (
    <NowCard title={t.webhooks} to="/webhooks">
      {taking + failing + disabled === 0 ? (
        <p className="soft">{t.noWebhooks}</p>
      ) : (
        <ul className="plain now-rows">
          <Count count={failing} tone="bad" words={t.failing} />
          <Count count={disabled} tone="warn" words={t.disabled} />
          <Count count={taking} tone="ok" words={t.taking} />
        </ul>
      )}
    </NowCard>
  )
}

function Count({ count, tone, words }: { count: number; tone: Tone; words: string }) {
  if (count === 0) return null
  return (
    <li>
      <Mark tone={tone}>{words}</Mark>
      <span className="number">{count}</span>
    </li>
  )
}

function NowCard({
  title,
  to,
  children,
}: {
  title: string
  to: '/orders' | '/kitchens' | '/webhooks'
  children: ReactNode
}) {
  const t = usePageWords(homeWords)
  return (
    <section className="card" aria-label={title}>
      <div className="card-head">
        <h2>{title}</h2>
        <Anchor component={Link} to={to}>
          {t.all}
          <span className="hidden"> {title}</span>
        </Anchor>
      </div>
      {children}
    </section>
  )
}
