// The grid of tickets: measures blocks, lays tickets out over columns and pages, and renders the current page.
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { BoardOrder } from '#shared/wire/kitchen.ts'
import { type Grid, idsByPage, type Layout, layOut } from './board-layout.ts'
import { addOnsOf, type Viewer } from './board-view.ts'
import { afterPaint, isRtl } from './browser.ts'
import { isUndrawn } from './fault.tsx'
import { type GridSize, useGridSize } from './grid-size.ts'
import type { KitchenModel, Snapshot } from './kitchen-model.ts'
import {
  type Heights,
  MeasuringColumn,
  NEXT_HEAD,
  SMALL_FOOT,
  type Unmeasured,
  useHeights,
} from './measured-blocks.tsx'
import { fill, useWords } from './messages/words.tsx'
import { OrderCard } from './order-card.tsx'
import { standInOf } from './readable-order.ts'
import { refusalWords } from './refusal-words.ts'
import { onSwipe } from './swipe.ts'
import { blocksOf, type TicketBlock } from './ticket-blocks.ts'
import { hasLongNumber } from './ticket-head.tsx'
import { withFold } from './void-fold.ts'

/** Border above and below a card's content. */
const FRAME_PX = 4

interface Ticket {
  order: BoardOrder
  isHole: boolean
  blocks: readonly TicketBlock[]
}

/** The rendered tickets and their places, which belong together. */
interface Drawn {
  tickets: ReadonlyMap<string, Ticket>
  layout: Layout
  size: GridSize
}

interface BoardGridProps {
  model: KitchenModel
  snapshot: Snapshot
}

export function BoardGrid({ model, snapshot }: BoardGridProps) {
  const { settings, thresholds, viewer, hello } = snapshot
  const words = useWords()
  const area = useRef<HTMLElement>(null)
  const size = useGridSize(area, settings)
  const { opened, toggle } = useVoidFolds(area)
  const tickets = useTickets(snapshot, viewer, opened)
  const wanted = useMemo(() => (size ? wantedOf(tickets) : []), [size, tickets])
  const look = `${size?.columnPx} ${settings.density}`
  const { heights, missing, version, onMeasured } = useHeights(look, words, wanted)
  const isMeasured = size !== null && missing.length === 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: heights is the same map after some were added
  const fresh = useMemo(
    () => (isMeasured ? drawnOf(tickets, size, heights) : null),
    [tickets, size, heights, version, isMeasured],
  )
  const last = useRef<Drawn | null>(null)
  useLayoutEffect(() => {
    if (fresh) last.current = fresh
  }, [fresh])
  useTold(model, fresh)
  useEffect(() => (area.current ? onSwipe(area.current, (by) => model.turnPage(by)) : undefined), [model])
  useEffect(() => (area.current ? onTicketTouch(area.current, (id) => model.select(id)) : undefined), [model])
  useKeptFocus(area)
  // New content is not shown until it is measured; until then the old layout stays.
  const drawn = fresh ?? last.current
  return (
    <main ref={area} className="grid" tabIndex={-1} aria-label={hello?.display.name}>
      {snapshot.shown.length === 0 && <p className="empty">{words.m.nothingOpen}</p>}
      {drawn && <PageOf model={model} snapshot={snapshot} drawn={drawn} fold={toggle} />}
      {size && (
        <MeasuringColumn
          missing={missing}
          onMeasured={onMeasured}
          widthPx={size.columnPx}
          model={model}
          viewer={viewer}
          thresholds={thresholds}
        />
      )}
    </main>
  )
}

/** A cached ticket, with the order and the viewer that it was made for. */
interface Known extends Omit<Ticket, 'isHole'> {
  viewer: Viewer
  addOns: string
  isOpened: boolean
}

/** For an order that cannot be rendered: its number, a sentence and its buttons. */
function ticketOf(order: BoardOrder, viewer: Viewer, addOns: string): Omit<Ticket, 'isHole'> {
  try {
    return { order, blocks: blocksOf(order, viewer, addOns) }
  } catch {
    const standIn = standInOf(order)
    return { order: standIn, blocks: blocksOf(standIn, viewer, addOns) }
  }
}

