// Who may use one of a few connections: so many at a time, the others in the order in which they came. They wait here, and not in the pool,
// which takes long waiting for a server that is away.
import { ServiceError } from '#shared/errors.ts'

/** One more is refused with 503. */
const MOST_WAITING = 2_048

interface Waiting {
  goOn: () => void
  refuse: (error: Error) => void
}

export class Turns {
  #waiting: Waiting[] = []
  #free: number

  constructor(count: number) {
    this.#free = count
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /** @throws ServiceError service.unavailable, or what `refuseAll` says */
  take(): Promise<void> | undefined {
    if (this.#free === 0) {
      if (this.#waiting.length >= MOST_WAITING) throw new ServiceError('service.unavailable', { retryAfterSeconds: 1 })
      return new Promise((goOn, refuse) => this.#waiting.push({ goOn, refuse }))
    }
    this.#free -= 1
    return undefined
  }

  give(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#free += 1
    else next.goOn()
  }

  /** Those that wait need not wait to the end of those that do not. */
  refuseAll(error: () => Error): void {
    const refused = this.#waiting
    this.#waiting = []
    for (const { refuse } of refused) refuse(error())
  }
}
