// The time on the restaurant's wall, by the gateway's clock.
import { useSyncExternalStore } from 'react'
import type { KitchenModel } from './kitchen-model.ts'
import { useWords } from './messages/words.tsx'

export function WallClock({ model }: { model: KitchenModel }) {
  const { time } = useWords()
  const text = useSyncExternalStore(model.subscribeTick, () => time(model.nowMs()))
  return (
    <span className="clock">
      <bdi>{text}</bdi>
    </span>
  )
}