function foldedOf(
  order: BoardOrder,
  { viewer, added, isOpened }: { viewer: Viewer; added: string; isOpened: boolean },
): Omit<Ticket, 'isHole'> {
  const ticket = ticketOf(order, viewer, added)
  return { ...ticket, blocks: withFold(ticket.blocks, ticket.order, isOpened) }
}

/** The tickets of the board. A ticket is the same object as long as its order is. */
function useTickets({ shown, views }: Snapshot, viewer: Viewer, opened: VoidFolds['opened']): readonly Ticket[] {
  const addOns = useMemo(() => addOnsOf(views.open), [views])
  const [known] = useState(() => new WeakMap<BoardOrder, Known>())
  return useMemo(
    () =>
      shown.map(({ order, isHole }) => {
        const added = addOns.get(order.number) ?? ''
        const before = known.get(order)
        const isOpened = opened.has(order.orderId)
        const isKnown = before?.viewer === viewer && before.addOns === added && before.isOpened === isOpened
        const now = isKnown
          ? before
          : { viewer, addOns: added, isOpened, ...foldedOf(order, { viewer, added, isOpened }) }
        known.set(order, now)
        return { order: now.order, isHole, blocks: now.blocks }
      }),
    [shown, viewer, addOns, known, opened],
  )
}

/** The blocks to measure: each once, and once the small head and buttons, with the texts of any order. */
function wantedOf(tickets: readonly Ticket[]): Unmeasured[] {
  const wanted = new Map<string, Unmeasured>()
  const [first] = tickets
  if (first) {
    const { order } = tickets.find((ticket) => hasLongNumber(ticket.order)) ?? first
    wanted.set(nextHeadKey(tickets), { key: nextHeadKey(tickets), block: NEXT_HEAD, order })
    wanted.set(SMALL_FOOT, { key: SMALL_FOOT, block: SMALL_FOOT, order })
  }
  for (const { order, blocks } of tickets) {
    for (const block of blocks) if (!wanted.has(block.key)) wanted.set(block.key, { key: block.key, block, order })
  }
  return [...wanted.values()]
}

/** All further parts have a head of the same height: that of a long number, if there is one. */
function nextHeadKey(tickets: readonly Ticket[]): string {
  return tickets.some(({ order }) => hasLongNumber(order)) ? `${NEXT_HEAD} long` : NEXT_HEAD
}

function drawnOf(tickets: readonly Ticket[], size: GridSize, heights: Heights): Drawn {
  const grid: Grid = {
    columns: size.columns,
    heightPx: size.heightPx,
    gapPx: size.gapPx,
    framePx: FRAME_PX,
    nextHeadPx: heights.get(nextHeadKey(tickets)) ?? 0,
    smallFootPx: heights.get(SMALL_FOOT) ?? 0,
  }
  const sized = tickets.map(({ order, blocks }) => ({
    id: order.orderId,
    blocks: blocks.map(({ kind, key }) => ({ kind, heightPx: heights.get(key) ?? 0 })),
  }))
  return { tickets: new Map(tickets.map((one) => [one.order.orderId, one])), layout: layOut(sized, grid), size }
}

/**
 * Reports the place of each ticket to the model before the next key press, and that it was shown once painted. Tickets of all pages count
 * as shown, because they are one page turn away.
 */
function useTold(model: KitchenModel, fresh: Drawn | null): void {
  useLayoutEffect(() => {
    if (!fresh) return
    const pages = idsByPage(fresh.layout)
    model.drawn(pages)
    const isThere = (id: string): boolean => {
      const { order } = fresh.tickets.get(id) ?? {}
      return order !== undefined && !isUndrawn(order)
    }
    afterPaint(() => model.rendered(pages.flat().filter(isThere)))
  }, [model, fresh])
}

interface PageProps extends BoardGridProps {
  drawn: Drawn
  fold: VoidFolds['toggle']
}

