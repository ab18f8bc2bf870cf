// Ends calls of which nothing was heard for hours: their last news was lost. The telephone company is asked first.

import type { CallStore, QuietCall as Quiet } from '#cloud/storage/call-store.ts'
import type { RelayDatabase } from '#cloud/storage/database.ts'
import type { Telephones } from '#cloud/telephony/telephones.ts'
import type { Telephony } from '#cloud/telephony/telephony.ts'
import type { SecretBox } from '#cloud/webhooks/secret-box.ts'
import type { Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import { Sweeps } from '#shared/rounds.ts'
import { timeLimit } from '#shared/time-limit.ts'
import { endedState } from './call-machine.ts'
import { isFinal, LOST_CALL, stateOfCall } from './call-state.ts'

const SWEEP_MS = 600_000
const HOUR_MS = 3_600_000
/** Nobody is on the telephone with a restaurant for so long without a word. */
const QUIET_MS = 4 * HOUR_MS
/** A company that cannot be asked for so long is not asked any more. */
const UNASKED_MS = 24 * HOUR_MS
/** A company repeats a hook within minutes. */
const ANSWERS_KEPT_MS = 24 * HOUR_MS
const PIECE = 50
const ANSWERS_PIECE = 2_000
const ASK_MS = 10_000

export interface QuietCallsDeps {
  db: RelayDatabase
  calls: CallStore
  telephony: Pick<Telephones, 'of'>
  secretBox: SecretBox
  clock: Clock
  /** By it is judged how long nothing was heard: a clock that jumps ahead ends no call. */
  deletionClock: Pick<Clock, 'now'>
  log: Logger
}

export class QuietCalls extends Sweeps<QuietCallsDeps> {
  constructor(deps: QuietCallsDeps) {
    super(deps, { everyMs: SWEEP_MS, failed: 'calls without news could not be ended; tried again' })
  }

  override async sweep(): Promise<void> {
    const { calls, deletionClock, db } = this.deps
    const sinceMs = deletionClock.now() - QUIET_MS
    let after: Quiet | null = null
    do {
      const piece: Quiet[] = await calls.quiet(sinceMs, { after, limit: PIECE })
      for (const call of piece) {
        if (this.stopping) return
        await this.#look(call)
      }
      after = piece.at(-1) ?? null
    } while (after !== null)
    const beforeMs = deletionClock.now() - ANSWERS_KEPT_MS
    await db.unit((tx) => calls.forgetAnswers(tx, { beforeMs, limit: ANSWERS_PIECE }))
  }

  async #look(call: Quiet): Promise<void> {
    const { calls, clock, db, secretBox, log } = this.deps
    const nowMs = clock.now()
    const known = await this.#ask(call)
    if (known === 'later') return
    const isOver = known === null || isFinal(known)
    await db.unit(async (tx) => {
      const row = await calls.byProvider(call.provider_id, tx)
      // Something was heard of it meanwhile.
      if (row === null || row.ended_at !== null || row.last_at !== call.last_at) return
      if (!isOver) return calls.change(tx, call.id, { ...row, last_at: nowMs })
      const stored = stateOfCall(row, (sealed) => secretBox.open(sealed))
      if (stored === null)
        log.error({ callId: call.id }, 'the state of a call could not be read, and the call was ended')
      const state = stored === null ? LOST_CALL : endedState(stored, known)
      const { status, place: step, outcome } = state
      const state_enc = secretBox.seal(JSON.stringify(state))
      await calls.change(tx, call.id, { ...row, status, step, outcome, state_enc, ended_at: nowMs, last_at: nowMs })
    })
    if (isOver) calls.changed.notify(call.merchant_id)
  }

  /** @returns null: the company knows nothing of it, or cannot be asked for good; `later`: not now */
  async #ask(call: Quiet): Promise<Awaited<ReturnType<Telephony['callState']>> | 'later'> {
    const { telephony, clock, deletionClock, log } = this.deps
    // A number that was given up leaves no company to ask.
    const company = call.provider === null ? null : telephony.of(call.provider)
    if (company === null) return null
    const limit = timeLimit(clock, ASK_MS)
    try {
      return await company.callState(call.provider_id, limit.signal)
    } catch (err) {
      log.warn(
        { err, callId: call.id },
        'the telephone company was asked about a call without news, and gave no answer',
      )
      return deletionClock.now() - call.last_at < UNASKED_MS ? 'later' : null
    } finally {
      limit.end()
    }
  }
}
