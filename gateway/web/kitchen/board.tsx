// The board: cards of open orders, drawers, undo, and the keys of a bump bar.
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import type { BoardOrder } from '#shared/wire/kitchen.ts'
import { addOnsOf, isChangeUnseen, nextStep } from './board-view.ts'
import { afterPaint, cardsInRow, onKey, showCard } from './browser.ts'
import type { KitchenModel, Snapshot } from './kitchen-model.ts'
import { fill, useWords } from './messages/words.tsx'
import { OrderCard } from './order-card.tsx'
import type { PanelName } from './panel-names.ts'
import type { ScreenSettings } from './screen-settings.ts'
import { Banners, TopBar } from './top-bar.tsx'

const drawers = () => import('./panels.tsx')
const Panel = lazy(async () => ({ default: (await drawers()).Panel }))

export function Board({ model, snapshot }: { model: KitchenModel; snapshot: Snapshot }) {
  const { m, number } = useWords()
  const { views, viewer, waiting, undo, hello, settings } = snapshot
  const cards = useMemo(() => cardsOf(views.open, settings), [views, settings])
  const addOns = useMemo(() => addOnsOf(views.open), [views])
  const [panel, setPanel] = useState<PanelName | null>(null)
  const [selected, setSelected] = useState(0)
  const toggle = (name: PanelName) => setPanel(panel === name ? null : name)

  // Fetched behind the first view, while there is a connection: the drawers open without one.
  useEffect(() => void drawers().catch(() => undefined), [])

  // A ticket counts as shown when its card was painted, not when its data came.
  useEffect(() => {
    const ids = cards.map(({ orderId }) => orderId)
    afterPaint(() => model.rendered(ids))
  }, [model, cards])

  const choose = (index: number): void => {
    const place = Math.max(0, Math.min(index, cards.length - 1))
    setSelected(place)
    const order = cards[place]
    if (order) showCard(order.orderId)
  }
  useEffect(() => onKey((key) => pressed(key, { model, snapshot, cards, selected, choose, toggle })))

  return (
    <div className={panel === null ? 'page' : 'page with-panel'}>
      <TopBar model={model} snapshot={snapshot} panel={panel} onPanel={toggle} />
      <Banners snapshot={snapshot} />
      <main aria-label={hello?.display.name}>
        {views.open.length === 0 && <p className="empty">{m.nothingOpen}</p>}
        <ol className="board">
          {cards.map((order, index) => (
            <OrderCard
              key={order.orderId}
              model={model}
              viewer={viewer}
              order={order}
              isWaiting={waiting.has(order.orderId)}
              isSelected={index === selected}
              digit={index < 10 ? index + 1 : 0}
              addOns={addOns.get(order.number) ?? ''}
            />
          ))}
        </ol>
        {cards.length < views.open.length && (
          <p className="more">{fill(m.more, { n: number(views.open.length - cards.length) })}</p>
        )}
      </main>
      <Suspense fallback={null}>
        {panel !== null && <Panel model={model} snapshot={snapshot} name={panel} onClose={() => setPanel(null)} />}
      </Suspense>
      {undo && (
        <div className="undo" role="status">
          <span>{fill(undo.kind === 'ready' ? m.undoReady : m.undoPickedUp, { number: undo.order.number })}</span>
          <button type="button" className="main" onClick={() => model.undo()}>
            {m.undo}
          </button>
        </div>
      )}
    </div>
  )
}

/** Cards that a slow tablet draws; the others follow as these go. */
const FEW_CARDS = 12

function cardsOf(open: readonly BoardOrder[], { isSlow, first }: ScreenSettings): readonly BoardOrder[] {
  const shown = isSlow ? open.slice(0, FEW_CARDS) : open
  return first === 'oldest' ? shown : [...shown].reverse()
}

interface KeyContext {
  model: KitchenModel
  snapshot: Snapshot
  cards: readonly BoardOrder[]
  selected: number
  choose: (index: number) => void
  toggle: (name: PanelName) => void
}

/** Digits and arrows choose a card, Enter bumps it, S starts it, F fires its next course, R undoes or opens the recall list, A counts. @returns whether it was one of them */
function pressed(key: string, context: KeyContext): boolean {
  const { model, snapshot, cards, selected, choose, toggle } = context
  const order = cards[Math.min(selected, cards.length - 1)]
  const place = chosenBy(key, selected)
  if (place !== null) choose(place)
  else if (key === 'Enter' && order) bump(order, context)
  else if (key.toLowerCase() === 's' && order)
    model.tap('start', order, nextStep(order, snapshot.viewer)?.stations ?? null)
  else if (key.toLowerCase() === 'f' && order) model.fireNext(order)
  else if (key.toLowerCase() === 'r') {
    if (snapshot.undo) model.undo()
    else toggle('recall')
  } else if (key.toLowerCase() === 'a') toggle('allDay')
  else return false
  return true
}

/** The card that a key chooses; null: it chooses none. */
function chosenBy(key: string, selected: number): number | null {
  if (/^\d$/.test(key)) return key === '0' ? 9 : Number(key) - 1
  switch (key) {
    case 'ArrowRight':
      return selected + 1
    case 'ArrowLeft':
      return selected - 1
    case 'ArrowDown':
      return selected + cardsInRow()
    case 'ArrowUp':
      return selected - cardsInRow()
    default:
      return null
  }
}

function bump(order: BoardOrder, { model, snapshot: { viewer } }: KeyContext): void {
  if (order.voidedAtMs !== null) model.tap('void-seen', order)
  else if (isChangeUnseen(order, viewer)) model.tap('change-seen', order)
  else {
    const step = nextStep(order, viewer)
    if (step !== null) model.tap(step.kind, order, step.stations)
  }
}
