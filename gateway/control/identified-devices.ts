// What devices said of themselves when a person asked them lately: a printer that is added then is known from the start, not from its first ticket.
import type { Identity } from '#gateway/printers/identify-printer.ts'
import { saysNothing } from '#gateway/printers/identity.ts'
import type { Clock } from '#shared/clock.ts'
import { type DeviceAnswers, deviceAnswers } from '#shared/printer-identity.ts'

/** Longer ago somebody may have changed the cables. */
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

  /** A device was asked over a connection of its own. One that says nothing of itself leaves nothing of the one before it. */
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

  /** Null: it was not asked lately, or said nothing. */
  answersOf(address: Address): DeviceAnswers | null {
    const said = this.#said.get(keyOf(address))
    return said && this.#clock.monotonicMs() - said.atMs < KEPT_MS ? said.answers : null
  }
}

function keyOf({ host, port }: Address): string {
  return `${host} ${port}`
}
