// One order, or its part in one column, as a card: items, age, warnings and buttons.
import { type CSSProperties, memo } from 'react'
import type { AgeThresholds } from '#shared/kitchen-times.ts'
import type { BoardOrder } from '#shared/wire/kitchen.ts'
import { isChangeUnseen, ownStations, type Viewer } from './board-view.ts'
import { Boundary, OrderBoundary, Undrawn } from './fault.tsx'
import type { KitchenModel } from './kitchen-model.ts'
import { fill, useWords } from './messages/words.tsx'
import { useIsNew, useLevel } from './order-age.tsx'
import { Blocks } from './ticket-block.tsx'
import type { TicketBlock } from './ticket-blocks.ts'
import { Foot, type TicketActs } from './ticket-buttons.tsx'
import { NextHead, TicketHead } from './ticket-head.tsx'

export interface OrderCardProps {
  model: KitchenModel
  viewer: Viewer
  order: BoardOrder
  thresholds: AgeThresholds
  /** All blocks of the ticket. This part shows those from `from` up to, but not including, `to`. */
  blocks: readonly TicketBlock[]
  from: number
  to: number
  n: number
  of: number
  /** All in CSS pixels. */
  leftPx: number
  topPx: number
  widthPx: number
  heightPx: number
  /** It has just left: only its place is kept. */
  isHole: boolean
  isWaiting: boolean
  isSelected: boolean
  /** Key on a bump bar; 0: none. */
  digit: number
  /** The action that waits for a second tap; '': none. */
  armed: string
  /** Why it could not be changed; '': nothing was refused. */
  refusal: string
  fold: TicketActs['fold']
}

export const OrderCard = memo(function OrderCard(props: OrderCardProps) {
  const { order, isHole, leftPx, topPx, widthPx, heightPx } = props
  const style = { transform: `translate(${leftPx}px, ${topPx}px)`, width: widthPx, height: heightPx }
  const bare = (
    <li className="card" style={style} data-order={order.orderId}>
      <Undrawn order={order} />
    </li>
  )
  if (!isHole)
    return (
      <Boundary of={order} instead={bare}>
        <Ticket {...props} style={style} />
      </Boundary>
    )
  return (
    <li className="hole" style={style} aria-hidden="true">
      <bdi>#{order.number}</bdi> ✓
    </li>
  )
})

function Ticket({ style, ...props }: OrderCardProps & { style: CSSProperties }) {
  const { m, number } = useWords()
  const { order, viewer, blocks, n, of, isSelected, digit } = props
  const aged = { model: props.model, order, viewer, thresholds: props.thresholds }
  const level = useLevel(aged)
  const isFresh = useIsNew(aged)
  const isVoid = order.voidedAtMs !== null
  const isNew =
    isFresh &&
    !isVoid &&
    ownStations(order, viewer).every(({ startedAtMs, readyAtMs }) => startedAtMs === null && readyAtMs === null)
  const marks = { selected: isSelected, new: isNew, changed: isChangeUnseen(order, viewer) }
  const count = { n: number(n), of: number(of) }
  const head = { aged, digit, part: of > 1 ? `${count.n}/${count.of}` : '' }
  const acts = actsOf(props)
  const mine = blocks.slice(props.from, props.to)
  return (
    <li
      className={`card level-${isVoid ? 'void' : level}${classNames(marks)}`}
      style={style}
      data-order={order.orderId}
      data-part={n}
      aria-label={fill(of > 1 ? m.ticketPart : m.ticket, { number: order.number, ...count })}
      aria-current={isSelected ? 'true' : undefined}
    >
      <OrderBoundary order={order}>
        {n > 1 && <NextHead {...head} />}
        {n === 1 && <TicketHead {...head} isNew={isNew} isWaiting={props.isWaiting} refusal={props.refusal} />}
        <Blocks blocks={mine} acts={acts} />
      </OrderBoundary>
      {mine.some(({ kind }) => kind === 'foot') && <Foot acts={acts} />}
      {n === 1 && of > 1 && <Foot acts={acts} isSmall />}
    </li>
  )
}

function classNames(marks: Readonly<Record<string, boolean>>): string {
  return Object.entries(marks)
    .map(([name, isOn]) => (isOn ? ` ${name}` : ''))
    .join('')
}

function actsOf({ model, order, viewer, armed, fold }: OrderCardProps): TicketActs {
  return {
    order,
    viewer,
    armed,
    fold,
    strike: (place) => model.strike(order, place),
    fire: (course) => model.askFire(order, course),
    tap: (kind, of, stations) => model.tap(kind, of, stations),
  }
}
