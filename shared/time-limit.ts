// A time limit for work that takes a signal, beside the signal of whoever stops it.
import type { Clock } from './clock.ts'

export interface TimeLimit {
  /** Aborts when the time is over, or when the work is stopped. */
  signal: AbortSignal
  /** The time is over: it was not stopped only. */
  isOver: () => boolean
  /** Call it when the work has ended, however. */
  end: () => void
}

/** @param stopped default: nobody stops it */
export function timeLimit(clock: Pick<Clock, 'after'>, ms: number, stopped?: AbortSignal): TimeLimit {
  const overtime = new AbortController()
  return {
    signal: stopped === undefined ? overtime.signal : AbortSignal.any([overtime.signal, stopped]),
    isOver: () => overtime.signal.aborted,
    end: clock.after(ms, () => overtime.abort()),
  }
}

/** Rejects when the signal fires: for a race with work that handles an abort late. */
export function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
