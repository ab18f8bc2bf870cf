// Number and size of the columns, by the width of the screen and the size of tickets.
import { type RefObject, useLayoutEffect, useState } from 'react'
import { onResize } from './browser.ts'
import type { Density, ScreenSettings } from './screen-settings.ts'

/** All in integer CSS pixels. */
export interface GridSize {
  columns: number
  columnPx: number
  heightPx: number
  gapPx: number
}

/** Minimum width of a column, by the size of tickets. */
export const COLUMN_PX: Readonly<Record<Density, number>> = { S: 220, M: 280, L: 340, XL: 420 }
const GAP_PX = 8

/** @param areaPx width and height for tickets */
export function gridSize(
  areaPx: { width: number; height: number },
  { density, columns }: Pick<ScreenSettings, 'density' | 'columns'>,
): GridSize {
  const fitting = Math.max(1, Math.floor((areaPx.width + 2 * GAP_PX) / COLUMN_PX[density]))
  const count = columns === 'auto' ? fitting : Number(columns)
  const columnPx = Math.floor((areaPx.width - (count - 1) * GAP_PX) / count)
  return { columns: count, columnPx, heightPx: Math.floor(areaPx.height), gapPx: GAP_PX }
}

/** The inner size of an element, updated on change, except while a finger is down, so that nothing moves under it. */
export function useGridSize(area: RefObject<HTMLElement | null>, settings: ScreenSettings): GridSize | null {
  const [inside, setInside] = useState<{ width: number; height: number } | null>(null)
  useLayoutEffect(() => {
    const element = area.current
    if (!element) return
    let isDown = false
    const look = (): void => {
      const { clientWidth: width, clientHeight: height } = element
      if (isDown || width === 0) return
      setInside((before) => (before?.width === width && before.height === height ? before : { width, height }))
    }
    const down = (): void => {
      isDown = true
    }
    const up = (): void => {
      isDown = false
      look()
    }
    look()
    const observer = typeof ResizeObserver === 'undefined' ? null : new ResizeObserver(look)
    observer?.observe(element)
    const forget = onResize(look)
    document.addEventListener('pointerdown', down, true)
    for (const end of ENDS) document.addEventListener(end, up, true)
    return () => {
      observer?.disconnect()
      forget()
      document.removeEventListener('pointerdown', down, true)
      for (const end of ENDS) document.removeEventListener(end, up, true)
    }
  }, [area])
  return useSame(inside === null ? null : gridSize(inside, settings))
}

const ENDS = ['pointerup', 'pointercancel'] as const

/** The same object for equal values. */
function useSame(size: GridSize | null): GridSize | null {
  const [kept, setKept] = useState(size)
  const isSame =
    kept?.columns === size?.columns && kept?.columnPx === size?.columnPx && kept?.heightPx === size?.heightPx
  if (isSame) return kept
  setKept(size)
  return size
}