function PageOf({ model, snapshot, drawn, fold }: PageProps) {
  const { m } = useWords()
  const { viewer, thresholds, waiting, selected, armed, refused } = snapshot
  const { tickets, layout, size } = drawn
  const page = Math.min(snapshot.page, layout.pages - 1)
  const parts = layout.parts.filter((part) => part.page === page)
  const ids = [...new Set(parts.map(({ id }) => id))]
  return (
    <ol className="board" aria-label={fill(m.pageOf, { n: String(page + 1), of: String(layout.pages) })}>
      {parts.map(({ id, n, of, from, to, column, topPx, heightPx }, index) => {
        const ticket = tickets.get(id)
        if (!ticket) return null
        const isFirstHere = parts[index - 1]?.id !== id
        const place = ids.indexOf(id)
        const left = isRtl() ? size.columns - 1 - column : column
        return (
          <OrderCard
            key={`${id} ${n}`}
            model={model}
            viewer={viewer}
            thresholds={thresholds}
            order={ticket.order}
            fold={fold}
            isHole={ticket.isHole}
            blocks={ticket.blocks}
            {...{ n, of, from, to, topPx, heightPx }}
            leftPx={left * (size.columnPx + size.gapPx)}
            widthPx={size.columnPx}
            isWaiting={waiting.has(id)}
            isSelected={selected === id}
            digit={isFirstHere && place < 10 ? place + 1 : 0}
            armed={armed?.orderId === id ? `${armed.kind} ${armed.course ?? ''}`.trim() : ''}
            refusal={refused?.orderId === id ? refusalWords(refused, m) : ''}
          />
        )
      })}
    </ol>
  )
}

// Keeps the keyboard focus on the board when the focused element disappears.
function useKeptFocus(area: RefObject<HTMLElement | null>): void {
  const had = useRef<Element | null>(null)
  useEffect(() => {
    const element = area.current
    const came = ({ target }: FocusEvent): void => {
      had.current = target instanceof Element ? target : null
    }
    element?.addEventListener('focusin', came)
    return () => element?.removeEventListener('focusin', came)
  }, [area])
  useLayoutEffect(() => {
    if (document.activeElement !== document.body || had.current === null || had.current.isConnected) return
    had.current = null
    area.current?.focus({ preventScroll: true })
  })
}

// A touch anywhere on a ticket selects it, so that finger and bump bar use the same ticket.

/** A swipe is not a touch: it is stopped before it gets here. @returns a function that removes the listener */
function onTicketTouch(area: HTMLElement, select: (orderId: string) => void): () => void {
  const touched = ({ target }: MouseEvent): void => {
    const ticket = target instanceof Element ? target.closest<HTMLElement>('[data-order]') : null
    const orderId = ticket?.dataset['order']
    if (orderId !== undefined) select(orderId)
  }
  area.addEventListener('click', touched)
  return () => area.removeEventListener('click', touched)
}

// The voided orders that somebody has opened on this display, and the focus after that.
interface VoidFolds {
  opened: ReadonlySet<string>
  /**
   * Opens or closes it. @param isByKey keeps the focus on the pressed button, wherever it moves, so that the next Enter acknowledges
   * nothing unread
   */
  toggle: (orderId: string, isByKey: boolean) => void
}

function useVoidFolds(area: RefObject<HTMLElement | null>): VoidFolds {
  const [opened, setOpened] = useState<ReadonlySet<string>>(() => new Set())
  const pressed = useRef<string | null>(null)
  const [toggle] = useState(() => (orderId: string, isByKey: boolean) => {
    pressed.current = isByKey ? orderId : null
    setOpened((before) => {
      const next = new Set(before)
      if (!next.delete(orderId)) next.add(orderId)
      return next
    })
  })
  useLayoutEffect(() => {
    const orderId = pressed.current
    if (orderId === null) return
    const cards = [...(area.current?.querySelectorAll<HTMLElement>('.card') ?? [])]
    const button = cards.find(({ dataset }) => dataset['order'] === orderId)?.querySelector<HTMLElement>('.fold')
    // What has to be measured is rendered a moment later.
    if (button?.getAttribute('aria-expanded') !== String(opened.has(orderId))) return
    button.focus({ preventScroll: true })
    pressed.current = null
  })
  return { opened, toggle }
}
