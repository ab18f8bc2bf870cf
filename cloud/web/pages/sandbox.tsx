// The sandbox: its restaurants explained, the paper of the simulated kitchen, advance orders and their time, and putting a restaurant back.
import { Button, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import type { OperationAnswers } from '#cloud/control/answers.ts'
import type { SandboxMerchantAnswer } from '#cloud/control/sandbox-list.ts'
import { ordersWords } from '#cloud/web/messages/orders.ts'
import { sandboxWords } from '#cloud/web/messages/sandbox.ts'
import type { SandboxWords } from '#cloud/web/messages/sandbox-en.ts'
import { useChange, useRead } from '#cloud/web/operations.ts'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { Empty } from '#cloud/web/parts/empty.tsx'
import { OrderActs } from '#cloud/web/parts/orders/order-acts.tsx'
import { OrderLink } from '#cloud/web/parts/orders/order-link.tsx'
import { lookup, STATE_TONES } from '#cloud/web/parts/orders/order-words.ts'
import { useMay, usePlace } from '#cloud/web/place.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { AskButton } from '#shared/ui/parts/ask-button.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Page, Part } from '#shared/ui/parts/page.tsx'
import { PaperDrawing } from '#shared/ui/parts/paper-drawing.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import './orders.css'

const FIRST = 'M-TEST-001'
const SPANS = { quarter: 15, hour: 60, day: 1_440, week: 10_080 } as const
type Span = keyof typeof SPANS
/** Sandbox tickets print by themselves: the feed reports them only through their order. */
const PAPER_EVERY_MS = 5_000

export function SandboxPage() {
  const t = usePageWords(sandboxWords)
  const { t: frame } = useSpeech()
  const { environment, merchantId, go } = usePlace()
  if (environment !== 'sandbox')
    return (
      <Page title={frame.nav.pages.sandbox}>
        <Empty words={t.onlySandbox}>
          <Button onClick={() => go({ environment: 'sandbox' })}>{t.goSandbox}</Button>
        </Empty>
      </Page>
    )
  const chosen = merchantId?.startsWith('M-TEST-') ? merchantId : FIRST
  return (
    <Page title={frame.nav.pages.sandbox}>
      <p>{t.intro}</p>
      <Merchants chosen={chosen} choose={(merchant) => go({ merchant })} />
      <div className="order-page" key={chosen}>
        <div className="order-main">
          <Paper merchantId={chosen} />
        </div>
        <div className="order-side">
          <Steps merchantId={chosen} />
          <Clock merchantId={chosen} />
          <Reset merchantId={chosen} />
        </div>
      </div>
    </Page>
  )
}

function Merchants({ chosen, choose }: { chosen: string; choose: (merchantId: string) => void }) {
  const t = usePageWords(sandboxWords)
  const merchants = useRead('sandbox.merchants', {})
  return (
    <Part title={t.merchants}>
      <p className="soft">{t.merchantsHint}</p>
      <Answer of={merchants}>
        {(all) => (
          <ul className="merchant-cards">
            {all.map((merchant) => (
              <li key={merchant.merchantId} className="card">
                <h3>
                  <code className="id">{merchant.merchantId}</code>
                </h3>
                <p>{lookup(t.about, merchant.merchantId)}</p>
                {merchant.fault !== null && <Mark tone="warn">{t.faults[merchant.fault]}</Mark>}
                <Kitchens merchant={merchant} t={t} />
                <Button
                  variant={merchant.merchantId === chosen ? 'filled' : 'default'}
                  aria-pressed={merchant.merchantId === chosen}
                  onClick={() => choose(merchant.merchantId)}
                >
                  {merchant.merchantId === chosen ? t.used : t.use}
                  <span className="hidden"> {merchant.merchantId}</span>
                </Button>
              </li>
            ))}
          </ul>
        )}
      </Answer>
    </Part>
  )
}

function Kitchens({
  merchant: { name, locations, channels },
  t,
}: {
  merchant: SandboxMerchantAnswer
  t: SandboxWords
}) {
  return (
    <ul className="plain soft">
      <li>
        <bdi>{name}</bdi>
        {channels > 0 && ` · ${t.channels(channels)}`}
      </li>
      {locations.map(({ locationId, name: place, kitchen, printers }) => (
        <li key={locationId}>
          <bdi>{place}</bdi>: {kitchen === 'simulated' ? t.simulated : t.gateway}, {t.printers(printers.length)}
        </li>
      ))}
    </ul>
  )
}

function Paper({ merchantId }: { merchantId: string }) {
  const t = usePageWords(sandboxWords)
  const [cursors, setCursors] = useState<readonly string[]>([])
  // The same question as that of the cards: it is answered once.
  const merchants = useRead('sandbox.merchants', {})
  const here = merchants.data?.find((merchant) => merchant.merchantId === merchantId)
  const isAtBox = here?.locations.every(({ kitchen }) => kitchen === 'gateway') ?? false
  return (
    <Part title={t.paper}>
      <p className="soft">{t.paperHint}</p>
      {isAtBox && <p role="status">{t.paperAtBox}</p>}
      {[null, ...cursors].map((cursor, page, all) => (
        <PaperPage
          key={cursor ?? ''}
          merchantId={merchantId}
          cursor={cursor}
          more={page === all.length - 1 ? (next) => setCursors([...cursors, next]) : null}
        />
      ))}
    </Part>
  )
}

function PaperPage({
  merchantId,
  cursor,
  more,
}: {
  merchantId: string
  cursor: string | null
  more: ((next: string) => void) | null
}) {
  const t = usePageWords(sandboxWords)
  const orders = usePageWords(ordersWords)
  const { formats } = useSpeech()
  const body = { merchantId, ...(cursor !== null && { cursor }) }
  const paper = useRead('sandbox.paper', body, { everyMs: cursor === null ? PAPER_EVERY_MS : false, keep: true })
  return (
    <Answer of={paper} rows={3}>
      {({ tickets, nextCursor }) => (
        <>
          {tickets.length === 0 && <Empty words={t.noPaper} />}
          <ul className="paper-wall">
            {tickets.map((ticket) => (
              <li key={ticket.ticketId}>
                <p className="soft">
                  {orders.order.ticketOf(lookup(orders.jobs, ticket.kind), ticket.printerName)} ·{' '}
                  {ticket.printedAt === null ? '' : formats.time(ticket.printedAt)}{' '}
                  {ticket.serviceOrderId !== null && (
                    <OrderLink serviceOrderId={ticket.serviceOrderId} number={t.ofOrder} isPlain />
                  )}
                </p>
                <PaperDrawing drawing={ticket} warnings={ticket.warnings} words={orders.drawing} />
              </li>
            ))}
          </ul>
          {more !== null && nextCursor !== null && (
            <p>
              <Button variant="default" onClick={() => more(nextCursor)}>
                {t.more}
              </Button>
            </p>
          )}
        </>
      )}
    </Answer>
  )
}

function Steps({ merchantId }: { merchantId: string }) {
  const t = usePageWords(sandboxWords)
  const orders = usePageWords(ordersWords)
  const open = useRead('orders.list', { merchantId, state: 'open' })
  return (
    <Part title={t.advance}>
      <p className="soft">{t.advanceHint}</p>
      <Answer of={open} rows={2}>
        {({ rows, currency }) =>
          rows.length === 0 ? (
            <p className="soft">{t.noOpen}</p>
          ) : (
            <ul className="delivery-rows">
              {rows.slice(0, 6).map((order) => (
                <li key={order.serviceOrderId}>
                  <span>
                    <OrderLink
                      serviceOrderId={order.serviceOrderId}
                      number={orders.order.title(order.number)}
                      isPlain
                    />
                  </span>
                  <Mark tone={STATE_TONES[order.status]}>{orders.states[order.status]}</Mark>
                  <OrderActs merchantId={merchantId} order={order} currency={currency} isShort />
                </li>
              ))}
            </ul>
          )
        }
      </Answer>
    </Part>
  )
}

function Clock({ merchantId }: { merchantId: string }) {
  const t = usePageWords(sandboxWords)
  const mayMove = useMay('kitchen')
  const [span, setSpan] = useState<Span>('hour')
  const change = useChange('sandbox.clock')
  const words = (answer: OperationAnswers['sandbox.clock']) =>
    [t.moved(answer.moved, answer.firing), ...(answer.held > 0 ? [t.heldByBox(answer.held)] : [])].join(' ')
  return (
    <Part title={t.clock}>
      <p className="soft">{t.clockHint}</p>
      {mayMove && (
        <div className="filters">
          <NativeSelect
            label={t.forward}
            value={span}
            onChange={({ currentTarget }) => setSpan(currentTarget.value as Span)}
            data={Object.keys(SPANS).map((one) => ({ value: one, label: t.spans[one as Span] }))}
          />
          <Button
            variant="default"
            loading={change.isPending}
            onClick={() => change.mutate({ merchantId, minutes: SPANS[span] })}
          >
            {t.go}
          </Button>
        </div>
      )}
      <p role="status">{change.data && words(change.data)}</p>
      <Problem error={change.error} />
    </Part>
  )
}

function Reset({ merchantId }: { merchantId: string }) {
  const t = usePageWords(sandboxWords)
  const say = useNotice()
  const mayReset = useMay('kitchen')
  const change = useChange('sandbox.reset', ({ items, tickets }) => say(t.resetDone(items, tickets)))
  if (!mayReset) return null
  return (
    <Part title={t.reset}>
      <p className="soft">{t.resetHint}</p>
      <p>
        <AskButton
          label={t.resetGo}
          question={t.resetHint}
          loading={change.isPending}
          act={() => change.mutate({ merchantId })}
        />
      </p>
      <Problem error={change.error} />
    </Part>
  )
}
