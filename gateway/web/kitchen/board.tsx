// The board: bar, grid of tickets, strip of pages, drawers, confirmations, and the keys of a bump bar.
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { BoardGrid } from './board-grid.tsx'
import { afterPaint, onKey } from './browser.ts'
import { Boundary, NotOpened } from './fault.tsx'
import type { KitchenModel, Snapshot } from './kitchen-model.ts'
import { useLate } from './late-orders.ts'
import { PageStrip } from './page-strip.tsx'
import type { PanelName } from './panel-names.ts'
import { Banners, TopBar } from './top-bar.tsx'

const drawers = () => import('./panels.tsx')
const help = () => import('./help-panel.tsx')
const Panel = lazy(async () => ({ default: (await drawers()).Panel }))
const ask = () => import('./ask-dialog.tsx')
const AskDialog = lazy(async () => ({ default: (await ask()).AskDialog }))
const HelpPanel = lazy(async () => ({ default: (await help()).HelpPanel }))

interface BoardProps {
  model: KitchenModel
  snapshot: Snapshot
  /** Shown between the tickets and the strip of pages: the start of the shift. */
  children: ReactNode
}

export function Board({ model, snapshot, children }: BoardProps) {
  const late = useLate(model, snapshot)
  const { panel, isByKey, toggle, close } = usePanels(model)
  useEffect(() => {
    const keys: Readonly<Record<string, () => void>> = { '?': () => toggle('help', true), Escape: close }
    return onKey((key) => {
      const own = keys[key]
      own?.()
      return own !== undefined || pressBehind(model, key)
    })
  }, [model, toggle, close])
  return (
    <div className="page">
      <TopBar model={model} snapshot={snapshot} panel={panel} onPanel={toggle} late={late} />
      <div className="middle">
        <BoardGrid model={model} snapshot={snapshot} />
        {panel !== null && (
          <Boundary key={panel} of={snapshot.views} instead={<NotOpened onClose={close} />}>
            <Suspense fallback={null}>
              {panel === 'help' ? (
                <HelpPanel isByKey={isByKey} onClose={close} />
              ) : (
                <Panel model={model} snapshot={snapshot} name={panel} late={late} isByKey={isByKey} onClose={close} />
              )}
            </Suspense>
          </Boundary>
        )}
      </div>
      <Banners snapshot={snapshot} />
      {children}
      <PageStrip model={model} snapshot={snapshot} late={late} />
      {snapshot.asking && (
        <Boundary of={snapshot.asking} instead={<NotOpened onClose={() => model.answer(false)} />}>
          <Suspense fallback={null}>
            <AskDialog key={snapshot.asking.orderId} model={model} asking={snapshot.asking} />
          </Suspense>
        </Boundary>
      )}
    </div>
  )
}

/** While a dialog is open, the board behind it gets no keys. */
function pressBehind(model: KitchenModel, key: string): boolean {
  return model.snapshot().asking === null && model.press(key)
}

/** One drawer at a time, opened by its button or key. */
function usePanels(model: KitchenModel): {
  panel: PanelName | null
  /** True if it was opened by a key: then it takes the focus. */
  isByKey: boolean
  toggle: (name: PanelName, isByKey: boolean) => void
  close: () => void
} {
  const [opened, setOpened] = useState<{ panel: PanelName | null; isByKey: boolean }>(CLOSED)
  const [toggle] = useState(
    () => (panel: PanelName, isByKey: boolean) =>
      setOpened((before) => (before.panel === panel ? CLOSED : { panel, isByKey })),
  )
  useEffect(() => model.onPanel((name) => toggle(name, true)), [model, toggle])
  // Loaded after the first view, while there is a connection, so that the drawers open without one.
  useEffect(() => afterPaint(() => void Promise.all([drawers(), help(), ask()]).catch(() => undefined)), [])
  const [close] = useState(() => () => setOpened(CLOSED))
  return { ...opened, toggle, close }
}

const CLOSED = { panel: null, isByKey: false }
