// Which devices were identified, and when: one that only claims to be the printer is queried once an hour at most, because an office printer would print each query.
import type { Identity } from '#gateway/printers/identify-printer.ts'
import type { Clock } from '#shared/clock.ts'
import type { ControlContext } from './context.ts'

const AGAIN_AFTER_MS = 3_600_000
/** No device accepted the connection there, so no query was read. */
const KNOCK_AGAIN_AFTER_MS = 5 * 60_000

type Identify = ControlContext['identify']

export class AskedDevices {
  readonly #clock: Clock
  readonly #identify: Identify
  /** By host. */
  readonly #asked = new Map<string, { atMs: number; waitMs: number; pass: number }>()
  #pass = 0
  /** Of this pass. */
  readonly #answers = new Map<string, Promise<Identity>>()

  constructor({ identify, clock }: { identify: Identify; clock: Clock }) {
    this.#identify = identify
    this.#clock = clock
  }

  /** Identifies a device, once a pass: the answer is also used for the next printer that is searched for. */
  readonly identify: Identify = (address) => {
    const key = `${address.host} ${address.port}`
    const answer = this.#answers.get(key) ?? this.#ask(address)
    this.#answers.set(key, answer)
    return answer
  }

  beginPass(): void {
    this.#pass++
    this.#answers.clear()
    const nowMs = this.#clock.monotonicMs()
    for (const [host, { atMs }] of this.#asked) if (nowMs - atMs >= AGAIN_AFTER_MS) this.#asked.delete(host)
  }

  /** Those that may be queried because of a claim only; the one that waited longest comes first, so that many claims delay a real one and do not hide it. */
  due(hosts: readonly string[]): readonly string[] {
    const nowMs = this.#clock.monotonicMs()
    const since = (host: string): number => this.#asked.get(host)?.atMs ?? Number.NEGATIVE_INFINITY
    const isDue = (host: string): boolean => {
      const last = this.#asked.get(host)
      return last === undefined || nowMs - last.atMs >= last.waitMs || last.pass === this.#pass
    }
    return hosts.filter(isDue).sort((a, b) => since(a) - since(b))
  }

  async #ask(address: { host: string; port: number }): Promise<Identity> {
    const identity = await this.#identify(address)
    const waitMs = identity.kind === 'unreachable' ? KNOCK_AGAIN_AFTER_MS : AGAIN_AFTER_MS
    this.#asked.set(address.host, { atMs: this.#clock.monotonicMs(), waitMs, pass: this.#pass })
    return identity
  }
}
