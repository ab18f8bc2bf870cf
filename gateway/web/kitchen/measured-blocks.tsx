// Measures the height of blocks: each is rendered once, hidden, in a column of the board's width, and its height cached.
import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { BoardOrder } from '#shared/wire/kitchen.ts'
import type { Viewer } from './board-view.ts'
import { OrderBoundary } from './fault.tsx'
import type { KitchenModel } from './kitchen-model.ts'
import type { Words } from './messages/words.tsx'
import type { Aged } from './order-age.tsx'
import { Blocks } from './ticket-block.tsx'
import type { TicketBlock } from './ticket-blocks.ts'
import { Foot } from './ticket-buttons.tsx'
import { NextHead, TicketHead } from './ticket-head.tsx'

export type Heights = ReadonlyMap<string, number>

/** Keys of what every split ticket has: the small head of further parts, and the small buttons of the first. */
export const NEXT_HEAD = 'next head'
export const SMALL_FOOT = 'small foot'

/** A block to measure, with the order whose texts it has. */
export interface Unmeasured {
  key: string
  block: TicketBlock | typeof NEXT_HEAD | typeof SMALL_FOOT
  order: BoardOrder
}

/** Number of widths whose heights are cached, so that opening and closing a panel measures nothing again. */
const MOST_WIDTHS = 4
/** Maximum number of cached blocks that are not on the board any more. */
const MOST_KEPT = 4_000

/** Heights by the column's width and the font size. */
class HeightCache {
  readonly #byLook = new Map<string, Map<string, number>>()

  of(look: string): Map<string, number> {
    const known = this.#byLook.get(look) ?? new Map<string, number>()
    this.#byLook.set(look, known)
    const [oldest] = this.#byLook.keys()
    if (this.#byLook.size > MOST_WIDTHS && oldest !== undefined && oldest !== look) this.#byLook.delete(oldest)
    return known
  }
}

export interface Measured {
  heights: Heights
  /** To be rendered hidden. Once measured, the board is rendered again before the next paint. */
  missing: readonly Unmeasured[]
  /** Changes when heights were added. */
  version: number
  onMeasured: (found: readonly { key: string; heightPx: number }[]) => void
}

/**
 * @param look key of the column's width and font size @param words of the language; another language measures everything again @param
 * wanted empty while the width is unknown
 */
export function useHeights(look: string, words: Words, wanted: readonly Unmeasured[]): Measured {
  // biome-ignore lint/correctness/useExhaustiveDependencies: heights differ by language
  const cache = useMemo(() => new HeightCache(), [words])
  const [version, setVersion] = useState(0)
  const heights = cache.of(look)
  const missing = wanted.filter(({ key }) => !heights.has(key))
  const onMeasured: Measured['onMeasured'] = (found) => {
    if (heights.size + found.length > MOST_KEPT) keepOnly(heights, new Set(wanted.map(({ key }) => key)))
    for (const { key, heightPx } of found) heights.set(key, heightPx)
    setVersion((before) => before + 1)
  }
  return { heights, missing, version, onMeasured }
}

/** Never evicts what is on the board, which would be measured and evict the rest in an endless loop. */
function keepOnly(heights: Map<string, number>, wanted: ReadonlySet<string>): void {
  for (const key of heights.keys()) if (!wanted.has(key)) heights.delete(key)
}

interface MeasuringColumnProps extends Pick<Measured, 'missing' | 'onMeasured'> {
  widthPx: number
  viewer: Viewer
  model: KitchenModel
  thresholds: Aged['thresholds']
}

/** The hidden column. It is empty except while measuring. */
export function MeasuringColumn({ missing, onMeasured, widthPx, ...context }: MeasuringColumnProps) {
  const column = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (missing.length === 0 || !column.current) return
    const blocks = [...column.current.children]
    onMeasured(
      missing.map(({ key }, index) => ({
        key,
        heightPx: Math.ceil(blocks[index]?.getBoundingClientRect().height ?? 0),
      })),
    )
  })
  return (
    <div className="measuring" ref={column} style={{ width: widthPx }} aria-hidden="true">
      {missing.map(({ key, block, order }) => (
        <div key={key}>
          <OrderBoundary order={order}>
            <Sample block={block} order={order} {...context} />
          </OrderBoundary>
        </div>
      ))}
    </div>
  )
}

function Sample({ block, order, ...context }: Omit<Unmeasured, 'key'> & Omit<Aged, 'order'>) {
  const aged = { ...context, order }
  const acts = { order, viewer: context.viewer, armed: '', strike: ignore, fire: ignore, tap: ignore, fold: ignore }
  if (block === NEXT_HEAD) return <NextHead aged={aged} digit={1} part="1/2" />
  if (block === SMALL_FOOT) return <Foot acts={acts} isSmall />
  if (block.kind === 'head')
    return <TicketHead aged={aged} digit={1} part="" isNew={false} isWaiting={false} refusal="" />
  return block.kind === 'foot' ? <Foot acts={acts} /> : <Blocks blocks={[block]} acts={acts} />
}

function ignore(): void {
  // Hidden, so it cannot be pressed.
}
