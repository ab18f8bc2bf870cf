// Tells the box of which of its moments a board is that stands drawn and shows no order to a cook: runners' and guests' screens.
import { useEffect, useSyncExternalStore } from 'react'
import { afterPaint } from './browser.ts'
import type { KitchenModel } from './kitchen-model.ts'

/** Each word of the box is drawn within a second; a page that is hidden, or hears nothing, says nothing new. */
export function useDrawnBoard(model: KitchenModel): void {
  const heardAtMs = useSyncExternalStore(model.subscribeTick, () => Math.floor(model.snapshot().heardAtMs))
  useEffect(() => afterPaint(() => model.rendered([], heardAtMs)), [model, heardAtMs])
}
