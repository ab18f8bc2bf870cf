// The runner's display: what is ready and for how long, by table; one tap when it is picked up, and undo.
import { type ReactNode, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { remember, remembered } from '#shared/ui/browser.ts'
import { listed } from '#shared/ui/isolation.ts'
import type { BoardOrder } from '#shared/wire/kitchen.ts'
import { allergyBanners } from './board-view.ts'
import { onKey, pageMs } from './browser.ts'
import { useDrawnBoard } from './drawn-board.ts'
import { isUndrawn, OrderBoundary, Undrawn } from './fault.tsx'
import type { KitchenModel, Snapshot } from './kitchen-model.ts'
import { fill, useWords } from './messages/words.tsx'
import { refusalWords } from './refusal-words.ts'
import './runner.css'
import {
  carriedKey,
  DEAF_MS,
  hasMoreToCome,
  minutesAndSeconds,
  passLevel,
  type ReadyOrder,
  type Run,
  runsOf,
  stillShown,
  type Taken,
} from './runner-view.ts'
import { storedList } from './stored-list.ts'

const CARRIED_KEY = 'ticketrail.carried'
/** More than the orders with courses that a restaurant has open. */
const MOST_CARRIED = 200
const secondOf = (ms: number): number => Math.floor(ms / 1_000) * 1_000
const SHAPES = { fresh: '●', soon: '▲', late: '■' } as const

interface RunnerProps {
  model: KitchenModel
  snapshot: Snapshot
  /** Shown below the orders: the start of the shift. */
  children: ReactNode
}

export function Runner({ model, snapshot, children }: RunnerProps) {
  const { m } = useWords()
  const [isRecalling, setRecalling] = useState(false)
  const { taken, carried, take, back } = useTaking(model)
  useDrawnBoard(model)
  const nowMs = useSyncExternalStore(model.subscribeTick, () => secondOf(model.nowMs()))
  // Not rounded to a second: a taken order would keep its place for up to two seconds too long.
  const [shownAtMs, setShownAtMs] = useState(pageMs)
  useEffect(() => model.subscribeTick(() => setShownAtMs(pageMs())), [model])
  const runs = useMemo(
    () => runsOf(snapshot.views.open, { taken, carried, nowMs: shownAtMs }),
    [snapshot.views.open, taken, carried, shownAtMs],
  )
  useEffect(() =>
    onKey((key) => {
      if (key.toLowerCase() !== 'r') return false
      setRecalling((is) => !is)
      return true
    }),
  )
  return (
    <div className="runner">
      <Head
        model={model}
        snapshot={snapshot}
        runs={runs}
        nowMs={nowMs}
        isRecalling={isRecalling}
        toggle={() => setRecalling((is) => !is)}
      />
      {isRecalling ? (
        <PickedUp model={model} orders={snapshot.views.done} />
      ) : (
        <main aria-label={snapshot.hello?.display.name}>
          {runs.length === 0 && <p className="empty">{m.nothingReady}</p>}
          <ul className="runs">
            {runs.map((run) => (
              <RunCard key={run.key} run={run} nowMs={nowMs} snapshot={snapshot} take={take} back={back} />
            ))}
          </ul>
        </main>
      )}
      {children}
    </div>
  )
}

interface HeadProps {
  model: KitchenModel
  snapshot: Snapshot
  runs: readonly Run[]
  nowMs: number
  isRecalling: boolean
  toggle: () => void
}

function Head({ model, snapshot, runs, nowMs, isRecalling, toggle }: HeadProps) {
  const { m, number, time } = useWords()
  const { hello, link, heardAtMs, waitingTaps, refused, isOnShift } = snapshot
  const ready = runs.flatMap(({ orders }) => orders).filter(({ isTaken }) => !isTaken)
  const late = ready.filter(({ readyAtMs }) => passLevel(nowMs - readyAtMs) === 'late').length
  return (
    <header>
      <div className="head">
        <h1>
          <bdi>{hello?.display.name}</bdi>
        </h1>
        <p className="tally">
          <strong>{number(ready.length)}</strong> {m.readyToCarry}
          {late > 0 && (
            <span className="tally-late">
              ■ <strong>{number(late)}</strong> {m.late}
            </span>
          )}
        </p>
        <span className={`chip link-${link}`}>{link === 'live' ? m.connected : m.connecting}</span>
        {waitingTaps > 0 && <span className="chip chip-waiting">{m.tapsWait(number(waitingTaps))}</span>}
        {isOnShift && !model.sounds.isOn && (
          <button type="button" className="side chip-waiting" onClick={() => model.startShift()}>
            {m.soundOff}
          </button>
        )}
        <time>{time(nowMs)}</time>
        <button type="button" className="side" aria-pressed={isRecalling} onClick={toggle}>
          {m.recall}
        </button>
      </div>
      <div role="alert">
        {link === 'silent' && <p className="banner banner-red">{fill(m.runnerStale, { time: time(heardAtMs) })}</p>}
        {refused && (
          <p className="banner banner-yellow">
            <bdi>{refusalWords(refused, m)}</bdi>
          </p>
        )}
      </div>
    </header>
  )
}

interface RunCardProps {
  run: Run
  nowMs: number
  snapshot: Pick<Snapshot, 'waiting' | 'armed'>
  take: (order: BoardOrder) => void
  back: (order: BoardOrder) => void
}

function RunCard({ run: { table, orders }, nowMs, ...taps }: RunCardProps) {
  const { m } = useWords()
  const [before = '', after = ''] = m.table.split('{n}')
  const oldest = orders.find(({ isTaken }) => !isTaken)
  const level = oldest === undefined ? 'taken' : passLevel(nowMs - oldest.readyAtMs)
  return (
    <li className={`run run-${level}`}>
      <div className="run-band">
        {table === null ? (
          <h2>
            <bdi>#{orders[0]?.order.number}</bdi>
          </h2>
        ) : (
          <h2>
            {before}
            <bdi>{table}</bdi>
            {after}
          </h2>
        )}
        {oldest && <Waits ms={nowMs - oldest.readyAtMs} />}
      </div>
      {orders.map((ready) => (
        <RunOrder key={ready.order.orderId} ready={ready} isOneOfMany={orders.length > 1} nowMs={nowMs} {...taps} />
      ))}
    </li>
  )
}

interface RunOrderProps extends Omit<RunCardProps, 'run'> {
  ready: ReadyOrder
  /** Others of its table are ready too: each has its own age. */
  isOneOfMany: boolean
}

function RunOrder({ ready, isOneOfMany, nowMs, snapshot, take, back }: RunOrderProps) {
  const { m } = useWords()
  const { order, isTaken, readyAtMs } = ready
  const { number, orderId } = order
  const isArmed = snapshot.armed?.orderId === orderId
  return (
    <article className={isTaken ? 'run-order taken' : 'run-order'} data-order={orderId} aria-label={number}>
      {order.table !== null && (
        <div className="run-head">
          <h3>
            <bdi>#{number}</bdi>
          </h3>
          {!isTaken && isOneOfMany && <Waits ms={nowMs - readyAtMs} />}
        </div>
      )}
      <OrderBoundary order={order}>
        {isUndrawn(order) ? <Undrawn order={order} /> : <Carried ready={ready} />}
      </OrderBoundary>
      {isTaken ? (
        <button type="button" className="side" onClick={() => back(order)}>
          ✓ {m.pickedUp} · <strong>{m.undo}</strong>
        </button>
      ) : (
        <button type="button" className="main" disabled={snapshot.waiting.has(orderId)} onClick={() => take(order)}>
          {isArmed ? m.tapAgain : hasMoreToCome(order) ? m.carried : m.pickedUp}
        </button>
      )}
    </article>
  )
}

/** The lines to carry, the guest, and the allergies. */
function Carried({ ready: { order, lines, held } }: { ready: ReadyOrder }) {
  const { m } = useWords()
  const { orderType, customer, server, guests, isTest } = order
  const type = orderType === null ? null : (m.orderTypes[orderType] ?? orderType)
  const who = [type, customer, server].filter((part) => part !== null)
  return (
    <>
      {isTest && <p className="run-warning run-test">{m.test}</p>}
      <p className="run-who">
        {who.map((part, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: type, guest and server keep their order
          <bdi key={place}>{part}</bdi>
        ))}
        {guests !== null && <span>{fill(guests === 1 ? m.guest : m.guests, { n: String(guests) })}</span>}
      </p>
      {allergyBanners(order.allergens).map(({ words, dishes }) => (
        <p key={`${dishes.length > 0} ${words}`} className="run-warning allergy">
          ⚠ {m.allergy + m.colon}
          <bdi>{words}</bdi>
          {dishes.map(({ item }, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: dishes keep their order
            <bdi key={place} className="allergy-of">
              {item}
            </bdi>
          ))}
        </p>
      ))}
      <ul className="run-lines">
        {lines.map(({ name, qty, seat }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of an order never move
          <li key={place}>
            <span className="qty">{qty}×</span> <bdi>{name}</bdi>
            {seat !== null && <span className="seat"> {fill(m.seat, { n: String(seat) })}</span>}
          </li>
        ))}
      </ul>
      {held.length > 0 && <p className="to-come">{fill(m.moreToCome, { n: listed(held.map(String), m.comma) })}</p>}
    </>
  )
}

/** How long it has been at the pass: words, colour and shape. */
function Waits({ ms }: { ms: number }) {
  const { m } = useWords()
  const level = passLevel(ms)
  const word = { fresh: '', soon: m.soon, late: m.late }[level]
  return (
    <span className="waits">
      <span aria-hidden="true">{SHAPES[level]} </span>
      {word === '' ? '' : `${word} `}
      {minutesAndSeconds(ms)}
    </span>
  )
}

function PickedUp({ model, orders }: { model: KitchenModel; orders: readonly BoardOrder[] }) {
  const { m, time } = useWords()
  return (
    <main aria-label={m.recall}>
      {orders.length === 0 && <p className="empty">{m.nothingHere}</p>}
      <ul className="runs">
        {orders.map((order) => (
          <li key={order.orderId} className="run run-taken">
            <article className="run-order" aria-label={order.number}>
              <div className="run-head">
                <h2>
                  <bdi>#{order.number}</bdi>
                </h2>
                <span className="waits">
                  {m.pickedUp} {order.pickedUpAtMs === null ? '' : time(order.pickedUpAtMs)}
                </span>
              </div>
              <p className="run-who">
                {order.table !== null && <bdi>{fill(m.table, { n: order.table })}</bdi>}
                {order.customer !== null && <bdi>{order.customer}</bdi>}
              </p>
              <button type="button" className="side" onClick={() => model.tap('recall', order)}>
                {m.callBack}
              </button>
            </article>
          </li>
        ))}
      </ul>
    </main>
  )
}

interface Taking {
  taken: Taken
  carried: ReadonlySet<string>
  take: (order: BoardOrder) => void
  back: (order: BoardOrder) => void
}

/** Only this display stores what was carried of an order with held courses: for the gateway it is picked up when all of it is. */
function useTaking(model: KitchenModel): Taking {
  const [taken, setTaken] = useState<Taken>(new Map())
  const [carried, setCarried] = useState(carriedBefore)
  const [actedAtMs, setActedAtMs] = useState(Number.NEGATIVE_INFINITY)
  const keepCarried = (keys: readonly string[]): void => {
    remember(CARRIED_KEY, JSON.stringify(keys.slice(-MOST_CARRIED)))
    setCarried(new Set(keys))
  }
  const take = (order: BoardOrder): void => {
    const atMs = pageMs()
    if (atMs - actedAtMs < DEAF_MS) return
    if (hasMoreToCome(order)) keepCarried([...carried, carriedKey(order)])
    else model.tap('pick-up', order)
    // The first tap of two, or an accidental second tap, has taken nothing.
    if (!hasMoreToCome(order) && model.snapshot().views.open.some(({ orderId }) => orderId === order.orderId)) return
    setActedAtMs(atMs)
    setTaken(new Map([...stillShown(taken, atMs), [order.orderId, { order, atMs }]]))
  }
  const back = (order: BoardOrder): void => {
    const atMs = pageMs()
    // The undo button is at the place of the button that took it.
    if (atMs - actedAtMs < DEAF_MS) return
    setActedAtMs(atMs)
    setTaken(new Map([...taken].filter(([orderId]) => orderId !== order.orderId)))
    if (hasMoreToCome(order)) keepCarried([...carried].filter((key) => key !== carriedKey(order)))
    else model.tap('recall', order)
  }
  return { taken, carried, take, back }
}

function carriedBefore(): ReadonlySet<string> {
  return new Set(storedList(remembered(CARRIED_KEY), (key) => typeof key === 'string'))
}
