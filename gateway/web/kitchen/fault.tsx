// What cannot be drawn is replaced alone, and the rest of the screen goes on: one order, or the whole page until it is fetched anew.
import { Component, type ReactNode, useEffect, useLayoutEffect } from 'react'
import { systemClock } from '#shared/clock.ts'
import type { BoardOrder } from '#shared/wire/kitchen.ts'
import { startAgain } from './browser.ts'
import { useWords } from './messages/words.tsx'

/** Time to read the sentence; after it each try to fetch the page is as far from the next. */
const AGAIN_MS = 10_000

interface BoundaryProps {
  /** When this is another object, drawing is tried again. */
  of: object
  instead: ReactNode
  children: ReactNode
}

interface BoundaryState {
  of: object | null
  hasFailed: boolean
}

/** Draws `instead` when its children throw, and when their part of the program cannot be fetched. */
export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { of: null, hasFailed: false }

  static getDerivedStateFromProps({ of }: BoundaryProps, before: BoundaryState): BoundaryState | null {
    return of === before.of ? null : { of, hasFailed: false }
  }

  static getDerivedStateFromError(): Partial<BoundaryState> {
    return { hasFailed: true }
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.instead : this.props.children
  }
}

/** Each is another object once its order changes, and then tried again. */
const UNDRAWN = new WeakSet<BoardOrder>()

/** The order cannot be drawn as it is: it must not count as shown. */
export function isUndrawn(order: BoardOrder): boolean {
  return UNDRAWN.has(order)
}

/** Number and a sentence in place of what of the order cannot be drawn. */
export function Undrawn({ order }: { order: BoardOrder }) {
  const { m } = useWords()
  useLayoutEffect(() => void UNDRAWN.add(order), [order])
  return (
    <p className="strap strap-paper">
      <strong>
        <bdi>#{order.number}</bdi>
      </strong>{' '}
      {m.notDrawn}
    </p>
  )
}

export function OrderBoundary({ order, children }: { order: BoardOrder; children: ReactNode }) {
  return (
    <Boundary of={order} instead={<Undrawn order={order} />}>
      {children}
    </Boundary>
  )
}

/** In place of the page. Taps that are not sent are kept by the browser and sent after it. */
export function BrokenPage() {
  const { m } = useWords()
  useEffect(() => systemClock.every(AGAIN_MS, () => void startAgain()), [])
  return (
    <main className="center">
      <h1>{m.broken}</h1>
      <p>{m.brokenWhy}</p>
      <button type="button" className="main" onClick={() => void startAgain()}>
        {m.startAgain}
      </button>
    </main>
  )
}
