// Orders, kitchens and webhooks at this moment, from the live feed.
import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useLive, useNow } from '#cloud/web/live.tsx'
import { homeWords } from '#cloud/web/messages/home.ts'
import { usePageWords } from '#cloud/web/speech.tsx'
import { Mark, type Tone } from '#shared/ui/parts/mark.tsx'
import { type KitchenLine, kitchenLines, orderFigures, webhookFigures } from './now-figures.ts'

/** More of them stand on their own page. */
const MOST_LINES = 5

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

export function KitchensNow() {
  const t = usePageWords(homeWords)
  const { topics } = useLive()
  const lines = kitchenLines(topics)
  return (
    <NowCard title={t.kitchens} to="/kitchens">
      {lines.length === 0 && <p className="soft">{t.noKitchen}</p>}
      <ul className="plain now-rows">
        {lines.slice(0, MOST_LINES).map((line) => (
          <Kitchen key={line.gateway.gatewayId} line={line} />
        ))}
      </ul>
    </NowCard>
  )
}

const PRESENCE_TONES: Readonly<Record<KitchenLine['gateway']['presence'], Tone>> = {
  online: 'ok',
  offline: 'bad',
  unknown: 'idle',
}

function Kitchen({ line: { gateway, printers, away } }: { line: KitchenLine }) {
  const t = usePageWords(homeWords)
  return (
    <li>
      <bdi>{gateway.name}</bdi>
      <span>
        {gateway.simulated ? (
          <Mark tone="ok">{t.simulated}</Mark>
        ) : (
          <Mark tone={PRESENCE_TONES[gateway.presence]}>{t.presence[gateway.presence]}</Mark>
        )}{' '}
        {away > 0 ? (
          <Mark tone="warn">{t.printersAway(away)}</Mark>
        ) : (
          <span className="soft">{t.printers(printers)}</span>
        )}
      </span>
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
