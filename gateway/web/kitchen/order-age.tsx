// The age of an order by the gateway's clock, shown as minutes and seconds, a word, a colour and a bar.
import { useSyncExternalStore } from 'react'
import { type AgeThresholds, thresholdOf } from '#shared/kitchen-times.ts'
import type { BoardOrder } from '#shared/wire/kitchen.ts'
import { type AgeLevel, ageLevel, ageMs, type Viewer } from './board-view.ts'
import type { KitchenModel } from './kitchen-model.ts'
import { useWords } from './messages/words.tsx'

/** Steps of the bar: it is rendered for each step, not each second. */
const GAUGE_STEPS = 20
const MINUTE_MS = 60_000

/** The order whose age is shown. */
export interface Aged {
  model: KitchenModel
  order: BoardOrder
  viewer: Viewer
  thresholds: AgeThresholds
}

/** Checks the clock each second, and renders only when the result changes. */
function useAge<T extends string>({ model, order, viewer }: Aged, read: (ageMs: number, nowMs: number) => T): T {
  return useSyncExternalStore(model.subscribeTick, () => {
    const nowMs = model.nowMs()
    return read(ageMs(order, viewer, nowMs), nowMs)
  })
}

export function useLevel(aged: Aged): AgeLevel {
  return useAge(aged, (age, nowMs) => ageLevel(aged.order, { ageMs: age, nowMs }, aged.thresholds))
}

/** True for less than a minute. */
export function useIsNew(aged: Aged): boolean {
  return useAge(aged, (age) => (age < MINUTE_MS ? 'new' : 'known')) === 'new'
}

export function clockText(ms: number): string {
  const two = (n: number): string => String(n).padStart(2, '0')
  const seconds = Math.floor(ms / 1_000)
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`
}

export function OrderAge({ aged }: { aged: Aged }) {
  const { m } = useWords()
  const level = useLevel(aged)
  const text = useAge(aged, clockText)
  const word = { fresh: '', soon: m.soon, late: m.late }[level]
  return (
    <span className={`age age-${level}`}>
      {word !== '' && <span className="age-word">{word} </span>}
      <bdi>{text}</bdi>
    </span>
  )
}

/** A bar that is full when the order is late. */
export function Gauge({ aged }: { aged: Aged }) {
  const { order, thresholds } = aged
  const lateMs = thresholdOf(order.orderType, thresholds).lateMin * MINUTE_MS
  const filled = useAge(aged, (age) => String(Math.min(GAUGE_STEPS, Math.floor((GAUGE_STEPS * age) / lateMs))))
  return <i style={{ transform: `scaleX(${(Number(filled) || 0) / GAUGE_STEPS})` }} />
}
