// Reports the time of the board that is shown, for displays without cooks' orders: runners and the guests' board.
import { useEffect, useSyncExternalStore } from 'react'
import { afterPaint } from './browser.ts'
import type { KitchenModel } from './kitchen-model.ts'

/** Each message is rendered within a second. A hidden page, or one that gets no messages, reports nothing new. */
export function useDrawnBoard(model: KitchenModel): void {
  const heardAtMs = useSyncExternalStore(model.subscribeTick, () => Math.floor(model.snapshot().heardAtMs))
  useEffect(() => afterPaint(() => model.rendered([], heardAtMs)), [model, heardAtMs])
}
