// How long an order waits, by the gateway's clock: minutes and seconds, a word, a colour and a bar that fills, so that nobody needs all of them.
import { useSyncExternalStore } from 'react'
import { type AgeThresholds, thresholdOf } from '#shared/kitchen-times.ts'
import type { BoardOrder } from '#shared/wire/kitchen.ts'
import { type AgeLevel, ageLevel, ageMs, type Viewer } from './board-view.ts'
import type { KitchenModel } from './kitchen-model.ts'
import { useWords } from './messages/words.tsx'

/** Steps of the bar: a step more is drawn, not each second. */
const GAUGE_STEPS = 20
const MINUTE_MS = 60_000

/** Whose age. */
export interface Aged {
  model: KitchenModel
  order: BoardOrder
  viewer: Viewer
  thresholds: AgeThresholds
}

/** Looks at the clock each second, and draws only when what is read of it is another word. */
function useAge<T extends string>({ model, order, viewer }: Aged, read: (ageMs: number, nowMs: number) => T): T {
  return useSyncExternalStore(model.subscribeTick, () => {
    const nowMs = model.nowMs()
    return read(ageMs(order, viewer, nowMs), nowMs)
  })
}

export function useLevel(aged: Aged): AgeLevel {
  return useAge(aged, (age, nowMs) => ageLevel(aged.order, { ageMs: age, nowMs }, aged.thresholds))
}

/** For less than a minute. */
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
