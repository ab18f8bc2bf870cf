// Error boundaries: what cannot be rendered is replaced, and the rest of the display continues. For one order, a drawer, or the whole page until it is reloaded.
import { Component, type ReactNode, useEffect, useLayoutEffect } from 'react'
import { systemClock } from '#shared/clock.ts'
import type { BoardOrder } from '#shared/wire/kitchen.ts'
import { startAgain } from './browser.ts'
import type { KitchenModel } from './kitchen-model.ts'
import { useWords } from './messages/words.tsx'
import { isUnreadable } from './readable-order.ts'

/** Time to read the sentence. Later attempts to reload the page are the same time apart. */
const AGAIN_MS = 10_000

interface BoundaryProps {
  /** When this is another object, rendering is tried again. */
  of: object
  instead: ReactNode
  children: ReactNode
}

interface BoundaryState {
  of: object | null
  hasFailed: boolean
}

/** Renders `instead` when its children throw, or when their code cannot be loaded. */
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

/** Orders that could not be rendered. A changed order is another object and is tried again. */
const UNDRAWN = new WeakSet<BoardOrder>()

/** True if the order could not be rendered: it must not count as shown. */
export function isUndrawn(order: BoardOrder): boolean {
  return isUnreadable(order) || UNDRAWN.has(order)
}

/** Shown instead of the order: its number and a sentence. */
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

/** Shown instead of a drawer or dialog that cannot be rendered or loaded; the board beside it continues. */
export function NotOpened({ onClose }: { onClose: () => void }) {
  const { m } = useWords()
  return (
    <aside className="shift" role="alert">
      <span>{m.notOpened}</span>
      <button type="button" className="side" onClick={onClose}>
        {m.close}
      </button>
      <button type="button" className="side" onClick={() => void startAgain()}>
        {m.startAgain}
      </button>
    </aside>
  )
}

/** Shown instead of the page. Unsent taps are kept in the browser's storage and sent after the reload. */
export function BrokenPage({ model }: { model: KitchenModel }) {
  const { m } = useWords()
  useEffect(() => {
    model.failed()
    return systemClock.every(AGAIN_MS, () => void startAgain())
  }, [model])
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
