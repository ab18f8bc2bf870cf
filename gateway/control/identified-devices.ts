// The answers of recently identified devices: a printer that is added then has its identity from the start, not from its first ticket.
import type { Identity } from '#gateway/printers/identify-printer.ts'
import { saysNothing } from '#gateway/printers/identity.ts'
import type { Clock } from '#shared/clock.ts'
import { type DeviceAnswers, deviceAnswers } from '#shared/printer-identity.ts'

/** After this time somebody may have changed the cables. */
const KEPT_MS = 10 * 60_000
/** A search through a whole network is no reason to remember it all. */
const MOST_KEPT = 64

interface Address {
  host: string
  port: number
}

export class IdentifiedDevices {
  readonly #clock: Pick<Clock, 'monotonicMs'>
  readonly #said = new Map<string, { answers: DeviceAnswers; atMs: number }>()

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock
  }

  /** A device was queried over a connection of its own. One without answers removes those of the previous one. */
  note(address: Address, identity: Identity): void {
    const key = keyOf(address)
    this.#said.delete(key)
    if (identity.kind !== 'printer' || identity.language !== 'escpos') return
    const { maker, model, serial } = identity
    const { data: answers } = deviceAnswers.safeParse({ maker, model, serial })
    if (answers === undefined || saysNothing(answers)) return
    this.#said.set(key, { answers, atMs: this.#clock.monotonicMs() })
    const [oldest] = this.#said.keys()
    if (this.#said.size > MOST_KEPT && oldest !== undefined) this.#said.delete(oldest)
  }

  /** Null: it was not identified recently, or did not answer. */
  answersOf(address: Address): DeviceAnswers | null {
    const said = this.#said.get(keyOf(address))
    return said && this.#clock.monotonicMs() - said.atMs < KEPT_MS ? said.answers : null
  }
}

function keyOf({ host, port }: Address): string {
  return `${host} ${port}`
}
