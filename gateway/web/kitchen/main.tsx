// The first thing that the kitchen page runs.
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { codeFromAddress, leaveKeysToBoard, onTouch } from './browser.ts'
import './tokens.css'
import './kitchen.css'
import './bar.css'
import './cards.css'
import './head.css'
import { KitchenModel } from './kitchen-model.ts'

const root = document.getElementById('root')
if (root) {
  haveMicrotasks()
  haveMoves()
  const model = new KitchenModel()
  onTouch(
    (place) => model.touchBegan(place),
    () => model.touchEnded(),
  )
  leaveKeysToBoard()
  model.start(codeFromAddress())
  createRoot(root).render(<App model={model} />)
}

// Chrome 70 has no queueMicrotask, by which the display is drawn after each change.

/** Gives the page what its browser lacks; to be called before anything is drawn. */
function haveMicrotasks(): void {
  if ('queueMicrotask' in window) return
  Object.assign(window, { queueMicrotask: (run: () => void) => void Promise.resolve().then(run) })
}

// How elements of a list are moved: after the browser's own moveBefore, Chromium keeps the old style of what is in an element whose class changed just before.

/** Preact asks for moveBefore: it gets one that every browser can do, and that gives the focus back; to be called before anything is drawn. */
function haveMoves(): void {
  Object.assign(Element.prototype, {
    moveBefore(this: Element, moved: Node, next: Node | null | undefined): void {
      const focused = document.activeElement
      this.insertBefore(moved, next ?? null)
      const isLost = focused !== document.activeElement && moved.contains(focused)
      if (isLost && focused instanceof HTMLElement) focused.focus({ preventScroll: true })
    },
  })
}
