// A wake-up, owned by the store that changed and fired after its commit. Missing one costs at most one poll: never carry data in it that is not also in the database.

export class Signal<T = void> {
  readonly #listeners = new Set<(value: T) => void>()

  /** Calls every listener, in order of subscription. A listener must not throw: it only wakes a waiting part. */
  notify(value: T): void {
    for (const listener of [...this.#listeners]) listener(value)
  }

  /** Calls `listener` at each notify until the returned function is called. */
  subscribe(listener: (value: T) => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  /** Resolves with the value of the next notify that `matches`; rejects when `abort` fires first. */
  next(matches: (value: T) => boolean = () => true, abort?: AbortSignal): Promise<T> {
    return new Promise((resolve, reject) => {
      const stop = this.subscribe((value) => {
        if (!matches(value)) return
        stop()
        abort?.removeEventListener('abort', onAbort)
        resolve(value)
      })
      const onAbort = (): void => {
        stop()
        reject(abort?.reason)
      }
      if (abort?.aborted) onAbort()
      else abort?.addEventListener('abort', onAbort, { once: true })
    })
  }
}
