// One long search through the box's history at a time, a few that wait, and no more: printing must not wait for searches.
import { ControlRefusal } from './control-refusal.ts'

/** Each takes seconds at most: beyond these callers should try again. */
const MOST_WAITING = 8

export class LookingLine {
  #isBusy = false
  readonly #waiting: (() => void)[] = []

  get isBusy(): boolean {
    return this.#isBusy
  }

  /**
   * Waits for its turn.
   * @param signal aborted when the caller has disconnected
   * @returns a function that ends the turn
   * @throws ControlRefusal `box.looking` when too many wait, or the caller no longer waits for the answer
   */
  async enter(signal?: AbortSignal): Promise<() => void> {
    requireAsker(signal)
    if (!this.#isBusy) {
      this.#isBusy = true
      return this.#leaving()
    }
    if (this.#waiting.length >= MOST_WAITING) throw tooMany()
    return await new Promise((resolve, reject) => {
      const begin = (): void => {
        signal?.removeEventListener('abort', abort)
        resolve(this.#leaving())
      }
      const abort = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(begin), 1)
        reject(gone())
      }
      signal?.addEventListener('abort', abort, { once: true })
      this.#waiting.push(begin)
    })
  }

  async take<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const leave = await this.enter(signal)
    try {
      return await work()
    } finally {
      leave()
    }
  }

  #leaving(): () => void {
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      const next = this.#waiting.shift()
      if (next) next()
      else this.#isBusy = false
    }
  }
}

/** @throws ControlRefusal when the caller no longer waits for the answer */
export function requireAsker(signal?: AbortSignal): void {
  if (signal?.aborted) throw gone()
}

function tooMany(): ControlRefusal {
  return new ControlRefusal(
    'busy',
    'Others look for orders or reports on this box. Wait a few seconds, then ask again.',
    { said: { key: 'box.looking' } },
  )
}

function gone(): ControlRefusal {
  return new ControlRefusal('busy', 'Nobody waits for this answer any more.', { said: { key: 'box.looking' } })
}
