// The board: cards of open orders, drawers, undo, and the keys of a bump bar.
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import type { BoardOrder } from '#shared/wire/kitchen.ts'
import { addOnsOf } from './board-view.ts'
import { afterPaint, onKey, showCard } from './browser.ts'
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
  const { views, viewer, waiting, undo, hello, settings, selected } = snapshot
  const cards = useMemo(() => cardsOf(views.open, settings), [views, settings])
  const addOns = useMemo(() => addOnsOf(views.open), [views])
  const [panel, setPanel] = useState<PanelName | null>(null)
  const toggle = (name: PanelName) => setPanel(panel === name ? null : name)

  // Fetched behind the first view, while there is a connection: the drawers open without one.
  useEffect(() => void drawers().catch(() => undefined), [])

  // A ticket counts as shown when its card was painted, not when its data came.
  useEffect(() => {
    const ids = cards.map(({ orderId }) => orderId)
    afterPaint(() => model.rendered(ids))
  }, [model, cards])

  useEffect(() => {
    model.drawn([cards.map(({ orderId }) => orderId)])
  }, [model, cards])
  useEffect(() => {
    if (selected !== null) showCard(selected)
  }, [selected])
  useEffect(() => model.onPanel((name) => setPanel((open) => (open === name ? null : name))), [model])
  useEffect(() => onKey((key) => model.press(key)), [model])

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
              isSelected={order.orderId === selected}
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
          <span>{fill(m.undoKinds[undo.kind], { number: undo.number })}</span>
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
