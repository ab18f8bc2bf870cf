// How long an order waits, by the gateway's clock: words, colour and shape, so that nobody needs all three.
import { useSyncExternalStore } from 'react'
import type { BoardOrder } from '#shared/wire/kitchen.ts'
import { type AgeLevel, ageLevel, ageMs, type Viewer } from './board-view.ts'
import type { KitchenModel } from './kitchen-model.ts'
import { fill, useWords } from './messages/words.tsx'

const SHAPES: Readonly<Record<AgeLevel, string>> = { fresh: '●', soon: '▲', late: '■' }

/** Looks at the clock each second, and draws only when the minute or the level is another one. */
export function useAge(model: KitchenModel, order: BoardOrder, viewer: Viewer): { minutes: number; level: AgeLevel } {
  const text = useSyncExternalStore(model.subscribeTick, () => {
    const nowMs = model.nowMs()
    const age = ageMs(order, viewer, nowMs)
    return `${Math.floor(age / 60_000)} ${ageLevel(order, { ageMs: age, nowMs }, model.snapshot().settings.thresholds)}`
  })
  const [minutes, level] = text.split(' ')
  return { minutes: Number(minutes), level: level as AgeLevel }
}

export function OrderAge({ minutes, level }: { minutes: number; level: AgeLevel }) {
  const { m, number } = useWords()
  const word = { fresh: '', soon: m.soon, late: m.late }[level]
  return (
    <span className={`age age-${level}`}>
      <span aria-hidden="true">{SHAPES[level]} </span>
      {word === '' ? '' : `${word} `}
      {fill(m.minutes, { n: number(minutes) })}
    </span>
  )
}
