// One call after the other: a health poll that meets a ticket waits for it.

export class Turns {
  #last: Promise<unknown> = Promise.resolve()

  /** Starts `work` when everything before it has ended, well or not. */
  take<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work)
    this.#last = turn.catch(() => {})
    return turn
  }
}
