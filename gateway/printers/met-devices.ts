// The other devices that were at a printer's address: the answers of each, and when it may be queried again. An office printer prints each query.
import type { Clock } from '#shared/clock.ts'

/** Time between the first and the second query of a device, and then between further ones: it may have been replaced. */
const SECOND_AFTER_MS = 5 * 60_000
const NEXT_AFTER_MS = 60 * 60_000
/** Limits the memory that forged hardware addresses can use. */
const MOST = 16

/** `Said`: the answers of one of them. Devices are distinguished by their hardware address; null: the kernel has none. */
export class MetDevices<Said> {
  readonly #clock: Clock
  readonly #devices = new Map<string | null, { said: Said; dueAtMs: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Its last answers; null: it was never queried. */
  find(mac: string | null): Said | null {
    return this.#devices.get(mac)?.said ?? null
  }

  mayAsk(mac: string | null): boolean {
    const device = this.#devices.get(mac)
    return device === undefined || this.#clock.monotonicMs() >= device.dueAtMs
  }

  /** It was queried just now. */
  note(mac: string | null, said: Said): void {
    const isNew = !this.#devices.has(mac)
    if (isNew && this.#devices.size >= MOST) this.#devices.clear()
    const dueAtMs = this.#clock.monotonicMs() + (isNew ? SECOND_AFTER_MS : NEXT_AFTER_MS)
    this.#devices.set(mac, { said, dueAtMs })
  }
}
