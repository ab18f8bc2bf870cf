// How many columns a screen has, and how large they are: by its width and by how large its tickets are set.
import { type RefObject, useLayoutEffect, useState } from 'react'
import { onResize } from './browser.ts'
import type { Density, ScreenSettings } from './screen-settings.ts'

/** All in whole CSS pixels. */
export interface GridSize {
  columns: number
  columnPx: number
  heightPx: number
  gapPx: number
}

/** What a column needs at least, by the size of tickets. */
export const COLUMN_PX: Readonly<Record<Density, number>> = { S: 220, M: 280, L: 340, XL: 420 }
const GAP_PX = 8

/** @param areaPx width and height that the tickets may take */
export function gridSize(
  areaPx: { width: number; height: number },
  { density, columns }: Pick<ScreenSettings, 'density' | 'columns'>,
): GridSize {
  const fitting = Math.max(1, Math.floor((areaPx.width + 2 * GAP_PX) / COLUMN_PX[density]))
  const count = columns === 'auto' ? fitting : Number(columns)
  const columnPx = Math.floor((areaPx.width - (count - 1) * GAP_PX) / count)
  return { columns: count, columnPx, heightPx: Math.floor(areaPx.height), gapPx: GAP_PX }
}

/** The size of an element's inside, as it changes; not while a finger is down, so that nothing moves under it. */
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

/** The same object while it says the same. */
function useSame(size: GridSize | null): GridSize | null {
  const [kept, setKept] = useState(size)
  const isSame =
    kept?.columns === size?.columns && kept?.columnPx === size?.columnPx && kept?.heightPx === size?.heightPx
  if (isSame) return kept
  setKept(size)
  return size
}
