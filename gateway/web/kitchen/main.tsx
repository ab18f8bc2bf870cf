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
import { haveMicrotasks } from './microtasks.ts'
import { haveMoves } from './moves.ts'

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
