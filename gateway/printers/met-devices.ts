// The other devices that stood at a printer's address: what each of them said, and when it may be asked again. An office printer prints each question.
import type { Clock } from '#shared/clock.ts'

/** Between the first time that a device is asked and the second, and then between each and the next: it may have become another one. */
const SECOND_AFTER_MS = 5 * 60_000
const NEXT_AFTER_MS = 60 * 60_000
/** Whoever makes up hardware addresses takes no more room than this. */
const MOST = 16

/** `Said`: what is known of one of them. A device is told from the others by its hardware address; null: the kernel has none. */
export class MetDevices<Said> {
  readonly #clock: Clock
  readonly #devices = new Map<string | null, { said: Said; dueAtMs: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** What it said when it was asked last; null: it was never asked. */
  find(mac: string | null): Said | null {
    return this.#devices.get(mac)?.said ?? null
  }

  mayAsk(mac: string | null): boolean {
    const device = this.#devices.get(mac)
    return device === undefined || this.#clock.monotonicMs() >= device.dueAtMs
  }

  /** It was asked just now. */
  note(mac: string | null, said: Said): void {
    const isNew = !this.#devices.has(mac)
    if (isNew && this.#devices.size >= MOST) this.#devices.clear()
    const dueAtMs = this.#clock.monotonicMs() + (isNew ? SECOND_AFTER_MS : NEXT_AFTER_MS)
    this.#devices.set(mac, { said, dueAtMs })
  }
}
