// A value that is asked about only when it has stopped changing: nobody wants an answer to half a word.
import { useEffect, useState } from 'react'
import { systemClock } from '#shared/clock.ts'

/** The value as it was when it last stood still for `ms`. Values are compared as JSON. */
export function useSettled<T>(value: T, ms = 300): T {
  const [settled, setSettled] = useState(value)
  const text = JSON.stringify(value)
  useEffect(() => systemClock.after(ms, () => setSettled(JSON.parse(text) as T)), [text, ms])
  return settled
}
