// Swiping sideways over the board turns the page. It does not press what the finger touches.
import { isRtl } from './browser.ts'

/** Shorter movements are taps. */
const LEAST_PX = 60

export interface Swipe {
  dxPx: number
  dyPx: number
}

/** @returns pages to turn: 1 forward, -1 back, 0 none */
export function turnBy({ dxPx, dyPx }: Swipe, isFromTheRight: boolean): -1 | 0 | 1 {
  if (Math.abs(dxPx) < LEAST_PX || Math.abs(dxPx) < 1.5 * Math.abs(dyPx)) return 0
  return dxPx < 0 !== isFromTheRight ? 1 : -1
}

/** @returns a function that removes the listener */
export function onSwipe(area: HTMLElement, turn: (by: -1 | 1) => void): () => void {
  let start: PointerEvent | null = null
  let isSwiped = false
  const down = (event: PointerEvent): void => {
    isSwiped = false
    start = event.isPrimary ? event : null
  }
  const up = (event: PointerEvent): void => {
    if (!start || event.pointerId !== start.pointerId) return
    const by = turnBy({ dxPx: event.clientX - start.clientX, dyPx: event.clientY - start.clientY }, isRtl())
    start = null
    if (by === 0) return
    isSwiped = true
    turn(by)
  }
  const cancel = (): void => {
    start = null
  }
  // After a swipe on a wide button the browser sends a click, which is ignored.
  const click = (event: MouseEvent): void => {
    if (!isSwiped) return
    isSwiped = false
    event.preventDefault()
    event.stopPropagation()
  }
  area.addEventListener('pointerdown', down)
  area.addEventListener('pointerup', up)
  area.addEventListener('pointercancel', cancel)
  area.addEventListener('click', click, true)
  return () => {
    area.removeEventListener('pointerdown', down)
    area.removeEventListener('pointerup', up)
    area.removeEventListener('pointercancel', cancel)
    area.removeEventListener('click', click, true)
  }
}
