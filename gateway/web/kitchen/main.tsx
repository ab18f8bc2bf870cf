// Entry point of the kitchen page.
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

// Chrome 70 has no queueMicrotask, which Preact uses to render changes.

/** Adds the missing function. Must be called before anything is rendered. */
function haveMicrotasks(): void {
  if ('queueMicrotask' in window) return
  Object.assign(window, { queueMicrotask: (run: () => void) => void Promise.resolve().then(run) })
}

// How list elements are moved: after the browser's own moveBefore, Chromium keeps old styles inside an element whose class has just
// changed.

/**
 * Preact uses moveBefore if it exists. Replaces it by one that works in every browser and restores the focus. Must be called before
 * anything is rendered.
 */
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
