// The board: cards of open orders, drawers, undo, and the keys of a bump bar.
import { lazy, Suspense, useEffect, useState } from 'react'
import { afterPaint, onKey } from './browser.ts'
import type { KitchenModel, Snapshot } from './kitchen-model.ts'
import { fill, useWords } from './messages/words.tsx'
import { nextStep, OrderCard } from './order-card.tsx'
import type { PanelName } from './panel-names.ts'
import { Banners, TopBar } from './top-bar.tsx'

const drawers = () => import('./panels.tsx')
const Panel = lazy(async () => ({ default: (await drawers()).Panel }))

export function Board({ model, snapshot }: { model: KitchenModel; snapshot: Snapshot }) {
  const { m } = useWords()
  const { views, viewer, waiting, undo, hello } = snapshot
  const [panel, setPanel] = useState<PanelName | null>(null)
  const [selected, setSelected] = useState(0)
  const toggle = (name: PanelName) => setPanel(panel === name ? null : name)

  // Fetched behind the first view, while there is a connection: the drawers open without one.
  useEffect(() => void drawers().catch(() => undefined), [])

  // A ticket counts as shown when its card was painted, not when its data came.
  useEffect(() => {
    const ids = views.open.map(({ orderId }) => orderId)
    afterPaint(() => model.rendered(ids))
  }, [model, views])

  useEffect(() => onKey((key) => pressed(key, { model, snapshot, selected, setSelected, toggle })))

  return (
    <div className={panel === null ? 'page' : 'page with-panel'}>
      <TopBar model={model} snapshot={snapshot} panel={panel} onPanel={toggle} />
      <Banners snapshot={snapshot} />
      <main aria-label={hello?.display.name}>
        {views.open.length === 0 && <p className="empty">{m.nothingOpen}</p>}
        <ol className="board">
          {views.open.map((order, index) => (
            <OrderCard
              key={order.orderId}
              model={model}
              viewer={viewer}
              order={order}
              isWaiting={waiting.has(order.orderId)}
              isSelected={index === selected}
              digit={index < 10 ? index + 1 : 0}
            />
          ))}
        </ol>
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

interface KeyContext {
  model: KitchenModel
  snapshot: Snapshot
  selected: number
  setSelected: (index: number) => void
  toggle: (name: PanelName) => void
}

/** Digits choose a card, Enter bumps it, S starts it, R undoes or opens the recall list, A counts. @returns whether it was one of them */
function pressed(key: string, { model, snapshot, selected, setSelected, toggle }: KeyContext): boolean {
  const { open } = snapshot.views
  const order = open[Math.min(selected, open.length - 1)]
  if (/^\d$/.test(key)) setSelected(key === '0' ? 9 : Number(key) - 1)
  else if (key === 'ArrowRight') setSelected(Math.min(selected + 1, Math.max(0, open.length - 1)))
  else if (key === 'ArrowLeft') setSelected(Math.max(0, selected - 1))
  else if (key === 'Enter' && order) {
    const step = nextStep(order, snapshot.viewer)
    if (order.voidedAtMs !== null) model.tap('void-seen', order)
    else model.tap(step.kind, order, step.stations)
  } else if (key.toLowerCase() === 's' && order) model.tap('start', order, nextStep(order, snapshot.viewer).stations)
  else if (key.toLowerCase() === 'r') {
    if (snapshot.undo) model.undo()
    else toggle('recall')
  } else if (key.toLowerCase() === 'a') toggle('allDay')
  else return false
  return true
}
