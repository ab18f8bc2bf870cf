// Wires telephone numbers, and takes their hooks away again: each row of the table is a job that is tried until it is done or somebody has to look.
import type { RelayDatabase } from '#cloud/storage/database.ts'
import type { PhoneNumberRow, PhoneNumberStore } from '#cloud/storage/phone-number-store.ts'
import type { ReceptionistStore } from '#cloud/storage/receptionist-store.ts'
import { hookAddress, hooksOf } from '#cloud/telephony/hook-address.ts'
import type { Telephones } from '#cloud/telephony/telephones.ts'
import { type Telephony, TelephonyError, type WiredNumber } from '#cloud/telephony/telephony.ts'
import type { Clock } from '#shared/clock.ts'
import type { PhoneNumberId } from '#shared/ids.ts'
import type { Logger } from '#shared/log.ts'
import { Rounds } from '#shared/rounds.ts'
import type { Service } from '#shared/service.ts'
import { transferNumber, withCallableTransfer } from './allowed-numbers.ts'
import { DEFAULT_PROFILE, readableProfile } from './profile.ts'
import { wantedNumber } from './wanted-number.ts'

export interface WireNumbersDeps {
  db: RelayDatabase
  phoneNumbers: PhoneNumberStore
  receptionist: Pick<ReceptionistStore, 'profile'>
  telephony: Pick<Telephones, 'of'>
  /** Codes such as `+1`: CLOUD_SMS_COUNTRIES. */
  countries: readonly string[]
  /** The address under which telephone companies reach this relay. */
  receptionistUrl: () => string
  clock: Clock
  log: Logger
}

const SWEEP_MS = 5_000
const AT_ONCE = 20
/** Longer than all requests of an attempt may take: then its relay has died. */
const LEASE_MS = 300_000
/** Delays between attempts. After the last it has failed until somebody asks again; what is unwired is tried for ever. */
export const WIRE_RETRY_SECONDS = [60, 300, 1_800, 7_200, 21_600] as const

export class WireNumbers implements Service {
  readonly #deps: WireNumbersDeps
  readonly #rounds: Rounds
  #unsubscribe: (() => void) | null = null
  #stopped = new AbortController()

  constructor(deps: WireNumbersDeps) {
    this.#deps = deps
    this.#rounds = new Rounds({
      clock: deps.clock,
      everyMs: SWEEP_MS,
      pass: () => this.#pass(),
      failed: (error) => deps.log.error({ err: error }, 'telephone numbers could not be wired; tried again'),
    })
  }

  async start(): Promise<void> {
    if (this.#rounds.started) return
    this.#stopped = new AbortController()
    this.#unsubscribe = this.#deps.phoneNumbers.changed.subscribe(() => this.#rounds.wake())
    await this.#rounds.start()
    this.#rounds.wake()
  }

  /** What is under way is cut off: its row is due again when its lease is over, or at once when it is known that nothing was done. */
  async stop(): Promise<void> {
    this.#unsubscribe?.()
    this.#stopped.abort()
    await this.#rounds.stop()
  }

  async #pass(): Promise<void> {
    const { phoneNumbers, clock, log } = this.#deps
    for (const id of await phoneNumbers.due(clock.now(), AT_ONCE)) {
      if (this.#rounds.stopping) return
      // One that cannot be worked on, such as a damaged row, holds up no other: it is due again when its lease is over.
      try {
        await this.#attempt(id)
      } catch (error) {
        log.error({ err: error, numberId: id }, 'a telephone number could not be worked on; tried again')
      }
    }
  }

  async #attempt(id: PhoneNumberId): Promise<void> {
    const { db, phoneNumbers, clock, log } = this.#deps
    const nowMs = clock.now()
    // Before anything is asked of the provider: whoever comes after a crash looks for what this attempt bought.
    const row = await db.unit((tx) => phoneNumbers.begin(tx, id, { nowMs, untilMs: nowMs + LEASE_MS }))
    if (row === null) return
    const facts = { numberId: id, attempt: row.attempts }
    try {
      if (row.state === 'unwiring') {
        await this.#company(row).unwire({ providerId: row.provider_id, name: id }, this.#stopped.signal)
        await db.unit((tx) => phoneNumbers.remove(tx, row))
        log.info(facts, 'the hooks of a telephone number were taken away')
        return
      }
      if (await this.#isWired(row, await this.#provisioned(row))) log.info(facts, 'a telephone number was wired')
    } catch (error) {
      if (!(error instanceof TelephonyError)) throw error
      const nextAtMs = this.#nextAtMs(row, error)
      await db.unit((tx) =>
        phoneNumbers.failed(tx, row, { error: error.reason, nextAtMs, isGone: error.reason === 'number_not_owned' }),
      )
      log.warn(
        { ...facts, error: error.reason, isOver: nextAtMs === null },
        'a telephone number could not be wired or unwired',
      )
    }
  }

  async #provisioned(row: PhoneNumberRow): Promise<WiredNumber> {
    const hooks = hooksOf(this.#deps.receptionistUrl(), row.id)
    const fallback = await this.#fallback(row, hooks)
    const at = { name: row.id, hooks, fallback, signal: this.#stopped.signal }
    // One that is there is told again, whatever was wanted once: none is bought in its place.
    const wanted = row.e164 === null ? wantedNumber(row.wanted) : { number: row.e164 }
    return this.#company(row).provision(wanted, at)
  }

  /** What the fallback says and whom it dials stands in its address: it is asked when this relay cannot look anything up. */
  async #fallback({ merchant_id, e164 }: PhoneNumberRow, hooks: string): Promise<string> {
    const { receptionist, countries } = this.#deps
    const stored = await receptionist.profile(merchant_id)
    // As calls read it: one setting that cannot be read leaves no number without a fallback.
    const profile = stored === null ? DEFAULT_PROFILE : readableProfile(stored.profile).profile
    const to = transferNumber(withCallableTransfer(profile, countries), e164)
    const query = new URLSearchParams({ language: profile.language, ...(to !== null && { to }) })
    return `${hookAddress(hooks, 'fallback')}?${query}`
  }

  /** @returns false: meanwhile it is not wanted any more. @throws TelephonyError */
  async #isWired(row: PhoneNumberRow, number: WiredNumber): Promise<boolean> {
    const { db, phoneNumbers, clock } = this.#deps
    const nowMs = clock.now()
    const end = await db.unit((tx) => phoneNumbers.wired(tx, row, { ...number, nowMs }))
    if (end === 'taken') throw new TelephonyError('number_taken', { isTransient: true })
    return end === 'wired'
  }

  /** @throws TelephonyError */
  #company({ provider }: PhoneNumberRow): Telephony {
    const telephony = this.#deps.telephony.of(provider)
    if (telephony === null) throw new TelephonyError('provider_not_set')
    return telephony
  }

  /** Null: it is over. A stop is no failure: it is tried again at once. */
  #nextAtMs({ state, attempts }: PhoneNumberRow, { reason, isTransient, isUncertain }: TelephonyError): number | null {
    const nowMs = this.#deps.clock.now()
    if (reason === 'stopped' && !isUncertain) return nowMs
    const seconds = WIRE_RETRY_SECONDS[attempts - 1]
    if (state === 'unwiring') return nowMs + (seconds ?? 21_600) * 1_000
    return seconds === undefined || !isTransient ? null : nowMs + seconds * 1_000
  }
}
