// A debounced value, for requests that should wait until the user stops typing.
import { useEffect, useState } from 'react'
import { systemClock } from '#shared/clock.ts'

/** The value once it has not changed for `ms` milliseconds. Values are compared as JSON. */
export function useSettled<T>(value: T, ms = 300): T {
  const [settled, setSettled] = useState(value)
  const text = JSON.stringify(value)
  useEffect(() => systemClock.after(ms, () => setSettled(JSON.parse(text) as T)), [text, ms])
  return settled
}
